import type { KeptEvent } from '../core/model/submission/center-event.ts';
import type { Seal } from '../ports/seal.ts';
import { openRow, sealRow } from './sealed-row.ts';

/** As long as a submission can be retried or undone. */
export const eventLifeMs = 30 * 24 * 3_600_000;

const rowOf = (id: string) => ({ purpose: 'event', row: id });

export function sealEvent(seal: Seal, event: KeptEvent): string {
  return sealRow(seal, rowOf(event.id), event);
}

/** undefined for what no key opens. */
export function openEvent(
  seal: Seal,
  { id, payload }: { readonly id: string; readonly payload: string },
): KeptEvent | undefined {
  return openRow(seal, rowOf(id), payload) as KeptEvent | undefined;
}
