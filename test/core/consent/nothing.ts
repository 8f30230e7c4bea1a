import type { DesiredCenter } from '../../../src/core/consent/desired-state.ts';

/** A center without words. */
export const nothing: DesiredCenter = {
  center: 'center',
  items: [],
  everything: undefined,
  asked: [],
  calls: [],
  known: [],
  lookedAt: 0,
};
