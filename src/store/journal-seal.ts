import type { Evidence, Work } from '../core/model/journal-entry.ts';
import type { SubjectId } from '../core/model/subject.ts';
import type { SubmissionRequest } from '../core/model/submission-request.ts';
import type { KeyedHash } from '../ports/keyed-hash.ts';
import type { Seal } from '../ports/seal.ts';
import { longBytes } from '../turn.ts';
import { openRow, sealRow } from './sealed-row.ts';

/*
 * What a row of the journal holds sealed, and what it is found by: the same in every store, so that rows can be moved
 * from one to another as they are.
 */

type Row = Readonly<Record<string, unknown>>;

const sealedWork = { purpose: 'journal' };
const sealedEvidence = { purpose: 'evidence' };
const sealedReason = { purpose: 'reason' };
const sealedSuperseded = { purpose: 'superseded' };

/** What the seal binds it to is the submission, too, by its reference. */
export function sealWork(seal: Seal, reference: string, work: Work): string {
  return sealRow(seal, { ...sealedWork, row: reference }, work);
}

export function openWork(seal: Seal, { reference, payload }: Row): Work | undefined {
  return openRow(seal, { ...sealedWork, row: String(reference) }, payload) as Work | undefined;
}

/** It takes so long to seal or to open that others should have their turn. */
export function isLong(payload: unknown): boolean {
  return typeof payload === 'string' && payload.length >= longBytes;
}

/** It does not say whose it is, and so is bound to the row's person as well. */
export function sealEvidence(seal: Seal, row: Row, evidence: Evidence): string {
  return sealRow(seal, { ...sealedEvidence, row: ofPerson(row) }, evidence);
}

export function openEvidence(seal: Seal, row: Row): Evidence | undefined {
  return openRow(seal, { ...sealedEvidence, row: ofPerson(row) }, row['evidence']) as Evidence | undefined;
}

function ofPerson({ reference, subject }: Row): string {
  return `${reference} ${subject}`;
}

export function sealReason(seal: Seal, sequence: number, text: string): string {
  return sealRow(seal, { ...sealedReason, row: String(sequence) }, text);
}

/** '' for what no key opens. */
export function openReason(seal: Seal, sequence: number, sealed: unknown): string {
  const opened = openRow(seal, { ...sealedReason, row: String(sequence) }, sealed);
  return typeof opened === 'string' ? opened : '';
}

export function sealSuperseded(seal: Seal, reference: string, keys: readonly string[]): string {
  return sealRow(seal, { ...sealedSuperseded, row: reference }, keys);
}

export function openSuperseded(seal: Seal, reference: string, sealed: unknown): readonly string[] {
  const keys = openRow(seal, { ...sealedSuperseded, row: reference }, sealed);
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
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

/** The same for the same submission, in whatever order its members were written. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
