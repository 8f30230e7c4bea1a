import type { KeptEvent } from '../core/model/submission/center-event.ts';
import { rowSeal } from './sealed-row.ts';

/** As long as a submission can be retried or undone. */
export const eventLifeMs = 30 * 24 * 3_600_000;

/** By its id. */
export const sealedEvent = rowSeal<KeptEvent>('event');
