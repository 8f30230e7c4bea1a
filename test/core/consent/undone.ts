/** The undo of the submission `r` by its intent and its results. */
import type { Line } from '../../../src/core/consent/desired-state.ts';
import { told } from '../../../src/core/consent/told.ts';
import { undoOwned } from '../../../src/core/consent/undo.ts';
import type { Center } from '../../../src/core/model/center/center.ts';
import { aCenter, aPreference, aPurpose, recordsOf } from '../center-builder.ts';
import { after, type Event, said, turn, type Wanted } from './said.ts';

const single = (id: string) => aPreference(id, ['x', 'y', 'z'], { choice: 'single' });
export const schema = aCenter([
  aPurpose('a', { preferences: [aPreference('many', ['x', 'y'])] }),
  aPurpose('b'),
  aPurpose('s', { preferences: [single('p'), single('q')] }),
  aPurpose('d', { onByDefault: true }),
  aPurpose('w'),
  aPurpose('retired', { active: false }),
  aPurpose('closed', { leavingOnly: true }),
  aPurpose('half', { leavingOnly: true }),
  aPurpose('half'),
]);
export const typed = {
  dataElements: [
    { element: 'e', label: 'E', value: '1' },
    { element: 'f', label: 'F', value: '1' },
  ],
  language: 'fr',
};
export const was = (text: string) => ({ before: recordsOf(text)[0] });

/** The submission `r`: its intent, its results, and the events before it, until it was done, and since. */
export interface Undone {
  readonly asks: Wanted;
  readonly lines: readonly Line[];
  readonly first?: readonly Event[];
  readonly meanwhile?: readonly Event[];
  readonly since?: readonly Event[];
  readonly how?: Parameters<typeof said>[1];
  readonly isObjecting?: boolean | undefined;
  readonly center?: Center;
}

export function undoOf({ asks, lines, first = [], meanwhile = [], since = [], how, ...shown }: Undone) {
  const own = said(asks, { reference: 'r', schema, ...how });
  const { desired } = after(...first, own, ...meanwhile, turn('verified'), ...since);
  const kept = { reference: 'r', center: 'center', intent: own.intent, lines };
  const { center = schema, isObjecting: globalPrivacyControl = false } = shown;
  return undoOwned(kept, desired, { center, globalPrivacyControl, told: told(kept, desired, 9) });
}
