import { tolerance } from '../model/age.ts';
import { byKey, has } from '../model/by-key.ts';
import type { Center } from '../model/center/center.ts';
import { choicesIn, type Intent, type PurposeChange } from '../model/submission/intent.ts';
import { isAgreement, keysOff, keysOn } from './change-keys.ts';
import {
  type Asked,
  askedBy,
  callsInDoubt,
  carriedBy,
  centerOf,
  type DesiredCenter,
  type DesiredItem,
  type DesiredState,
  floorUnderway,
  isNoWord,
  isPurpose,
  isUnsettled,
  itemAt,
  itemsOf,
  keyOf,
  type Limits,
  type Line,
  lineOf,
  purposeOf,
  usualLimits,
  withCenter,
} from './desired-state.ts';
import { historyOf } from './grant-history.ts';
import { isSingle, purposesOf } from './merge-set.ts';
import { prune } from './prune.ts';
import { isByObjection, sayEverythingAgain, sayWordsAgain } from './say-again.ts';
import { withdrawnSince } from './withdrawn-since.ts';

/** A submission as `say` needs it. */
export interface Said extends Asked {
  readonly center: string;
  readonly intent: Intent;
  /** The form was posted as it was shown, before this post of it arrived: this post grants nothing. */
  readonly isAsShownSince?: boolean | undefined;
  /** The submission only withdraws and may be repeated without limit: a repetition gets no row of its own. */
  readonly isBounded: boolean;
  /**
   * The center's schema, if known: it tells which purposes "everything" reaches and which preferences are
   * single choice.
   */
  readonly schema: Center | undefined;
}

export interface Spoken {
  readonly desired: DesiredState;
  readonly ended: readonly Line[];
  /** The reference of an earlier submission that says all of it already; the new one gets no row. */
  readonly repeats: string | undefined;
}

type Word = Pick<DesiredItem, 'key' | 'want' | 'phase' | 'renews'>;

/**
 * Writes a submission into the person's state. The order of submissions matters only here.
 * 1. A bounded submission that repeats an earlier one renews it, and gets no row of its own.
 * 2. A withdrawal wins over a form that was shown before it: a grant by such a form ends at once.
 * 3. The newest word about a key wins; the word that it replaces ends in its own submission.
 * 4. "Everything" turns every word about a purpose of its center into a withdrawal.
 * 5. In other centers a withdrawal ends unfinished grants of its purposes and choices, and a value or
 *    language ends older ones.
 */
export function say(before: DesiredState, said: Said, now: number, limits: Limits = usualLimits): Spoken {
  const order = before.order + 1;
  const desired = prune({ ...before, order }, now, limits);
  const here = centerOf(desired, said.center);
  const reach = said.schema && [...purposesOf(said.schema).keys()];
  const isEverything = said.intent.everything === 'withdraw';
  const sayAgain = isEverything ? sayEverythingAgain : sayWordsAgain;
  const again = { ...said, reach };
  const repeated = said.isBounded ? sayAgain(desired, here, again, { order, now, limits }) : undefined;
  if (repeated !== undefined) {
    return { desired: withCenter(desired, repeated.center), ended: [], repeats: repeated.by };
  }

  const words = isEverything ? wordsOfEverything(here) : wordsOf(desired, here, said);
  const isWithdrawnSince = withdrawnSince(desired, said);
  const isRefused = (word: Word) => said.isAsShownSince === true || isWithdrawnSince(word);
  const refused = words.filter((word) => word.want !== 'off' && isRefused(word));
  const lost = new Set(refused.map(({ key }) => key));
  // Words bound to a refused grant are refused with it.
  const spoken = words.filter(
    ({ key, phase }) => !lost.has(key) && !(phase === 'bound' && lost.has(keyOf.purpose(purposeOf(key)))),
  );
  const ended: Line[] = refused.map(({ key, renews }) => ({
    by: said.reference,
    key,
    outcome: isWithdrawnSince({ key: keyOf.purpose(purposeOf(key)), renews })
      ? 'withdrawn-elsewhere'
      : 'not-saved',
    row: 'withdrawn-after-the-form',
    isOff: false,
    at: now,
  }));
  const { reference: by, form, isObjection } = said;
  const replaced = replace(here, spoken, { by, order, now, form, isObjection });
  const floor = { by: said.reference, at: now, order, phase: 'open', reach } as const;
  const center: DesiredCenter = {
    ...here,
    items: replaced.items,
    everything: isEverything ? floor : here.everything,
    asked: [...here.asked, askedIn(said)],
    known: [...new Set([...here.known, ...(said.form?.drawn ?? []).map(({ purpose }) => purpose)])],
  };
  const ending = spoken.filter(({ want, phase }) => want !== 'on' && phase === 'open');
  const others = desired.centers.filter((each) => each.center !== said.center);
  const elsewhere = others.map((each) =>
    endGrants(each, isEverything ? reach?.map(keyOf.purpose) : ending.map(({ key }) => key), {
      by: said.reference,
      order,
      now,
    }),
  );
  const all = { order, centers: [...elsewhere.map(({ center: each }) => each), center] };
  return {
    desired: prune(all, now, limits),
    ended: [...ended, ...replaced.ended, ...elsewhere.flatMap((each) => each.ended)],
    repeats: undefined,
  };
}

