import type { JournalEntry } from '../core/model/journal-entry.ts';
import type { SubmissionRequest } from '../core/model/submission-request.ts';
import type { SubmissionMade } from '../ports/journal-intake.ts';

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
    receipts: [],
    work: made.work,
    evidence: undefined,
  };
}
