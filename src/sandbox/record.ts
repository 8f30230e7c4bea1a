import type { Catalogue, CatalogueEntry } from './consent-schema.ts';
import {
  fold,
  idOf,
  isObject,
  type Json,
  type JsonObject,
  object,
  objects,
  parseJson,
  text,
} from './json.ts';

/** One purpose on a person's record. */
export interface RecordedPurpose {
  /** Folded id; empty when the data folder gave none. */
  readonly id: string;
  readonly status: string;
  /** Time of the status, in milliseconds since 1970. */
  readonly since: number;
  /** False until a call changes what the data folder gave. */
  readonly written: boolean;
  /** The item from the data folder or, once written, with the names of that time. */
  readonly item: Json;
}

/** One person's record in one center. */
export interface SubjectRecord {
  /** Members of the answer that the data folder gave. */
  readonly given: JsonObject;
  readonly written: boolean;
  readonly language: string | undefined;
  readonly purposes: readonly RecordedPurpose[];
  readonly elements: JsonObject;
}

export const NOTHING_ON_RECORD: SubjectRecord = {
  given: {},
  written: false,
  language: undefined,
  purposes: [],
  elements: {},
};

/** Statuses that a PUT withdraws by leaving the purpose out. */
const ACTIVE_STATUSES = new Set(['ACTIVE', 'OPT_IN', 'EXTEND', 'CHANGE_PREFERENCES']);

export function seedRecord(given: JsonObject, now: Date): SubjectRecord {
  const purposes = Array.isArray(given['Purposes']) ? given['Purposes'] : [];
  return {
    given,
    written: false,
    language: text(given['Language']),
    purposes: purposes.map((item) => ({
      id: isObject(item) ? (idOf(item) ?? '') : '',
      status: (isObject(item) ? text(item['TransactionStatus']) : undefined) ?? 'NO_CONSENT',
      since: now.getTime(),
      written: false,
      item,
    })),
    elements: object(given['DsDataElements']),
  };
}

/** Returns when the consent ends by its LifeSpan, in milliseconds since 1970. */
function endOf(purpose: RecordedPurpose, entry: CatalogueEntry | undefined): number {
  if (entry === undefined || entry.lifeSpan === 0 || !ACTIVE_STATUSES.has(purpose.status)) return Infinity;
  return purpose.since + entry.lifeSpan * 1000;
}

/** Returns the present status: a consent whose LifeSpan has passed is EXPIRED. */
export function statusNow(purpose: RecordedPurpose, entry: CatalogueEntry | undefined, now: number): string {
  return endOf(purpose, entry) <= now ? 'EXPIRED' : purpose.status;
}

export function isActive(status: string): boolean {
  return ACTIVE_STATUSES.has(status);
}

export interface SubjectAnswer {
  readonly body: JsonObject;
  /** Time until which the answer is valid, in milliseconds since 1970. */
  readonly until: number;
}

/** Builds the answer for one person, with purposes on record only; without any its Status is 400. */
export function subjectAnswer(parts: {
  record: SubjectRecord;
  catalogue: Catalogue;
  identifier: string;
  language: string;
  now: number;
}): SubjectAnswer {
  const { record, catalogue, now } = parts;
  const { given, written } = record;
  const ends = record.purposes
    .map((purpose) => endOf(purpose, catalogue.get(purpose.id)))
    .filter((end) => end > now);
  const keepsList = written || given['Purposes'] === undefined || Array.isArray(given['Purposes']);
  const keepsElements = written || given['DsDataElements'] === undefined || isObject(given['DsDataElements']);
  const known = record.purposes.length > 0 || written;
  return {
    body: {
      messages: [],
      ...given,
      ...(written ? { messages: [] } : {}),
      DataSubjectId: parts.identifier,
      Language: record.language ?? (written ? undefined : given['Language']) ?? parts.language,
      Status: written ? 200 : (given['Status'] ?? (known ? 200 : 400)),
      Purposes: keepsList
        ? record.purposes.map((purpose) => showPurpose(purpose, catalogue.get(purpose.id), now))
        : (given['Purposes'] ?? []),
      DsDataElements: keepsElements ? record.elements : (given['DsDataElements'] ?? {}),
    },
    until: Math.min(Infinity, ...ends),
  };
}

