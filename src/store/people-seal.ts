import type { Person, Progress } from '../core/consent/person.ts';
import { sealedSubjectId } from '../core/model/person/subject.ts';
import type { SubmissionRequest } from '../core/model/submission/submission-request.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import { hashesOf } from './journal-seal.ts';
import type { PersonRow, SubmissionRow } from './people-schema.ts';
import { rowSeal } from './sealed-row.ts';

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
