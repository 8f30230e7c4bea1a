import { byKey, has } from '../model/by-key.ts';
import type { Center } from '../model/center.ts';
import { choicesIn, type Intent, type PurposeChange } from '../model/intent.ts';
import {
  type Asked,
  callsInDoubt,
  carriedBy,
  centerOf,
  type DesiredCenter,
  type DesiredItem,
  type DesiredState,
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
  takenOutFor,
  usualLimits,
  type Want,
  withCenter,
} from './desired-state.ts';
import { isSingle, purposesOf } from './merge-set.ts';
import { prune } from './prune.ts';

/** A submission, as far as it is to be written down. */
export interface Said extends Asked {
  readonly center: string;
  readonly intent: Intent;
  /** Its channel only withdraws, and may say the same without end: said again, it is no submission of its own. */
  readonly isBounded: boolean;
  /** The center's schema as far as it is known: what "everything" reaches, and which choices are single. */
  readonly schema: Center | undefined;
}

export interface Spoken {
  readonly desired: DesiredState;
  readonly ended: readonly Line[];
  /** A submission that says all of it already: this one needs no row of its own. */
  readonly repeats: string | undefined;
}

interface Word {
  readonly key: string;
  readonly want: Want;
  readonly phase: 'open' | 'bound' | 'over';
  readonly renews?: true | undefined;
}

/**
 * Writes a submission down. Only here the order of submissions matters.
 * 1. A click that says what was said already counts as said now, and is no submission of its own.
 * 2. A withdrawal stands against a form that was shown before it: a grant by such a form ends at once.
 * 3. The newest word about a key wins; the word that it replaces ends in its own submission.
 * 4. "Everything" turns every word about a purpose of its center into a withdrawal.
 * 5. A withdrawal ends the grants of its purposes that are on their way in another center.
 */
