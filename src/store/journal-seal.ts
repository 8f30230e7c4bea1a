import { canonical } from '../core/model/canonical.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import type { SubmissionRequest } from '../core/model/submission/submission-request.ts';
import type { KeyedHash } from '../ports/seal.ts';
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