interface Moment {
  readonly by: string;
  readonly order: number;
  readonly now: number;
}

function askedIn({ reference, form, confirms, isObjection, isOneClick, undoes }: Said): Asked {
  return { reference, form, confirms, isObjection, isOneClick, undoes };
}

function wordsOfEverything(center: DesiredCenter): readonly Word[] {
  const words = center.items.filter((item) => !isNoWord(item));
  return words.flatMap((item): Word[] => {
    const { key } = item;
    if (purposeOf(key) === '' || isWithdrawing(center, item)) return [];
    return [{ key, want: 'off', phase: isPurpose(key) ? 'open' : 'over' }];
  });
}

function wordsOf(desired: DesiredState, center: DesiredCenter, said: Said): readonly Word[] {
  const { dataElements, language } = said.intent;
  const inDoubt = callsInDoubt(desired).flatMap(carriedBy);
  return [
    ...said.intent.purposes.flatMap((change) => wordsOfChange(change, { center, said, inDoubt })),
    ...dataElements.map(({ element, label, value }): Word => {
      return { key: keyOf.element(element), want: { value, label }, phase: 'open' };
    }),
    ...(language === undefined
      ? []
      : [{ key: keyOf.language, want: { value: language, label: '' }, phase: 'open' } as const]),
  ];
}

function wordsOfChange(
  change: PurposeChange,
  known: { readonly center: DesiredCenter; readonly said: Said; readonly inDoubt: readonly string[] },
): readonly Word[] {
  const { kind, purpose } = change;
  const { said } = known;
  const own = keyOf.purpose(purpose);
  const under = itemsOf(known.center, purpose).flatMap(({ key }) => (key === own ? [] : [key]));
  if (kind === 'off') {
    const choices = under.map((key): Word => ({ key, want: 'off', phase: 'over' }));
    return [{ key: own, want: 'off', phase: 'open' }, ...choices];
  }
  const on = keysOn(change);
  const off = keysOff(change);
  const withGrant =
    kind === 'on'
      ? [...off, ...under, ...keysByPurpose(known.inDoubt, purpose).filter((key) => !isPurpose(key))]
      : // An undo removes choices only together with those that it restores.
        [...(said.undoes !== undefined && on.length > 0 ? off : []), ...swappedBy(change, known)];
  // A withdrawal under way goes on even if the grant fails.
  const bound = [...new Set(withGrant)].filter(
    (key) => !isWithdrawing(known.center, itemAt(known.center, key)),
  );
  const isWhole = kind === 'on' || isAgreement(change);
  return [
    ...(isWhole ? [{ key: own, want: 'on', phase: 'open', renews: change.renews } as const] : []),
    ...on.map((key): Word => ({ key, want: 'on', phase: 'open' })),
    ...bound.filter((key) => !has(on, key)).map((key): Word => ({ key, want: 'off', phase: 'bound' })),
    ...(kind === 'on' ? [] : off)
      .filter((key) => !has(bound, key))
      .map((key): Word => ({ key, want: 'off', phase: 'open' })),
  ];
}

function isWithdrawing(center: DesiredCenter, item: DesiredItem | undefined): item is DesiredItem {
  const isUnderway = item?.want === 'off' && (item.phase === 'open' || item.phase === 'sent');
  return isUnderway && !isByObjection(center, item);
}

const keysByPurpose = byKey<string>((key) => purposeOf(key));

/** Options of single choices that the newly chosen options replace. */
function swappedBy(
  change: Exclude<PurposeChange, { kind: 'off' }>,
  { center, said }: { readonly center: DesiredCenter; readonly said: Said },
): readonly string[] {
  const { purpose } = change;
  const rendered = said.schema && purposesOf(said.schema).get(purpose);
  const chosen = new Set(choicesIn(change).options.map(({ preference }) => preference));
  const singles: ReadonlySet<string | undefined> = new Set(
    [...chosen].filter((preference) => isSingle(rendered, preference)),
  );
  return itemsOf(center, purpose).flatMap(({ key }) => {
    const [kind, , preference] = key.split(' ');
    return kind === 'option' && singles.has(preference) ? [key] : [];
  });
}

