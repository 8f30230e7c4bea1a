import type { Work } from '../core/model/journal-entry.ts';
import type { CallPriority } from '../ports/platform.ts';
import { isWatched } from './watch.ts';
import { isWithdrawing } from './work.ts';

/** Of a call that carries something out. */
export function callPriority(work: Work): CallPriority {
  return isWithdrawing(work) ? 'withdrawal' : 'person';
}

/**
 * Of a reading: what was accepted is only read back, which can wait where nobody sits before its result; what is done
 * is only looked at again. Every other reading is needed for a call.
 */
export function readPriority(work: Work): CallPriority {
  if (isWatched(work)) return 'background';
  const isAccepted = work.calls.at(-1)?.answer?.items.every(({ accepted }) => accepted);
  if (isAccepted !== true) return callPriority(work);
  return work.request.channel === 'one-click' ? 'background' : 'person';
}
