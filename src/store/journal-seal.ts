import type { Person, Progress } from '../core/consent/person.ts';
import { canonical } from '../core/model/canonical.ts';
import { type SubjectId, sealedSubjectId } from '../core/model/person/subject.ts';
import type { KeptEvent } from '../core/model/submission/center-event.ts';
import type { SubmissionRequest } from '../core/model/submission/submission-request.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import type { PersonRow, SubmissionRow } from './people-schema.ts';
import { rowSeal } from './sealed-row.ts';

/*
 * Sealed values in rows of the journal, and hashes by which rows are found. They are the same in every store,
 * so that rows can be moved from one store to another unchanged.
 */

/** Characters from which a sealed text takes long to seal, open or write: other requests run in between. */
export const longBytes = 256 * 1_024;

export function isLong(payload = ''): boolean {
  return payload.length >= longBytes;
}

/** A reason in a person's own words, sealed for its number. */
export const sealedReason = rowSeal<string>('reason');

/** The hashes by which each store finds a person, under every key. */
export function personHashes(hash: KeyedHash, subject: SubjectId) {
  return {
    subjects: hashesOf(hash, subject),
    sessions: hash.hashes('session subject', subject),
    passcodes: hash.hashes('passcode person', subject),
    hostedLinks: hash.hashes('hosted link person', subject),
  };
}

/** Digests of what a request asks for, by whom and where, under every key, the newest first. */
export function digestsOf(
  hash: KeyedHash,
  { center, subject, intent, isObjection }: SubmissionRequest,
): readonly string[] {
  return hash.hashes('journal digest', canonical({ center, subject, intent, isObjection }));
}

/** The journal's hashes of a person under every key, the newest first. */
export function hashesOf(hash: KeyedHash, subject: SubjectId): readonly string[] {
  return hash.hashes('journal subject', subject);
}

/** Milliseconds that events are kept: as long as a submission can be retried or undone. */
export const eventLifeMs = 30 * 24 * 3_600_000;

/** An event, sealed for its id. */
export const sealedEvent = rowSeal<KeptEvent>('event');

/** A person's document, sealed for the keyed hash of the person. */
export const sealedPerson = rowSeal<Person>('person');
/** A request, sealed for its reference. Reasons for leaving are kept apart, and never linked to a person. */
export const sealedRequest = rowSeal<SubmissionRequest>('submission');
/** Progress, sealed for the reference and the person, since it does not name the person. */
export const sealedProgress = rowSeal<Progress>('progress');

/** Rows of people that open, those under older secrets first. `age` is 0 under the newest secret. */
export function openRows<Row extends Pick<PersonRow, 'subject' | 'document'>>(
  seal: Seal & KeyedHash,
  rows: readonly Row[],
) {
  const opened = rows.flatMap((row) => {
    const person = sealedPerson.open(seal, row.subject, row.document);
    const age = person === undefined ? -1 : hashesOf(seal, person.subject).indexOf(row.subject);
    return person === undefined || age < 0 ? [] : { row, person, age };
  });
  return opened.toSorted((one, other) => other.age - one.age);
}

/** Opens a request, which names its person: a row that was moved to another person does not open. */
export function openRequest(
  seal: Seal & KeyedHash,
  { reference, subject, request: sealed }: Pick<SubmissionRow, 'reference' | 'subject' | 'request'>,
): SubmissionRequest | undefined {
  const request = sealedRequest.open(seal, reference, sealed);
  const own = sealedSubjectId(request?.subject);
  return own !== undefined && hashesOf(seal, own).includes(subject) ? request : undefined;
}
