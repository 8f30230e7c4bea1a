import type { Reason } from '../ports/journal-reports.ts';
import type { Seal } from '../ports/seal.ts';
import { openReason } from './journal-seal.ts';

/** Later than any day. Milliseconds. */
export const endOfTime = Number.MAX_SAFE_INTEGER;

export function readReason(
  seal: Seal,
  { sequence, center, day, id, text }: Readonly<Record<string, unknown>>,
): Reason {
  const isOwn = id === null;
  return {
    center: String(center),
    day: Number(day),
    id: isOwn ? undefined : String(id),
    text: isOwn ? openReason(seal, Number(sequence), text) : String(text),
  };
}
