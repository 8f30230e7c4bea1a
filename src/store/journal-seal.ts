import type { Person, Progress } from '../core/consent/person.ts';
import { canonical } from '../core/model/canonical.ts';
import { type SubjectId, sealedSubjectId } from '../core/model/person/subject.ts';
import type { KeptEvent } from '../core/model/submission/center-event.ts';
import type { SubmissionRequest } from '../core/model/submission/submission-request.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import type { PersonRow, SubmissionRow } from './people-schema.ts';
import { rowSeal } from './sealed-row.ts';

/*
 * What a row of the journal holds sealed, and what it is found by: the same in every store, so that rows can be moved
 * from one to another as they are.
 */

/** So many sealed characters are long to seal, to open or to write: other requests run in between. */
export const longBytes = 256 * 1_024;

export function isLong(payload = ''): boolean {
  return payload.length >= longBytes;
}

/** Own words, by their number. */
export const sealedReason = rowSeal<string>('reason');

/** By which each store finds a person, under every key. */
export function personHashes(hash: KeyedHash, subject: SubjectId) {
  return {
    subjects: hashesOf(hash, subject),
    sessions: hash.hashes('session subject', subject),
    passcodes: hash.hashes('passcode person', subject),
    hostedLinks: hash.hashes('hosted link person', subject),
  };
}

/** Of what is asked for, by whom and where; under every key, the newest first. */
export function digestsOf(
  hash: KeyedHash,
  { center, subject, intent, isObjection }: SubmissionRequest,
): readonly string[] {
  return hash.hashes('journal digest', canonical({ center, subject, intent, isObjection }));
}

/** Under every key, the newest first. */
export function hashesOf(hash: KeyedHash, subject: SubjectId): readonly string[] {
  return hash.hashes('journal subject', subject);
}

/** As long as a submission can be retried or undone. */
export const eventLifeMs = 30 * 24 * 3_600_000;

/** By its id. */
export const sealedEvent = rowSeal<KeptEvent>('event');

/** By the keyed hash of the person. */
export const sealedPerson = rowSeal<Person>('person');
/** By its reference. Without the reasons for leaving, which are kept apart and never linked to a person. */
export const sealedRequest = rowSeal<SubmissionRequest>('submission');
/** By its reference, and its person, whom it does not name. */
export const sealedProgress = rowSeal<Progress>('progress');

/** Rows of people that open, those under older secrets first; `age`: 0 under the newest. */
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

/** It names its person: a row that was moved to another person does not open. */
export function openRequest(
  seal: Seal & KeyedHash,
  { reference, subject, request: sealed }: Pick<SubmissionRow, 'reference' | 'subject' | 'request'>,
): SubmissionRequest | undefined {
  const request = sealedRequest.open(seal, reference, sealed);
  const own = sealedSubjectId(request?.subject);
  return own !== undefined && hashesOf(seal, own).includes(subject) ? request : undefined;
}
