/**
 * A model of what each person last asked, without any knowledge of the product's code. `judge` replays the
 * events of one person, and tells where the platform's record, or a result that the person was told, is
 * wrong.
 */
import type { Center, Purpose, Words } from './material.ts';

/** The state of a purpose on the platform; `by-default`: it is on, though nothing is recorded. */
export type Standing = 'on' | 'off' | 'by-default' | 'always' | 'never' | 'pending';

export interface State {
  readonly standing: Standing;
  /** Topics or options on record. */
  readonly parts: readonly string[];
}

/** Words of a purpose that stand from a time on. */
export interface Edition {
  readonly from: number;
  readonly words: Words;
}

/** The statement of a result page about one name; `kind` is the class of its line. */
export interface Statement {
  readonly kind: string;
  readonly name: string;
  readonly text: string;
}

export interface Item {
  readonly purpose: string;
  /** `parts`: only topics or options change, and the purpose stays on. */
  readonly to: 'on' | 'off' | 'parts';
  /** The edition of the words that is granted, as the label told it. */
  readonly edition?: number;
  readonly partsOn: readonly string[];
  readonly partsOff: readonly string[];
}

export interface Ask {
  readonly kind: 'ask';
  readonly at: number;
  readonly how: 'form' | 'everything' | 'one-click' | 'undo' | 'objection' | 'staff';
  readonly shownAt: number;
  readonly items: readonly Item[];
  /** `unknown`: the connection broke, or an error came; it may be taken or not. */
  readonly taken: 'yes' | 'unknown';
  /**
   * Whether the result says that only withdrawals were taken: without a schema the product does not know the
   * topics and options of a purpose.
   */
  readonly isPartly?: boolean;
  /** The statements of its result page at rest, where it has one. */
  readonly told?: readonly Statement[];
  /**
   * Whether a call of this person could land late, or a read lag, at that time or in the 10 minutes after it.
   */
  readonly isDoubtful: boolean;
}

/** A change of the record by another system. */
export interface Elsewhere {
  readonly kind: 'elsewhere';
  readonly at: number;
  readonly purpose: string;
  readonly state: State;
  /** Whether an ask of the person was under way, so that either may have come last. */
  readonly isRacing: boolean;
}

export type Event = Ask | Elsewhere;

export interface History {
  readonly center: Center;
  readonly seed: ReadonlyMap<string, State>;
  readonly events: readonly Event[];
  readonly editions: ReadonlyMap<string, readonly Edition[]>;
  readonly final: ReadonlyMap<string, State>;
}

export type Breach =
  | 'withdrawal-lost'
  | 'grant-unasked'
  | 'grant-of-other-words'
  | 'untouched-changed'
  | 'false-result'
  | 'unsettled'
  | 'unnamed';

export interface Violation {
  readonly breach: Breach;
  readonly purpose: string;
  readonly detail: string;
}

const second = 1_000;
const minute = 60 * second;

/** The greatest age of the schema that a grant is checked against. */
const schemaAge = 10 * second;

/** The time for which the product believes what it verified over a reading, and looks for late calls. */
const doubt = 10 * minute;

export type Verdict =
  | 'done'
  | 'not-done'
  | 'doubtful'
  | 'open'
  | 'locked'
  | 'elsewhere'
  | 'replaced'
  | 'already'
  | 'not-kept';

const verdicts: readonly [RegExp, Verdict][] = [
  [/^(Turned (on|off)|Changed|Updated)\./, 'done'],
  [/^Being (turned on|changed)\.|^We’ll turn this off/, 'open'],
  [/^We don’t know yet if this was saved|^We couldn’t confirm this, but it may be saved/, 'doubtful'],
  [/^We’ve passed it on\. We’re checking/, 'doubtful'],
  [
    /^It wasn’t (turned on|changed|saved)|^The wording changed|^It’s still on|^What you added wasn’t saved/,
    'not-done',
  ],
  [/^You turned this off somewhere else/, 'elsewhere'],
  [/^You changed this again later/, 'replaced'],
  [/^This was on, and has been turned off since/, 'not-done'],
  [/^Nothing has changed\.|^This is part of the service/, 'locked'],
  [
    /^It was already (on|off)|^There was nothing to change|^It wasn’t on, because you never confirmed it/,
    'already',
  ],
  [/^You didn’t change this, but/, 'not-kept'],
  [/^Please confirm it in the message/, 'already'],
];

export function verdictOf({ kind, text }: Statement): Verdict | undefined {
  const byKind: Readonly<Record<string, Verdict>> = {
    'in-doubt': 'doubtful',
    reworded: 'not-done',
    // An undo does not bring back a purpose that is on no page, or is no longer offered.
    'stays-off': 'not-done',
  };
  return byKind[kind] ?? verdicts.find(([words]) => words.test(text))?.[1];
}

