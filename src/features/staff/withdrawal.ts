import { type Intent, noIntent } from '../../core/model/submission/intent.ts';

/** What staff withdraw on behalf of a person, as typed. */
export interface TypedWithdrawal {
  readonly what: string;
  readonly purposes: readonly string[];
  readonly reason: string;
}

interface WithdrawalMistake {
  readonly field: 'what' | 'reason';
  readonly text: string;
}

export const longestReason = 500;

export type ReadWithdrawal =
  | { readonly kind: 'mistakes'; readonly mistakes: readonly WithdrawalMistake[] }
  | { readonly kind: 'intent'; readonly intent: Intent; readonly reason: string };

/** Anything but blanks, controls and invisible marks. */
const visible = /[^\p{C}\p{Z}]/u;

/** By its result it can do nothing but withdraw. `allowed`: what can be switched off. */
export function readWithdrawal(typed: TypedWithdrawal, allowed: readonly string[]): ReadWithdrawal {
  const mistakes: WithdrawalMistake[] = [];
  const reason = typed.reason.trim();
  const chosen = [...new Set(typed.purposes)].filter((id) => allowed.includes(id));
  if (typed.what !== 'everything' && typed.what !== 'chosen')
    mistakes.push({ field: 'what', text: 'Choose what to withdraw.' });
  if (typed.what === 'chosen' && chosen.length === 0) {
    mistakes.push({ field: 'what', text: 'Tick at least one purpose that is on, or choose all.' });
  }
  if (!visible.test(reason)) mistakes.push({ field: 'reason', text: 'Give the reason.' });
  if (reason.length > longestReason) {
    mistakes.push({
      field: 'reason',
      text: `Reason: at most ${longestReason} characters; these are ${reason.length}.`,
    });
  }
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes };
  const intent: Intent =
    typed.what === 'everything'
      ? { ...noIntent, everything: 'withdraw' }
      : { ...noIntent, purposes: chosen.map((purpose) => ({ kind: 'off', purpose })) };
  return { kind: 'intent', intent, reason };
}
