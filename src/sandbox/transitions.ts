import type { Catalogue, CatalogueEntry } from './consent-schema.ts';
import { type Json, type JsonObject, object, objects, text } from './json.ts';
import {
  isActive,
  type RecordedPurpose,
  recordedChoices,
  recordedItem,
  type SubjectRecord,
  statusNow,
} from './record.ts';
import { type AskedPurpose, readPurposes, type UpdateRequest } from './update-request.ts';

/** One item of the answer to a PUT or DELETE. */
export interface Outcome {
  readonly id: string;
  readonly status: boolean;
  readonly messages: readonly string[];
}

export interface Transition {
  readonly record: SubjectRecord;
  readonly outcomes: readonly Outcome[];
}

/** Surroundings of a call: schema, time and faults. */
export interface Setting {
  readonly catalogue: Catalogue;
  /** Finds a purpose that the platform has outside this center. */
  readonly elsewhere: (id: string) => CatalogueEntry | undefined;
  readonly now: number;
  /** Whether a fault refuses the purpose's item. */
  readonly refused: (id: string) => boolean;
}

/** A status that no call of the interface changes. */
const ALWAYS_ACTIVE = 'ALWAYS_ACTIVE';

/**
 * Applies a PUT: each purpose in the request becomes ACTIVE; a purpose that is ACTIVE on record but not in
 * the request becomes WITHDRAWN; all others stay.
 */
export function applyUpdate(record: SubjectRecord, request: UpdateRequest, setting: Setting): Transition {
  const outcomes: Outcome[] = [];
  const purposes = keyed(record);
  for (const asked of request.purposes) {
    const before = purposes.get(asked.id);
    const entry =
      setting.catalogue.get(asked.id) ?? (before === undefined ? setting.elsewhere(asked.id) : undefined);
    const refusal =
      refuse(asked.id, setting) ??
      (before === undefined && entry === undefined ? unknown(asked.id) : undefined) ??
      refusalOfGrant(asked, before, entry ?? setting.elsewhere(asked.id));
    if (refusal !== undefined) {
      outcomes.push(refusal);
      continue;
    }
    const { item, strays } = choose(asked, before, entry);
    const status = before?.status === ALWAYS_ACTIVE ? ALWAYS_ACTIVE : 'ACTIVE';
    purposes.set(asked.id, { id: asked.id, status, since: since(before, setting), written: true, item });
    outcomes.push({
      id: text(item['Id']) ?? asked.id,
      status: true,
      messages: [
        'Purpose updated',
        ...strays.map((id) => `${id} is not part of this purpose and was not recorded`),
      ],
    });
  }
  const present = new Set(request.purposes.map((asked) => asked.id));
  for (const [key, purpose] of purposes) {
    if (present.has(key) || !isActive(statusNow(purpose, setting.catalogue.get(key), setting.now))) continue;
    const refusal = refuse(purpose.id, setting);
    outcomes.push(refusal ?? withdrawn(purpose));
    if (refusal === undefined) purposes.set(key, withdraw(purpose, setting));
  }
  const elements = new Map(Object.entries(record.elements));
  for (const [label, value] of request.elements) {
    if (value === null) elements.delete(label);
    else elements.set(label, value);
  }
  const isWritten =
    record.written || purposes.size > 0 || request.elements.size > 0 || request.language !== undefined;
  return {
    record: {
      given: isWritten ? afterWrite(record.given, purposes.values()) : record.given,
      written: isWritten,
      language: request.language ?? record.language,
      purposes: [...purposes.values()],
      elements: Object.fromEntries(elements),
    },
    outcomes,
  };
}

/** Undoes the effect of a call on the ignored purposes. */
export function withoutEffectOn(
  isIgnored: (id: string) => boolean,
  { before, after }: { before: SubjectRecord; after: SubjectRecord },
): SubjectRecord {
  const former = keyed(before);
  const purposes = after.purposes.flatMap((purpose, index) => {
    if (!isIgnored(purpose.id)) return [purpose];
    return former.get(purpose.id || `#${index}`) ?? [];
  });
  return { ...after, purposes };
}

