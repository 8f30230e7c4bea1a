import {
  type ConsentRecord,
  type RecordedPreference,
  type RecordedStatus,
  recordedStatuses,
  type Subject,
  type SubjectId,
} from '../core/model/person/subject.ts';
import { Problem } from '../core/model/problem.ts';
import type { ConsentAnswer, ConsentUpdate } from '../core/model/submission/consent-update.ts';
import { meaning, type Words } from './members/member.ts';
import * as wire from './wire-shape.ts';

/**
 * GET v1 …/datasubjects/preferences: only the members that are needed, because it is read on every page view.
 */
const subjectShape = wire.shape({
  Status: wire.number,
  DataSubjectId: wire.text,
  Language: wire.text,
  Purposes: wire.anything,
  DsDataElements: wire.anything,
});

/**
 * The person that an answer must be about; an answer may name others. `sentAs`: the identifier as the header
 * had it.
 */
export interface Whose {
  readonly subject: SubjectId;
  readonly sentAs: string;
}

/** Reads the record of a person. `dropped` gets the number of items that could not be read. */
export function readSubjectAnswer(
  body: unknown,
  { subject, sentAs, dropped }: Whose & { readonly dropped: (count: number) => void },
): Subject {
  const { Status, DataSubjectId, Language, Purposes, DsDataElements } = wire.parse(
    body,
    subjectShape,
    'a record',
  );
  const isEcho = DataSubjectId !== undefined && isSameSubject(DataSubjectId, { subject, sentAs });
  if (DataSubjectId !== undefined && !isEcho) throw wrongSubject();
  const language = Language?.trim() === '' ? undefined : Language?.trim();
  // Status in the body has the same meaning as the HTTP status: no transactions for this person
  // (docs/platform-api.md, Subject).
  if (Status === 400 || Status === 404) return { ...emptySubject(subject), language };
  const items = wire.list.read(Purposes);
  const dataElements = readDataElements(DsDataElements);
  if (!isEcho && (items.length > 0 || Object.keys(dataElements).length > 0)) throw wrongSubject();
  // A fault sent as a success would look like a person with nothing to withdraw.
  const isRecord = Status === undefined ? isEcho || Array.isArray(Purposes) : Status < 400;
  const isList = Purposes === undefined || Purposes === null || Array.isArray(Purposes);
  if (!isRecord || !isList) throw wire.unreadableAs('not a record');
  const purposes = new Map<string, ConsentRecord>();
  let lost = 0;
  for (const item of items) {
    const read = readRecord(item);
    const known = read && purposes.get(read.purpose);
    if (read === undefined || (known !== undefined && known.status !== read.status)) lost += 1;
    if (read !== undefined) purposes.set(read.purpose, known === undefined ? read : joined(known, read));
  }
  if (lost > 0) dropped(lost);
  return { id: subject, language, purposes: [...purposes.values()], dataElements };
}

export function emptySubject(subject: SubjectId): Subject {
  return { id: subject, language: undefined, purposes: [], dataElements: {} };
}

/**
 * True if the answer is about the person. The answer must name the identifier, or the header as it was sent,
 * exactly: identifiers that differ in case may be two people.
 */
export function isSameSubject(echo: string, { subject, sentAs }: Whose): boolean {
  return echo === subject || echo === sentAs;
}

function wrongSubject(): Problem {
  return new Problem('wrong-subject', { cause: new Error('the answer is not about the person asked for') });
}

/** The known values of TransactionStatus; any other value counts as off. */
export const statuses: Words<RecordedStatus> = {
  ACTIVE: ['active', 'is on'],
  OPT_IN: ['active', 'is on'],
  EXTEND: ['active', 'is on'],
  CHANGE_PREFERENCES: ['active', 'is on'],
  ALWAYS_ACTIVE: ['always-active', 'is on, and cannot be left'],
  IMPLICIT: ['implicit', 'is on by default'],
  NOT_OPT_OUT: ['implicit', 'is on by default'],
  PENDING: ['pending', 'waits until the person confirms'],
  EXPIRED: ['expired', 'is off: its time is over'],
  HARD_OPT_OUT: ['hard-opt-out', 'is off, and cannot be switched on'],
  NO_CONSENT: ['no-consent', 'is off'],
  WITHDRAWN: ['off', 'is off'],
  OPT_OUT: ['off', 'is off'],
};

/** Characters kept of a status that is read as off: the text is only compared, and sealed into forms. */
const longestRawStatus = 40;

/**
 * Reads a purpose of a record, as tolerantly as `wire-shape.ts`, but without its readers, which took as long
 * as JSON.parse: a whole record is read for every page view. Returns undefined for an item that is no
 * purpose.
 */
