import type { Person, Progress } from '../core/consent/person.ts';
import { type SubjectId, sealedSubjectId } from '../core/model/person/subject.ts';
import type { SubmissionRequest } from '../core/model/submission/submission-request.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import { hashesOf } from './journal-seal.ts';
import type { PersonRow, SubmissionRow } from './people-schema.ts';
import { openRow, sealRow } from './sealed-row.ts';

/** `id`: the keyed hash by which the row is found. */
export function sealPerson(seal: Seal, id: string, person: Person): string {
  return sealRow(seal, { purpose: 'person', row: id }, person);
}

/** undefined for what no key opens, and what was sealed for another person. */
export function openPerson(
  seal: Seal,
  { subject, document }: Pick<PersonRow, 'subject' | 'document'>,
): Person | undefined {
  return openRow(seal, { purpose: 'person', row: subject }, document) as Person | undefined;
}

/** Rows of people that open, those under older secrets first; `age`: 0 under the newest. */
export function openRows<Row extends Pick<PersonRow, 'subject' | 'document'>>(
  seal: Seal & KeyedHash,
  rows: readonly Row[],
) {
  const opened = rows.flatMap((row) => {
    const person = openPerson(seal, row);
    const age = person === undefined ? -1 : hashesOf(seal, person.subject).indexOf(row.subject);
    return person === undefined || age < 0 ? [] : { row, person, age };
  });
  return opened.toSorted((one, other) => other.age - one.age);
}

/** Without the reasons for leaving, which are kept apart and never linked to a person. */
export function sealRequest(seal: Seal, reference: string, request: SubmissionRequest): string {
  return sealRow(seal, { purpose: 'submission', row: reference }, { ...request, reasons: [] });
}

/** It names its person: a row that was moved to another person does not open. */
export function openRequest(
  seal: Seal & KeyedHash,
  { reference, subject, request: sealed }: Pick<SubmissionRow, 'reference' | 'subject' | 'request'>,
): SubmissionRequest | undefined {
  const opened = openRow(seal, { purpose: 'submission', row: reference }, sealed);
  const request = opened as SubmissionRequest | undefined;
  const own = sealedSubjectId(request?.subject);
  return own !== undefined && hashesOf(seal, own).includes(subject) ? request : undefined;
}

export function sealProgress(seal: Seal, of: Progressed, progress: Progress): string {
  return sealRow(seal, { purpose: 'progress', row: rowOf(of) }, progress);
}

export function openProgress(seal: Seal, of: Progressed, sealed: unknown): Progress | undefined {
  return openRow(seal, { purpose: 'progress', row: rowOf(of) }, sealed) as Progress | undefined;
}

interface Progressed {
  readonly reference: string;
  readonly subject: SubjectId;
}

/** It does not name its person, and so is bound to the person as well. */
function rowOf({ reference, subject }: Progressed): string {
  return `${reference} ${subject}`;
}
