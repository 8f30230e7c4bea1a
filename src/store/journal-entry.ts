import type { JournalEntry } from '../core/model/journal-entry.ts';
import type { SubjectId } from '../core/model/subject.ts';
import type { Channel, Submission } from '../core/model/submission.ts';
import type { SubmissionRequest } from '../core/model/submission-request.ts';
import type { SubmissionMade } from '../ports/journal-intake.ts';
import type { Seal } from '../ports/seal.ts';
import { openEvidence } from './journal-seal.ts';

type Row = Readonly<Record<string, unknown>>;

/** One that was just written, as it would be read. */
export function newEntry(
  request: SubmissionRequest,
  made: SubmissionMade,
  { dueAt, repeats }: Pick<JournalEntry, 'dueAt' | 'repeats'>,
): JournalEntry {
  return {
    reference: made.reference,
    center: request.center,
    channel: request.channel,
    state: 'pending',
    everything: request.intent.everything === 'withdraw',
    globalPrivacyControl: request.globalPrivacyControl,
    submittedAt: made.now,
    dueAt,
    doneAt: undefined,
    undoes: request.undoes,
    undoneBy: undefined,
    repeats,
    saidAgainAt: undefined,
    receipts: [],
    work: made.work,
    evidence: undefined,
  };
}

/** From a row of either adapter; `channel` and `work` are what they keep in ways of their own. */
export function readEntry(
  seal: Seal,
  row: Row,
  { channel, work }: { readonly channel: string; readonly work: JournalEntry['work'] },
): JournalEntry {
  return {
    reference: text(row, 'reference'),
    center: text(row, 'center'),
    channel: channel as Channel,
    state: text(row, 'state') as Submission['state'],
    everything: Boolean(row['everything']),
    globalPrivacyControl: Boolean(row['gpc']),
    submittedAt: Number(row['submitted_at']),
    dueAt: Number(row['due_at']),
    doneAt: row['done_at'] === null ? undefined : Number(row['done_at']),
    undoes: optional(row, 'undoes'),
    undoneBy: optional(row, 'undone_by'),
    repeats: optional(row, 'repeats'),
    saidAgainAt: row['said_again_at'] === null ? undefined : Number(row['said_again_at']),
    receipts: JSON.parse(text(row, 'receipts')) as readonly string[],
    work,
    evidence: openEvidence(seal, row),
  };
}

/**
 * Of rows that were found as a person's: what is sealed says itself whose it is. Whoever changes by which hash a row is
 * found shows nobody another's.
 */
export function asOwn(
  subject: SubjectId | undefined,
  entries: readonly JournalEntry[],
): readonly JournalEntry[] {
  if (subject === undefined) return entries;
  const isOwn = ({ work }: JournalEntry) => work === undefined || work.request.subject === subject;
  return entries.map((entry) => (isOwn(entry) ? entry : { ...entry, work: undefined }));
}

export function text(row: Row, column: string): string {
  return String(row[column]);
}

function optional(row: Row, column: string): string | undefined {
  return row[column] === null || row[column] === undefined ? undefined : String(row[column]);
}
