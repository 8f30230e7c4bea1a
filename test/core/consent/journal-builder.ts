import { lastWords } from '../../../src/core/consent/last-word.ts';
import { type Intent, noIntent, type PurposeChange } from '../../../src/core/model/intent.ts';
import type { JournalEntry, Work } from '../../../src/core/model/journal-entry.ts';
import type { ConsentRecord, RecordedStatus, Subject, SubjectId } from '../../../src/core/model/subject.ts';
import type { Outcome } from '../../../src/core/model/submission.ts';
import { newWork } from '../../../src/delivery/work.ts';
import { aRequest } from '../../delivery/fixture.ts';

export const now = 1_000_000_000;
export const off = (purpose: string): PurposeChange => ({ kind: 'off', purpose });
export const on = (purpose: string, ...topics: string[]): PurposeChange => {
  return { kind: 'on', purpose, topics, topicsOff: [], options: [], optionsOff: [] };
};
export const reduce = (purpose: string, ...topicsOff: string[]): PurposeChange => {
  return { kind: 'reduce', purpose, topicsOff, optionsOff: [{ preference: 'p', option: 'o' }] };
};
export const everything: Intent = { ...noIntent, everything: 'withdraw' };

let made = 0;

/** Done a second ago unless it is told otherwise; `outcome` of all its items. */
export function entry(
  said: Intent | PurposeChange,
  outcome: Outcome,
  change: Partial<Omit<JournalEntry, 'work'>> & { work?: Partial<Work> } = {},
): JournalEntry {
  made += 1;
  const intent = 'kind' in said ? { ...noIntent, purposes: [said] } : said;
  const base = newWork(aRequest({ intent }));
  const { work, ...rest } = change;
  const isOpen = outcome === 'being-carried-out' || outcome === 'in-progress';
  const call = {
    at: now - 2_000,
    kind: 'put' as const,
    why: 'change' as const,
    changes: base.items.map(({ id }) => `purpose:${id}`),
    update: {
      purposes: base.items.map(({ id }) => ({ id, topics: ['t'], preferences: [] })),
      dataElements: {},
      language: undefined,
    },
    answer: isOpen ? undefined : { items: [] },
    problem: undefined,
  };
  return {
    reference: `r${made}`,
    center: 'center',
    channel: 'link',
    state: isOpen ? 'pending' : 'done',
    everything: intent.everything === 'withdraw',
    globalPrivacyControl: false,
    submittedAt: now - 3_000,
    dueAt: now,
    doneAt: isOpen ? undefined : now - 1_000,
    undoes: undefined,
    undoneBy: undefined,
    repeats: undefined,
    saidAgainAt: undefined,
    receipts: [],
    evidence: undefined,
    ...rest,
    work: { ...base, calls: [call], items: base.items.map((item) => ({ ...item, outcome })), ...work },
  };
}

export function words(entries: readonly JournalEntry[], reference = 'mine', center = 'center') {
  const steps = lastWords(entries, { reference, center, now });
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** `-a +b =c`: taken back, asked for, granted. */
export function said(...entries: readonly JournalEntry[]): string {
  const { takenBack, asked, granted, leftAll } = words(entries);
  return [
    ...(leftAll ? ['-all'] : []),
    ...[...takenBack].map((key) => `-${key}`),
    ...[...asked].map((key) => `+${key}`),
    ...[...granted.keys()].map((id) => `=${id}`),
  ].join(', ');
}

export function record(
  purpose: string,
  status: RecordedStatus,
  topics: readonly string[] = [],
): ConsentRecord {
  return { purpose, label: undefined, status, topics, preferences: [{ id: 'p', options: ['o', 'q'] }] };
}

export function reading(...purposes: readonly ConsentRecord[]): Subject {
  return { id: 'anna@example.org' as SubjectId, language: undefined, purposes, dataElements: {} };
}