interface Allowed {
  readonly standings: Set<Standing>;
  parts: Map<string, Set<boolean>>;
  /** The time of the person's last withdrawal that was taken. */
  leftAt: number | undefined;
  /**
   * The standings before that withdrawal, if a newer grant replaced it: they stay allowed while the grant is
   * in doubt.
   */
  beforeLeft: readonly Standing[];
  /** The time of the person's last ask about it. */
  askedAt: number | undefined;
  /** Whether any event was about it. */
  isTouched: boolean;
  /** Whether its last grant was asked for while other words stood. */
  isReworded: boolean;
}

export function judge({ center, seed, events, editions, final }: History): Violation[] {
  const violations: Violation[] = [];
  const all = new Map<string, Allowed>();
  for (const purpose of center.purposes) {
    const start = seed.get(purpose.id) ?? { standing: 'off', parts: [] };
    all.set(purpose.id, {
      standings: new Set([start.standing]),
      parts: exactly(purpose, start.parts),
      leftAt: undefined,
      beforeLeft: [],
      askedAt: undefined,
      isTouched: false,
      isReworded: false,
    });
  }
  const blame = (breach: Breach, purpose: string, detail: string) =>
    void violations.push({ breach, purpose, detail });

  for (const [index, event] of events.entries()) {
    if (event.kind === 'elsewhere') {
      changeElsewhere(event);
      continue;
    }
    for (const item of event.items) ask(event, item, index);
    for (const statement of event.told ?? []) {
      const purpose = center.purposes.find(({ name }) => statement.name.startsWith(`${name} `));
      if (purpose === undefined) continue;
      const verdict = verdictOf(statement);
      if (verdict === undefined)
        blame('false-result', purpose.id, `has an unknown statement: ${statement.text}`);
      const isOfItem = event.items.some((item) => item.purpose === purpose.id);
      if (verdict === 'not-kept') permit(purpose.id, 'off');
      // The product withdraws again what a late call granted, and tells so.
      const isPutRight = event.told?.some(
        (other) => other.name === statement.name && verdictOf(other) === 'elsewhere',
      );
      if (verdict === 'done' && !isOfItem && isPutRight !== true)
        blame('false-result', purpose.id, `"${statement.text}" of what was not asked by ${event.how}`);
    }
  }

  for (const purpose of center.purposes) {
    const allowed = of(purpose.id);
    const state = final.get(purpose.id) ?? { standing: 'off', parts: [] };
    if (!allowed.standings.has(state.standing)) {
      const wasLeft = allowed.leftAt !== undefined;
      const isOn = state.standing === 'on' || state.standing === 'by-default';
      const breach: Breach = !allowed.isTouched
        ? 'untouched-changed'
        : !isOn
          ? 'untouched-changed'
          : allowed.isReworded
            ? 'grant-of-other-words'
            : wasLeft || state.standing === 'by-default'
              ? 'withdrawal-lost'
              : 'grant-unasked';
      blame(breach, purpose.id, `is ${state.standing}, may be ${[...allowed.standings].join(' or ')}`);
    } else if (state.standing === 'on') {
      for (const [part, ways] of allowed.parts) {
        const isOn = state.parts.includes(part);
        if (!ways.has(isOn))
          blame(
            isOn ? 'grant-unasked' : 'untouched-changed',
            purpose.id,
            `part ${part} is ${isOn ? 'on' : 'off'}`,
          );
      }
    }
  }
  return violations;

  function of(purpose: string): Allowed {
    const allowed = all.get(purpose);
    if (allowed === undefined) throw new Error(`the center has no ${purpose}`);
    return allowed;
  }

  function permit(purpose: string, standing: Standing): void {
    of(purpose).standings.add(standing);
  }

  function only(purpose: string, ...standings: Standing[]): void {
    const allowed = of(purpose);
    allowed.standings.clear();
    for (const standing of standings) allowed.standings.add(standing);
  }

  function purposeOf(id: string): Purpose {
    const purpose = center.purposes.find((each) => each.id === id);
    if (purpose === undefined) throw new Error(`the center has no ${id}`);
    return purpose;
  }

  function changeElsewhere({ at, purpose, state, isRacing }: Elsewhere): void {
    const allowed = of(purpose);
    allowed.isTouched = true;
    const parts = exactly(purposeOf(purpose), state.parts);
    const isSoonAfter = (time: number | undefined) => time !== undefined && at - time < doubt;
    const isDoubted = isSoonAfter(allowed.leftAt) && state.standing === 'on';
    if (isRacing) {
      permit(purpose, state.standing);
      // A PUT that was made of an earlier reading lacks this purpose, and the platform withdraws what a PUT
      // lacks.
      if (state.standing !== 'off') permit(purpose, 'off');
      join(allowed, parts);
      return;
    }
    // A grant elsewhere soon after a withdrawal here looks like a late call or a stale reading, and may be
    // withdrawn.
    only(purpose, state.standing, ...(isDoubted ? (['off'] as const) : []));
    // Soon after an ask the parts of that ask, too, may be believed over a reading.
    if (isSoonAfter(allowed.askedAt)) join(allowed, parts);
    else allowed.parts = parts;
    if (!isDoubted) allowed.leftAt = undefined;
    allowed.isReworded = false;
  }

  function ask(event: Ask, item: Item, index: number): void {
    const allowed = of(item.purpose);
    const purpose = purposeOf(item.purpose);
    const statements = event.told?.filter(({ name }) => name.startsWith(`${purpose.name} `)) ?? [];
    const verdicts = statements.map(verdictOf).filter((each) => each !== 'not-kept');
    // The result may name the purpose twice: for the ask, and for what a call in doubt may have changed.
    const verdict = verdicts.find((each) => each === 'done' || each === 'doubtful') ?? verdicts[0];
    // The undone grant was of a purpose that had been on already: the undo changes only its parts.
    const isAdjusted =
      event.how === 'undo' && statements.some(({ text }) => /^(Changed\.|We don’t know yet)/.test(text));
    const isLocked =
      allowed.standings.size === 1 && (allowed.standings.has('always') || allowed.standings.has('never'));
    if (isLocked) {
      if (verdict === 'done') blame('false-result', item.purpose, 'is locked, and told as changed');
      // A DELETE withdraws a hard opt-out, too; the purpose stays off either way.
      if (allowed.standings.has('never') && item.to === 'off') permit(item.purpose, 'off');
      return;
    }
    // An undo leaves alone a purpose that was changed later, here or elsewhere, and does not name it.
    if (event.how === 'undo' && event.told !== undefined && statements.length === 0) return;
    allowed.isTouched = true;
    allowed.askedAt = event.at;
    if (event.how === 'objection') {
      // An objection withdraws purposes that are on by default, and none that was chosen.
      if (!allowed.standings.has('by-default')) return;
      permit(item.purpose, 'off');
      if (event.taken === 'yes') {
        allowed.standings.delete('by-default');
        allowed.leftAt = event.at;
      }
      return;
    }
    if (event.taken === 'yes' && event.told !== undefined) {
      const mayBeLeftOut = event.isPartly === true && item.to === 'parts';
      const isNews = changesAnything(item, allowed) && !mayBeLeftOut;
      if (verdict === undefined && isNews && (event.how === 'form' || event.how === 'staff'))
        blame('unnamed', item.purpose, `asked to be ${item.to}, and not named by the result`);
      if (verdict === 'open')
        blame('unsettled', item.purpose, `asked to be ${item.to}, and still open at rest`);
      if (verdict === 'locked' && !allowed.standings.has('always') && !allowed.standings.has('never'))
        blame('false-result', item.purpose, 'told as locked');
      if (verdict === 'elsewhere' && !isLeftElsewhere(item.purpose, index))
        blame('false-result', item.purpose, 'told as switched off elsewhere, and no event did so');
      const isSaidOtherwise = events.some((other) => other !== event && concerns(other, item.purpose));
      if (verdict === 'replaced' && !isSaidOtherwise)
        blame('false-result', item.purpose, 'told as changed again later, and no event says so');
    }
    const isLast = !events.slice(index + 1).some((later) => concerns(later, item.purpose));
    if (item.to === 'off' && isAdjusted) choose(event, { ...item, partsOff: purpose.parts }, verdict);
    else if (item.to === 'off') leave(event, item, { verdict, isLast });
    else if (item.to === 'on') grant(event, item, { verdict, isLast });
    else choose(event, item, verdict);
  }

  function leave(
    event: Ask,
    item: Item,
    { verdict, isLast }: { verdict: Verdict | undefined; isLast: boolean },
  ): void {
    const allowed = of(item.purpose);
    if (event.taken === 'unknown') {
      permit(item.purpose, 'off');
      join(allowed, new Map(item.partsOn.map((part) => [part, new Set([false])])));
      return;
    }
    // Neither of these is on: a withdrawal may leave them as they are.
    allowed.beforeLeft = verdict === 'replaced' ? [...allowed.standings] : [];
    const otherwise = (['pending', 'never'] as const).filter((standing) => allowed.standings.has(standing));
    only(item.purpose, 'off', ...otherwise);
    allowed.leftAt = event.at;
    allowed.isReworded = false;
    if (verdict === 'not-done' && isLast && final.get(item.purpose)?.standing === 'off')
      blame('false-result', item.purpose, 'is off, and told as still on');
  }

  function grant(
    event: Ask,
    item: Item,
    { verdict, isLast }: { verdict: Verdict | undefined; isLast: boolean },
  ): void {
    const allowed = of(item.purpose);
    const wasOff = !allowed.standings.has('on');
    const purpose = purposeOf(item.purpose);
    const stood = couldStand(item, event);
    if (event.taken === 'yes' && verdict === 'done' && !stood)
      blame('grant-of-other-words', item.purpose, `edition ${item.edition}, told as switched on`);
    if (!stood) {
      allowed.isReworded = true;
      return;
    }
    const isFailure = verdict === 'not-done' || verdict === 'elsewhere' || verdict === 'locked';
    // The next PUT, which lacks a grant that landed late, may withdraw it.
    if (event.isDoubtful) permit(item.purpose, 'off');
    if (isFailure) return;
    allowed.isReworded = false;
    if (verdict === 'doubtful') for (const standing of allowed.beforeLeft) permit(item.purpose, standing);
    const isSure = event.taken === 'yes' && verdict === 'done' && !event.isDoubtful;
    if (isSure) only(item.purpose, 'on');
    else permit(item.purpose, 'on');
    if (event.isDoubtful) permit(item.purpose, 'off');
    const asked = new Map(
      [...purpose.parts, ...item.partsOn].map((part) => [
        part,
        new Set([false, ...(item.partsOn.includes(part) ? [true] : [])]),
      ]),
    );
    if (wasOff) allowed.parts = asked;
    else join(allowed, asked);
    if (verdict === 'done' && isLast && !event.isDoubtful && final.get(item.purpose)?.standing !== 'on')
      blame('false-result', item.purpose, `told as switched on, and is ${final.get(item.purpose)?.standing}`);
  }

  function choose(event: Ask, item: Item, verdict: Verdict | undefined): void {
    const allowed = of(item.purpose);
    const stood = couldStand(item, event);
    const failed = verdict === 'not-done' || verdict === 'elsewhere';
    for (const part of item.partsOn) {
      if (!stood || failed) continue;
      allowed.parts.set(part, new Set([...(allowed.parts.get(part) ?? [false]), true]));
    }
    for (const part of item.partsOff) {
      const isTaken = event.taken === 'yes' && (event.isPartly !== true || verdict === 'done');
      const isSure = isTaken && event.how !== 'undo' && !failed && stood;
      allowed.parts.set(part, new Set([false, ...(isSure ? [] : (allowed.parts.get(part) ?? []))]));
    }
  }

  /** Whether the words of the item's edition stood when the form was shown, and until just before the ask. */
  function couldStand({ purpose, edition }: Item, { at, shownAt }: Ask): boolean {
    if (edition === undefined) return true;
    const list = editions.get(purpose) ?? [];
    return list.some(({ from, words }, index) => {
      const until = list[index + 1]?.from ?? Number.POSITIVE_INFINITY;
      return words.edition === edition && from <= shownAt && until >= at - schemaAge;
    });
  }

  /** Whether the purpose was off at first, or any other event withdrew it. */
  function isLeftElsewhere(purpose: string, index: number): boolean {
    const isOffAtSeed = seed.get(purpose)?.standing === 'off';
    return (
      isOffAtSeed ||
      events.some((event, at) => {
        if (at === index) return false;
        if (event.kind === 'elsewhere') return event.purpose === purpose && event.state.standing !== 'on';
        return event.items.some((item) => item.purpose === purpose && item.to === 'off');
      })
    );
  }
}

/** Whether the item changes anything for certain; a result need not name one that changes nothing. */
function changesAnything({ to, partsOn, partsOff }: Item, { standings, parts }: Allowed): boolean {
  if (to === 'on') return !standings.has('on');
  if (standings.has('off')) return false;
  if (to === 'off') return true;
  const couldBe = (part: string, way: boolean) => parts.get(part)?.has(way) === true;
  return !partsOn.every((part) => couldBe(part, true)) || !partsOff.every((part) => couldBe(part, false));
}

function concerns(event: Event, purpose: string): boolean {
  return event.kind === 'elsewhere'
    ? event.purpose === purpose
    : event.items.some((item) => item.purpose === purpose);
}

function exactly(purpose: Purpose, on: readonly string[]): Map<string, Set<boolean>> {
  return new Map(purpose.parts.map((part) => [part, new Set([on.includes(part)])]));
}

function join(allowed: Allowed, parts: ReadonlyMap<string, Set<boolean>>): void {
  for (const [part, ways] of parts)
    allowed.parts.set(part, new Set([...(allowed.parts.get(part) ?? []), ...ways]));
}