/**
 * Applies a DELETE: all purposes of the center and of the record become WITHDRAWN, also those never granted;
 * a purpose that is ALWAYS_ACTIVE stays.
 */
export function applyWithdrawal(record: SubjectRecord, setting: Setting): Transition {
  const purposes = keyed(record);
  const outcomes: Outcome[] = [];
  for (const [id, entry] of setting.catalogue) {
    if (purposes.has(id)) continue;
    const refusal = refuse(id, setting);
    if (refusal !== undefined) {
      outcomes.push(refusal);
      continue;
    }
    const item = recordedItem(entry, {}, { topics: [], preferences: [] });
    purposes.set(id, { id, status: 'NO_CONSENT', since: 0, written: true, item });
  }
  for (const [key, purpose] of purposes) {
    if (purpose.id === '') continue;
    const refusal = refuse(purpose.id, setting) ?? locked(purpose);
    outcomes.push(refusal ?? withdrawn(purpose));
    if (refusal === undefined) purposes.set(key, withdraw(purpose, setting));
  }
  const isWritten = record.written || purposes.size > 0;
  return {
    record: {
      ...record,
      given: isWritten ? afterWrite(record.given, purposes.values()) : record.given,
      written: isWritten,
      purposes: [...purposes.values()],
    },
    outcomes,
  };
}

/** A change of one purpose that others make outside the interface. */
export interface OutsideChange {
  readonly asked: AskedPurpose;
  /** The new status; undefined deletes the purpose from the record. */
  readonly status: string | undefined;
  /** Whether the recorded topics and options stay. */
  readonly keepsChoices: boolean;
}

/** Reads the change of one purpose, with its choices if the item names any. */
export function readChange(item: JsonObject, status: string | undefined): OutsideChange[] {
  const keepsChoices = item['Topics'] === undefined && item['CustomPreferences'] === undefined;
  return readPurposes([item], () => true).map((asked) => ({ asked, status, keepsChoices }));
}

/** Applies changes outside the interface: a purpose may get any status; purposes not named stay. */
export function applyOutsideChange(
  record: SubjectRecord,
  changes: readonly OutsideChange[],
  setting: Pick<Setting, 'catalogue' | 'now'>,
): SubjectRecord {
  const purposes = keyed(record);
  for (const { asked, status, keepsChoices } of changes) {
    const before = purposes.get(asked.id);
    const entry = setting.catalogue.get(asked.id);
    if (status === undefined) {
      purposes.delete(asked.id);
      continue;
    }
    const item = keepsChoices
      ? recordedItem(entry, { Id: asked.id, ...object(before?.item) }, choicesOf(before))
      : { Id: asked.id, ...choose(asked, before, entry).item };
    purposes.set(asked.id, { id: asked.id, status, since: since(before, setting), written: true, item });
  }
  return {
    ...record,
    given: afterWrite(record.given, purposes.values()),
    written: true,
    purposes: [...purposes.values()],
  };
}

/** The time of a change; always later than the state it replaces, because the newest center wins. */
function since(before: RecordedPurpose | undefined, { now }: Pick<Setting, 'now'>): number {
  return Math.max(now, (before?.since ?? 0) + 1);
}

/** Indexes the purposes by id; a purpose without an id is kept by its position. */
function keyed(record: SubjectRecord): Map<string, RecordedPurpose> {
  return new Map(record.purposes.map((purpose, index) => [purpose.id || `#${index}`, purpose]));
}

function choicesOf(purpose: RecordedPurpose | undefined): {
  topics: JsonObject[];
  preferences: JsonObject[];
} {
  const item = object(purpose?.item);
  return { topics: objects(item['Topics']), preferences: objects(item['CustomPreferences']) };
}

function refuse(id: string, setting: Setting): Outcome | undefined {
  return setting.refused(id) ? { id, status: false, messages: ['Purpose could not be updated'] } : undefined;
}