export function say(before: DesiredState, said: Said, now: number, limits: Limits = usualLimits): Spoken {
  const order = before.order + 1;
  const desired = prune({ ...before, order }, now, limits);
  const here = centerOf(desired, said.center);
  const isAgain = said.isBounded && !isGrantedElsewhere(desired, here, said);
  const repeated = isAgain ? sayAgain(here, said, { order, now, limits }) : undefined;
  if (repeated !== undefined) {
    return { desired: withCenter(desired, repeated.center), ended: [], repeats: repeated.by };
  }

  const isEverything = said.intent.everything === 'withdraw';
  const words = isEverything ? wordsOfEverything(here) : wordsOf(desired, here, said);
  const isWithdrawnSince = withdrawnSince(desired, said);
  const refused = words.filter(({ key, want }) => want !== 'off' && isWithdrawnSince(key));
  const lost = new Set(refused.map(({ key }) => key));
  // What goes with a refused grant is not said either.
  const spoken = words.filter(
    ({ key, phase }) =>
      !lost.has(key) && !(phase === 'bound' && lost.has(keyOf.purpose(purposeOf(key) ?? ''))),
  );
  const ended: Line[] = refused.map(({ key }) => ({
    by: said.reference,
    key,
    outcome: isWithdrawnSince(keyOf.purpose(purposeOf(key) ?? '')) ? 'withdrawn-elsewhere' : 'not-saved',
    row: 'withdrawn-after-the-form',
    isOff: false,
    at: now,
  }));
  const reach = said.schema && [...purposesOf(said.schema).keys()];
  const replaced = replace(here, spoken, { by: said.reference, order, now });
  const floor = { by: said.reference, at: now, order, phase: 'open', reach } as const;
  const center: DesiredCenter = {
    ...here,
    items: replaced.items,
    everything: isEverything ? floor : here.everything,
    asked: [...here.asked, askedIn(said)],
    known: [...new Set([...here.known, ...(said.form?.drawn ?? []).map(({ purpose }) => purpose)])],
  };
  const off = said.intent.purposes.flatMap(({ kind, purpose }) => (kind === 'off' ? [purpose] : []));
  const others = desired.centers.filter((each) => each.center !== said.center);
  const elsewhere = others.map((each) =>
    endGrants(each, isEverything ? reach : off, { by: said.reference, order, now }),
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

/** It ends a later grant in another center, too: that is no repetition. */
function isGrantedElsewhere(
  { centers }: DesiredState,
  { center: own, everything, items }: DesiredCenter,
  { intent }: Said,
): boolean {
  const isAll = intent.everything === 'withdraw';
  const keys = new Set(intent.purposes.map(({ purpose }) => keyOf.purpose(purpose)));
  const words = items.filter(({ key, want }) => keys.has(key) && want === 'off');
  const since = isAll ? (everything?.order ?? 0) : Math.min(...words.map(({ order }) => order));
  return centers.some(
    ({ center, items: others }) =>
      center !== own &&
      others.some(({ key, want, phase, order }) => {
        const isAsked = isAll ? purposeOf(key) !== undefined : keys.has(key);
        return isAsked && want === 'on' && phase !== 'over' && order > since;
      }),
  );
}

/** What was sent or seen before the click does not count for it: it may have been granted elsewhere since. */
function sayAgain(
  center: DesiredCenter,
  { intent, isOneClick }: Said,
  { order, now, limits }: { readonly order: number; readonly now: number; readonly limits: Limits },
): { readonly center: DesiredCenter; readonly by: string } | undefined {
  const { everything, items } = center;
  if (intent.everything === 'withdraw') {
    const isGrantedSince = items.some(({ want, phase }) => want === 'on' && phase !== 'over');
    if (everything === undefined || isGrantedSince) return undefined;
    // Mailbox providers send twice: a look is enough.
    const isSame = isOneClick && everything.phase !== 'open' && now - everything.at < limits.lag;
    const phase = isSame ? 'sent' : 'open';
    const { by, reach } = everything;
    const again = { by, reach, phase, order, at: now } as const;
    const kept = items.map((item): DesiredItem => {
      return item.by === by && item.want === 'off' ? { ...item, isSaidAgain: true } : item;
    });
    return { by, center: { ...center, items: kept, everything: again } };
  }
  const keys = new Set(intent.purposes.map(({ purpose }) => keyOf.purpose(purpose)));
  // A word that is off without having been withdrawn, such as a grant that was not saved, is no withdrawal to repeat.
  const said = new Set(
    items.filter(
      ({ key, want, phase, withdrawn, order: saidIn }) =>
        keys.has(key) && want === 'off' && phase !== 'over' && withdrawn === saidIn,
    ),
  );
  const by = [...said][0]?.by;
  if (by === undefined || said.size < keys.size) return undefined;
  const again = items.map((item): DesiredItem => {
    if (!said.has(item)) return item;
    const { call: _, seen: __, seenAs: ___, ...word } = item;
    // What its call took out is off by it; what is on is sent again.
    const phase = item.phase === 'sent' ? 'sent' : 'open';
    return { ...word, at: now, order, phase, withdrawn: order, isSaidAgain: true };
  });
  return { by, center: { ...center, items: again } };
}

function wordsOfEverything({ items }: DesiredCenter): readonly Word[] {
  const words = items.filter((item) => !isNoWord(item));
  return words.flatMap(({ key, want, phase }): Word[] => {
    const isWithdrawn = want === 'off' && (phase === 'open' || phase === 'sent');
    if (purposeOf(key) === undefined || isWithdrawn) return [];
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
  const { topics, options } = choicesIn(change);
  const on = [
    ...topics.map((topic) => keyOf.topic(purpose, topic)),
    ...options.map(({ preference, option }) => keyOf.option(purpose, preference, option)),
  ];
  const off = [
    ...change.topicsOff.map((topic) => keyOf.topic(purpose, topic)),
    ...change.optionsOff.map(({ preference, option }) => keyOf.option(purpose, preference, option)),
  ];
  // What is being withdrawn goes on, whatever becomes of the grant.
  const replaced = under.filter((key) => !isWithdrawing(itemAt(known.center, key)));
  const bound = [
    ...new Set(
      kind === 'on'
        ? [...off, ...replaced, ...carriedUnder(purpose, known.inDoubt)]
        : // An undo takes out with what it brings back, or not at all.
          [...(said.undoes !== undefined && on.length > 0 ? off : []), ...swappedBy(change, known)],
    ),
  ];
  const isWhole = kind === 'on' || isAgreement(change);
  const renewal = kind === 'adjust' && change.renews === true ? ({ renews: true } as const) : undefined;
  return [
    ...(isWhole ? [{ key: own, want: 'on', phase: 'open', ...renewal } as const] : []),
    ...on.map((key): Word => ({ key, want: 'on', phase: 'open' })),
    ...bound.filter((key) => !has(on, key)).map((key): Word => ({ key, want: 'off', phase: 'bound' })),
    ...(kind === 'on' ? [] : off)
      .filter((key) => !has(bound, key))
      .map((key): Word => ({ key, want: 'off', phase: 'open' })),
  ];
}

/** An adjustment that adds nothing is of what is only assumed, or renews: it agrees to the rest. */
export function isAgreement(change: PurposeChange): boolean {
  if (change.kind !== 'adjust') return false;
  return change.renews === true || change.topicsOn.length + change.optionsOn.length === 0;
}

function isWithdrawing(item: DesiredItem | undefined): boolean {
  return item?.want === 'off' && (item.phase === 'open' || item.phase === 'sent');
}

const keysByPurpose = byKey<string>((key) => purposeOf(key) ?? '');

function carriedUnder(purpose: string, inDoubt: readonly string[]): readonly string[] {
  return keysByPurpose(inDoubt, purpose).filter((key) => !isPurpose(key));
}

/** Goes with what is chosen: another option of a single choice. */
function swappedBy(
  change: Exclude<PurposeChange, { kind: 'off' }>,
  { center, said }: { readonly center: DesiredCenter; readonly said: Said },
): readonly string[] {
  const { purpose } = change;
  const rendered = said.schema && purposesOf(said.schema).get(purpose);
  const chosen = new Set(choicesIn(change).options.map(({ preference }) => preference));
  const singles = new Set([...chosen].filter((preference) => isSingle(rendered, preference)));
  return itemsOf(center, purpose).flatMap(({ key }) => {
    const [kind, , preference = ''] = key.split(' ');
    return kind === 'option' && singles.has(preference) ? [key] : [];
  });
}

/**
 * Whether it was withdrawn here after the form was shown, be it in another center, and not asked for again since.
 * Who leaves everything elsewhere leaves what is offered there.
 */
function withdrawnSince(desired: DesiredState, { form, center: own }: Said): (key: string) => boolean {
  const isLater = (order: number | undefined) => form !== undefined && (order ?? 0) > form.order;
  const isAny = desired.centers.some(
    ({ everything, items }) =>
      isLater(everything?.order) || items.some(({ withdrawn }) => isLater(withdrawn)),
  );
  const isSince = (about: string, purpose: string) => {
    const words = desired.centers.flatMap((center) => itemAt(center, about) ?? []);
    const floors = desired.centers.flatMap(({ center, everything }) => {
      const { reach } = everything ?? {};
      const isReached = center === own || reach === undefined || has(reach, purpose);
      return isPurpose(about) && everything !== undefined && isReached ? everything.order : [];
    });
    const withdrawn = Math.max(0, ...words.map((word) => word.withdrawn ?? 0), ...floors);
    const asked = words.filter(({ want, phase }) => want === 'on' && phase !== 'over');
    return isLater(withdrawn) && asked.every((word) => word.order < withdrawn);
  };
  return (key) => {
    const purpose = purposeOf(key);
    if (!isAny || purpose === undefined) return false;
    return isSince(keyOf.purpose(purpose), purpose) || (!isPurpose(key) && isSince(key, purpose));
  };
}

/** What is known of a key outlives the word about it. */
function replace(
  center: DesiredCenter,
  words: readonly Word[],
  { by, order, now }: Moment,
): { readonly items: readonly DesiredItem[]; readonly ended: readonly Line[] } {
  const items = new Map(center.items.map((item) => [item.key, item]));
  const ended: Line[] = [];
  for (const { key, want, phase, renews } of words) {
    const renewal = renews === undefined ? undefined : { renews };
    const old = items.get(key);
    if (old !== undefined && isUnsettled(old)) {
      ended.push(lineOf(old, { outcome: 'replaced', row: 'said-otherwise', at: now }));
    }
    const isWithdrawn = want === 'off' && phase === 'open';
    items.set(key, {
      key,
      want,
      by,
      at: now,
      order,
      phase,
      ...renewal,
      granted: old?.granted,
      takenOut: old && takenOutFor(old),
      withdrawn: isWithdrawn ? order : old?.withdrawn,
      ...(want === 'on' && isBeingWithdrawn(center, key) ? { replacesWithdrawal: true } : {}),
    });
  }
  return { items: [...items.values()], ended };
}

/** A refusal that is kept here is never carried out: a grant that fails leaves it. */
function isBeingWithdrawn(center: DesiredCenter, key: string): boolean {
  const old = itemAt(center, key);
  if (old === undefined || old.order < (center.everything?.order ?? 0)) {
    const { everything } = center;
    return isPurpose(key) && everything !== undefined && everything.phase !== 'verified';
  }
  const isUnderway = old.phase === 'kept' || isUnsettled(old);
  return isUnderway && (old.want === 'off' || old.replacesWithdrawal === true);
}

/** `reach` undefined: of whatever purpose. What was sent may be on already, and is then withdrawn there, too. */
function endGrants(
  center: DesiredCenter,
  reach: readonly string[] | undefined,
  { by, order, now }: Moment,
): { readonly center: DesiredCenter; readonly ended: readonly Line[] } {
  const reached = reach && new Set(reach);
  const ended: Line[] = [];
  const items = center.items.map((item): DesiredItem => {
    const purpose = purposeOf(item.key);
    const isReached = purpose !== undefined && (reached === undefined || reached.has(purpose));
    if (!isReached || item.want !== 'on' || !isUnsettled(item)) return item;
    ended.push(lineOf(item, { outcome: 'withdrawn-elsewhere', row: 'withdrawn-in-another-center', at: now }));
    const { key, granted, withdrawn } = item;
    const isOver = item.phase === 'open' && item.replacesWithdrawal !== true;
    return {
      key,
      want: 'off',
      by,
      at: now,
      order,
      phase: isOver ? 'over' : 'open',
      granted,
      withdrawn,
    };
  });
  return { center: { ...center, items }, ended };
}
