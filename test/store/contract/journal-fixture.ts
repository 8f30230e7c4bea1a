import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { JournalEntry } from '../../../src/core/model/journal-entry.ts';
import type { SubmissionRequest } from '../../../src/core/model/submission-request.ts';
import { newWork } from '../../../src/delivery/work.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import type { Reason, ReasonFilter } from '../../../src/ports/journal-reports.ts';
import type { JournalOver } from '../../../src/ports/journal-upkeep.ts';

/** One store, which ends with the test; each handle on it is as that of another process. */
export interface JournalStore {
  /** Under the first of these secrets, which opens what was sealed under the others, too. */
  open(secrets?: readonly string[]): Promise<Journal>;
}

export type OpenStore = (t: TestContext) => Promise<JournalStore>;

export const secret = 'a secret of at least thirty-two bytes';
export const otherSecret = 'another secret of at least thirty-two bytes';
export const day = 24 * 3_600_000;

let made = 0;

export function newReference(): string {
  made += 1;
  return `ref-${made}`;
}

export function submissionMade(request: SubmissionRequest, now = 1000) {
  return { reference: newReference(), now, work: newWork(request), expiresAt: undefined };
}

export async function put(journal: Journal, request: SubmissionRequest, now = 1000): Promise<JournalEntry> {
  const { entry } = await journal.record(request, submissionMade(request, now));
  return entry;
}

/** What is common to the changes that these tests save. */
export const unchanged = {
  state: 'pending',
  doneAt: undefined,
  expiresAt: undefined,
  isPassable: false,
  receipts: [],
  lease: 'released',
} as const;

export async function done(
  journal: Journal,
  reference: string,
  now: number,
  state: 'done' | 'failed' = 'done',
): Promise<void> {
  const entry = await journal.find(reference);
  assert.ok(entry?.work);
  const change = { ...unchanged, work: entry.work, state, dueAt: now, doneAt: now, receipts: ['r1'] };
  assert.equal(await journal.save(reference, 'me', change), 'saved');
}

export const lease = (now: number, owner = 'me') => ({ owner, now, until: now + 100 });

export async function everyReason(journal: Journal, filter: ReasonFilter = {}): Promise<readonly Reason[]> {
  const all: Reason[] = [];
  let after: number | undefined;
  do {
    const { reasons, next } = await journal.reasons(filter, { limit: 2, after });
    all.push(...reasons);
    after = next;
  } while (after !== undefined);
  return all;
}

const never = { now: 0, workBefore: 0, evidenceBefore: 0, reasonsBefore: 0 };

export async function sweep(journal: Journal, over: Partial<JournalOver>): Promise<number> {
  return await journal.sweep({ ...never, ...over });
}