/** Refuses a grant of a purpose that is not in use, or of two options where one is allowed. */
function refusalOfGrant(
  asked: AskedPurpose,
  before: RecordedPurpose | undefined,
  entry: CatalogueEntry | undefined,
): Outcome | undefined {
  const status = text(entry?.purpose['Status'] ?? object(before?.item)['Status']);
  const refused = (message: string) => ({ id: asked.id, status: false, messages: [message] });
  if (status === 'DRAFT' || status === 'RETIRED') return refused(`Purpose is ${status}`);
  const recorded = recordedChoices(before?.item ?? null).preferences;
  const crowded = asked.preferences.find(({ id, options }) => {
    const preference = entry?.preferences.get(id)?.preference ?? recorded.get(id);
    return options.length > 1 && preference?.['SelectionType'] === 'SINGLE_CHOICE';
  });
  return crowded === undefined ? undefined : refused(`${crowded.id} takes one option`);
}

function locked(purpose: RecordedPurpose): Outcome | undefined {
  if (purpose.status !== ALWAYS_ACTIVE) return undefined;
  return { id: idShown(purpose), status: false, messages: ['Purpose is always active'] };
}

function idShown(purpose: RecordedPurpose): string {
  return text(object(purpose.item)['Id']) ?? purpose.id;
}

function unknown(id: string): Outcome {
  return { id, status: false, messages: ['Purpose not found'] };
}

function withdrawn(purpose: RecordedPurpose): Outcome {
  return { id: idShown(purpose), status: true, messages: ['Purpose withdrawn'] };
}

/** Withdraws a purpose; its choices stay on record. */
function withdraw(purpose: RecordedPurpose, setting: Setting): RecordedPurpose {
  return {
    id: purpose.id,
    status: 'WITHDRAWN',
    since: since(purpose, setting),
    written: true,
    item: recordedItem(setting.catalogue.get(purpose.id), object(purpose.item), choicesOf(purpose)),
  };
}

/** Finds the chosen topics and options in the schema or else in the record; unknown ids are strays. */
function choose(
  asked: AskedPurpose,
  before: RecordedPurpose | undefined,
  entry: CatalogueEntry | undefined,
): { item: JsonObject; strays: string[] } {
  const recorded = recordedChoices(before?.item ?? null);
  const strays: string[] = [];
  const found = (id: string, ...places: (ReadonlyMap<string, JsonObject> | undefined)[]): JsonObject[] => {
    const item = places.map((place) => place?.get(id)).find((candidate) => candidate !== undefined);
    if (item === undefined) strays.push(id);
    return item === undefined ? [] : [item];
  };
  const topics = asked.topics.flatMap((id) => found(id, entry?.topics, recorded.topics));
  const preferences: JsonObject[] = [];
  for (const { id, options } of asked.preferences) {
    const known = entry?.preferences.get(id);
    const kept = recorded.preferences.get(id);
    const preference = known?.preference ?? kept;
    if (preference === undefined) {
      strays.push(id);
      continue;
    }
    const keptOptions = recordedOptions(kept);
    const items = options.flatMap((option) => found(option, known?.options, keptOptions));
    if (items.length > 0) preferences.push({ ...preference, Options: items });
  }
  return { item: recordedItem(entry, object(before?.item), { topics, preferences }), strays };
}

function recordedOptions(preference: JsonObject | undefined): ReadonlyMap<string, JsonObject> {
  const languages = objects(preference?.['Languages']).flatMap((language) => objects(language['Options']));
  const all = [...languages, ...objects(preference?.['Options'])];
  return new Map(all.map((option) => [(text(option['Id']) ?? '').toLowerCase(), option]));
}

/** Corrects `unsubscribeAll` after a write: the value from the data folder no longer holds. */
export function afterWrite(given: JsonObject, purposes: Iterable<RecordedPurpose>): JsonObject {
  const rest: Record<string, Json> = { ...given };
  if ('unsubscribeAll' in rest)
    rest['unsubscribeAll'] = ![...purposes].some(({ status }) => isActive(status));
  return rest;
}
