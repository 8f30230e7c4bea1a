import type { DesiredCenter } from '../../../src/core/consent/desired-state.ts';

/** A center where nothing was said. */
export const nothing: DesiredCenter = {
  center: 'center',
  items: [],
  everything: undefined,
  asked: [],
  calls: [],
  known: [],
  lookedAt: 0,
};