/** Shows a purpose. A withdrawn purpose hides its choices; the record keeps them for a later grant. */
function showPurpose(purpose: RecordedPurpose, entry: CatalogueEntry | undefined, now: number): Json {
  if (!isObject(purpose.item) || (purpose.id === '' && !purpose.written)) return purpose.item;
  const item = purpose.item;
  const status = statusNow(purpose, entry, now);
  const isEmpty = purpose.written && status === 'WITHDRAWN';
  const displayed = {
    ...join(item, purposeNames(entry, item), purpose.written),
    Topics: isEmpty ? [] : listed(item['Topics'], (topic) => showTopic(topic, entry, purpose.written)),
    CustomPreferences: isEmpty
      ? []
      : listed(item['CustomPreferences'], (preference) => showPreference(preference, entry, purpose.written)),
  };
  return purpose.written || status !== purpose.status || item['TransactionStatus'] === undefined
    ? { ...displayed, TransactionStatus: status }
    : displayed;
}

/** Joins an item with its schema: the schema wins once written; items of the folder keep their own names. */
function join(item: JsonObject, schema: JsonObject, schemaWins: boolean): JsonObject {
  return schemaWins ? { ...item, ...schema } : { ...schema, ...item };
}

function listed(value: Json | undefined, show: (item: JsonObject) => Json): Json {
  if (value === undefined) return [];
  return Array.isArray(value) ? value.map((item) => (isObject(item) ? show(item) : item)) : value;
}

function purposeNames(entry: CatalogueEntry | undefined, item: JsonObject): JsonObject {
  if (entry === undefined) return { Label: '', Description: '', Status: 'RETIRED', ...item };
  const { purpose } = entry;
  return {
    Id: text(purpose['Id']) ?? '',
    Label: text(purpose['Label']) ?? '',
    Description: text(purpose['Description']) ?? '',
    Status: text(purpose['Status']) ?? 'ACTIVE',
    ...pick(purpose, 'ExternalReference'),
  };
}

function pick(source: JsonObject, member: string): JsonObject {
  const value = source[member];
  return value === undefined ? {} : { [member]: value };
}

function showTopic(topic: JsonObject, entry: CatalogueEntry | undefined, schemaWins: boolean): JsonObject {
  return join(topic, entry?.topics.get(idOf(topic) ?? '') ?? {}, schemaWins);
}

/** Shows a preference. `Options` holds the selected options, `Languages[].Options` holds all. */
function showPreference(
  given: JsonObject,
  entry: CatalogueEntry | undefined,
  schemaWins: boolean,
): JsonObject {
  const known = entry?.preferences.get(idOf(given) ?? '');
  const displayed = known === undefined ? given : join(given, known.preference, schemaWins);
  return {
    ...displayed,
    Options: listed(given['Options'], (option) =>
      join(option, known?.options.get(idOf(option) ?? '') ?? {}, schemaWins),
    ),
  };
}

/** Builds the item that the record keeps: a purpose with its choices and their names. */
export function recordedItem(
  entry: CatalogueEntry | undefined,
  before: JsonObject,
  choices: { topics: JsonObject[]; preferences: JsonObject[] },
): JsonObject {
  return {
    ...join(before, purposeNames(entry, before), true),
    Topics: choices.topics.map((topic) => showTopic(topic, entry, true)),
    CustomPreferences: choices.preferences.map((preference) => showPreference(preference, entry, true)),
  };
}

/** Indexes topics and preferences on record, to find those that the schema no longer has. */
export function recordedChoices(item: Json): {
  topics: Map<string, JsonObject>;
  preferences: Map<string, JsonObject>;
} {
  const index = (items: JsonObject[]) => new Map(items.map((found) => [idOf(found) ?? '', found]));
  const known = object(item);
  return { topics: index(objects(known['Topics'])), preferences: index(objects(known['CustomPreferences'])) };
}

export function serialise(record: SubjectRecord): string {
  return JSON.stringify(record);
}

export function deserialise(source: string): SubjectRecord {
  const value = object(parseJson(source));
  return {
    given: object(value['given']),
    written: value['written'] === true,
    language: text(value['language']),
    purposes: objects(value['purposes']).map((purpose) => ({
      id: fold(text(purpose['id']) ?? ''),
      status: text(purpose['status']) ?? 'NO_CONSENT',
      since: Number(purpose['since']),
      written: purpose['written'] === true,
      item: purpose['item'] ?? null,
    })),
    elements: object(value['elements']),
  };
}
