/** Words of one person in a center, and the call that is planned for them. */
import assert from 'node:assert/strict';
import {
  type Call,
  type DesiredCenter,
  type DesiredEverything,
  type DesiredItem,
  keyOf,
  usualLimits,
} from '../../../src/core/consent/desired-state.ts';
import { planCall } from '../../../src/core/consent/step-call.ts';
import { draftOf } from '../../../src/core/consent/step-draft.ts';
import type { Verdict } from '../../../src/core/consent/step-rows.ts';
import { aCenter, anElement, aPurpose, recordsOf, topics } from '../center-builder.ts';
import { aSubject } from '../page-builder.ts';
import { nothing } from './nothing.ts';

export const now = 1_000_000;
const items = [
  aPurpose('a', { topics: topics('t', 'u') }),
  ...[aPurpose('b'), aPurpose('d', { onByDefault: true }), anElement('e')],
];
const schema = aCenter(items, { confirmsDefaults: true });
export const lost: Call = { order: 5, at: 0, update: undefined, refusals: [], off: [], keys: [], by: 'r' };
export const floor: DesiredEverything = { by: 'all', at: 0, order: 3, phase: 'open', reach: undefined };

/** A word about `a`, `a t`, `a p x` or `=E`: a purpose, a topic, an option or a value. */
export function word(about: string, change: Partial<DesiredItem> = {}): DesiredItem {
  const [purpose = '', choice, chosen] = about.split(' ');
  const choices = chosen === undefined ? keyOf.topic(purpose, choice ?? '') : `option ${about}`;
  const key = choice === undefined ? keyOf.purpose(purpose) : choices;
  const own = { by: 'r', at: now, order: 2, phase: 'open', want: 'off' } as const;
  if (about !== '=E') return { key, ...own, ...change };
  return { ...own, key: 'element e', want: { value: '1', label: 'E' }, ...change };
}
export const grant = (about: string, change: Partial<DesiredItem> = {}) =>
  word(about, { want: 'on', ...change });

type Verdicts = Readonly<Record<string, Verdict | 'send' | 'refuse' | 'undecided'>>;

/** A center with the verdict of each word by its key; a word without one is sent. */
export interface Case extends Partial<DesiredCenter> {
  readonly does?: Verdicts;
  readonly other?: Partial<DesiredCenter>;
  readonly start?: string;
  readonly isUnread?: boolean;
}

export function planOf({ does = {}, other = {}, start = '', isUnread = false, ...own }: Case) {
  const centers = [
    { ...nothing, ...own },
    { ...nothing, center: 'other', ...other },
  ];
  const subject = aSubject({ purposes: recordsOf(start) });
  const reading = isUnread ? undefined : { subject, at: now };
  const known = { center: 'center', observed: reading, schema: { center: schema, readAt: now } };
  const draft = draftOf({ order: 9, centers }, known, { now, limits: usualLimits });
  const verdicts = (own.items ?? []).flatMap(({ key }): [string, Verdict][] => {
    const verdict = does[key] ?? 'send';
    if (verdict === 'undecided') return [];
    return [[key, typeof verdict === 'string' ? { kind: verdict } : verdict]];
  });
  return { draft, plan: planCall(draft, new Map(verdicts), reading) };
}

/** The planned call in the form `PUT b, off a, for purpose a, refusing d, repeated`. */
export function spoken(given: Case): string | undefined {
  const { plan } = planOf(given);
  if (plan === undefined) return undefined;
  const { update, off: gone, keys, refusals, isRepeat, order } = plan;
  assert.equal(order, 10);
  const set = update?.purposes.map((each) => [each.id, ...each.topics].join('/'));
  const values = Object.entries(update?.dataElements ?? {}).map((each) => each.join('='));
  return [
    ['PUT', ...(set ?? []), ...values].join(' ').replace('PUT', set === undefined ? 'DELETE' : 'PUT'),
    `off ${gone?.join(' ')}`,
    `for ${keys.join(' + ')}`,
    ...(refusals.length > 0 ? [`refusing ${refusals.join(' ')}`] : []),
    ...(isRepeat ? ['repeated'] : []),
  ].join(', ');
}

export const rest: Verdict = { kind: 'rest' };
export const refusing = { does: { 'purpose d': 'refuse' }, start: 'a d:implicit' } as const;
export const refused = word('d', { phase: 'sent', call: 5 });