function readRecord(item: unknown): ConsentRecord | undefined {
  if (!wire.isRecord(item)) return undefined;
  const purpose = wire.readId(item['Id']);
  if (purpose === undefined) return undefined;
  const { Label, TransactionStatus } = item;
  const status = typeof TransactionStatus === 'string' ? TransactionStatus.trim().toUpperCase() : '';
  const read = meaning(status, statuses) ?? 'off';
  return {
    purpose,
    label: typeof Label !== 'string' || Label.trim() === '' ? undefined : Label,
    status: read,
    ...(read === 'off' && status !== '' ? { rawStatus: status.slice(0, longestRawStatus) } : {}),
    topics: idsOf(item['Topics']),
    preferences: eachOnce(
      wire.list.read(item['CustomPreferences']).flatMap((each) => {
        const id = wire.isRecord(each) ? wire.readId(each['Id']) : undefined;
        return wire.isRecord(each) && id !== undefined ? [{ id, options: idsOf(each['Options']) }] : [];
      }),
    ),
  };
}

/**
 * Joins two records of one purpose: the most restrictive status wins, with its choices. If both have one
 * status, the choices of both count: a choice missing in a PUT would be withdrawn.
 */
function joined(one: ConsentRecord, other: ConsentRecord): ConsentRecord {
  const difference = recordedStatuses.indexOf(one.status) - recordedStatuses.indexOf(other.status);
  if (difference !== 0) return difference < 0 ? one : other;
  return {
    ...one,
    topics: [...new Set([...one.topics, ...other.topics])],
    preferences: eachOnce([...one.preferences, ...other.preferences]),
  };
}

function eachOnce(preferences: readonly RecordedPreference[]): readonly RecordedPreference[] {
  if (preferences.length < 2) return preferences;
  return [...Map.groupBy(preferences, ({ id }) => id)].map(([id, same]) => ({
    id,
    options: [...new Set(same.flatMap(({ options }) => options))],
  }));
}

function idsOf(items: unknown): string[] {
  const ids = new Set<string>();
  for (const item of wire.list.read(items)) {
    const read = wire.isRecord(item) ? wire.readId(item['Id']) : undefined;
    if (read !== undefined) ids.add(read);
  }
  return [...ids];
}

const mostElements = 10_000;

function readDataElements(value: unknown): Readonly<Record<string, string>> {
  if (!wire.isRecord(value)) return {};
  const written = Object.entries(value);
  // No profile has more data elements. Reading a part of them would show other values as empty.
  if (written.length > mostElements) throw wire.unreadableAs('not a record');
  const entries = written.flatMap(([label, each]): [string, string][] => {
    const isValue = typeof each === 'string' || typeof each === 'number';
    return isValue && wire.isPlainKey(label) ? [[label, String(each)]] : [];
  });
  return Object.fromEntries(entries);
}

/** Body of PUT v1 …/datasubjects/preferences. */
export function updateBody(
  { purposes, dataElements, language }: ConsentUpdate,
  dataElementsKey: 'dsDataElements' | 'DsDataElements',
): unknown {
  return {
    Purposes: purposes.map((purpose) => ({
      Id: purpose.id,
      Topics: purpose.topics.map((Id) => ({ Id })),
      CustomPreferences: purpose.preferences.map((preference) => ({
        Id: preference.id,
        Options: preference.options.map((Id) => ({ Id })),
      })),
    })),
    ...(Object.keys(dataElements).length === 0 ? {} : { [dataElementsKey]: dataElements }),
    ...(language === undefined ? {} : { Language: language }),
  };
}

const answerItem = wire.shape({
  Id: wire.id,
  Status: wire.anything,
  ReceiptGuid: wire.text,
  Messages: wire.list,
  messages: wire.list,
});

const answerShape = wire.shape({ Purposes: wire.listOf(answerItem) });

/** Items of an answer to PUT and DELETE; Messages has two spellings (docs/platform-api.md, Answer). */
export function readConsentAnswer(body: unknown): ConsentAnswer {
  const { Purposes } = wire.parse(body, answerShape, 'an update answer');
  const items = Purposes.map(({ Id, Status, ReceiptGuid, Messages, messages }) => ({
    purpose: Id,
    accepted: Status === true,
    receipt: /^[\x21-\x7e]{1,100}$/.test(ReceiptGuid ?? '') ? ReceiptGuid : undefined,
    messages: (Messages.length > 0 ? Messages : messages).filter((message) => typeof message === 'string'),
  }));
  return { items };
}