function replace(
  center: DesiredCenter,
  words: readonly Word[],
  { by, order, now, form, isObjection }: Moment & Pick<Said, 'form' | 'isObjection'>,
): { readonly items: readonly DesiredItem[]; readonly ended: readonly Line[] } {
  const items = new Map(center.items.map((item) => [item.key, item]));
  const floor = floorUnderway(center);
  const ended: Line[] = [];
  for (const { key, want, phase, renews } of words) {
    const old = items.get(key);
    const isWithdrawn = want === 'off' && phase === 'open';
    if (isWithdrawn && isCopied(center, old, { now, form, isObjection })) {
      items.set(key, { ...old, also: by, withdrawn: order });
      continue;
    }
    const history = { ...historyOf(old), ...(isWithdrawn && { withdrawn: order }) };
    // "Everything" withdraws the purpose. An objection would leave it on if the person had agreed to it.
    if (isObjection && isWithdrawn && floor !== undefined && (old?.order ?? 0) <= floor.order) {
      const { by: first, at, order: since } = floor;
      items.set(key, { key, want, by: first, also: by, at, order: since, phase, ...history });
      continue;
    }
    if (old !== undefined && isUnsettled(old)) {
      ended.push(lineOf(old, { outcome: 'replaced', row: 'said-otherwise', at: now }));
    }
    items.set(key, {
      key,
      want,
      by,
      at: now,
      order,
      phase,
      renews,
      ...history,
      ...(want === 'on' && isBeingWithdrawn(center, key) ? { replacesWithdrawal: true } : {}),
    });
  }
  return { items: [...items.values()], ended };
}

/**
 * A form posted again after this time is said again: its purposes may have been granted elsewhere since.
 * Milliseconds.
 */
const doubleClick = 1_000;

/** True for a withdrawal under way that one of the same form repeats at once, or an objection at any time. */
function isCopied(
  center: DesiredCenter,
  old: DesiredItem | undefined,
  { now, form, isObjection }: Pick<Moment, 'now'> & Pick<Said, 'form' | 'isObjection'>,
): old is DesiredItem {
  if (!isWithdrawing(center, old) || old.also !== undefined) return false;
  return isObjection || (now - old.at <= doubleClick && isSameForm(askedBy(center, old.by)?.form, form));
}

/**
 * True if both posts are of the same form. Posted twice, it may be read as a whole once, and as its
 * withdrawals alone if the center could not be read.
 */
function isSameForm(one: Said['form'], other: Said['form']): boolean {
  if (one === undefined || other === undefined) return false;
  const isAsOld = Math.abs(one.at - other.at) <= tolerance;
  return isAsOld && one.order === other.order && one.revision === other.revision;
}

function isBeingWithdrawn(center: DesiredCenter, key: string): boolean {
  const old = itemAt(center, key);
  if (old === undefined || old.order < (center.everything?.order ?? 0)) {
    return isPurpose(key) && floorUnderway(center) !== undefined;
  }
  return isUnsettled(old) && (old.want === 'off' || old.replacesWithdrawal === true);
}

/**
 * Ends the grants and typed values of `keys`, and of the choices under them (undefined: all grants). A grant
 * already sent may be on, so it becomes a withdrawal.
 */
function endGrants(
  center: DesiredCenter,
  keys: readonly string[] | undefined,
  { by, order, now }: Moment,
): { readonly center: DesiredCenter; readonly ended: readonly Line[] } {
  const reached = keys && new Set(keys);
  const isReached = (key: string, purpose: string) =>
    reached === undefined ? purpose !== '' : reached.has(key) || reached.has(keyOf.purpose(purpose));
  const ended: Line[] = [];
  const items = center.items.map((item): DesiredItem => {
    if (item.want === 'off' || !isUnsettled(item) || !isReached(item.key, purposeOf(item.key))) return item;
    if (item.want !== 'on') {
      ended.push(lineOf(item, { outcome: 'replaced', row: 'said-otherwise', at: now }));
      return { ...item, phase: 'over' };
    }
    ended.push(lineOf(item, { outcome: 'withdrawn-elsewhere', row: 'withdrawn-in-another-center', at: now }));
    const isOver = item.phase === 'open' && item.replacesWithdrawal !== true;
    const phase = isOver ? 'over' : 'open';
    return { key: item.key, want: 'off', by, at: now, order, phase, ...historyOf(item) };
  });
  return { center: { ...center, items }, ended };
}
