/**
 * A small world for a full walk through the rules of consent: one person, a model of the platform and a
 * judge, who knows the words of the person and the acts of the platform, but not the rules. Times are ticks.
 */

import type * as State from '../../src/core/consent/desired-state.ts';
import type { DesiredState, Limits, Line } from '../../src/core/consent/desired-state.ts';
import type * as Observes from '../../src/core/consent/observe.ts';
import { comparedWith } from '../../src/core/consent/observe.ts';
import type * as Says from '../../src/core/consent/say.ts';
import type { Said } from '../../src/core/consent/say.ts';
import type * as Steps from '../../src/core/consent/step.ts';
import type { Stepped } from '../../src/core/consent/step.ts';
import type * as Calls from '../../src/core/consent/step-call.ts';
import type { CallEnd, Plan } from '../../src/core/consent/step-call.ts';
import type { Center } from '../../src/core/model/center/center.ts';
import type {
  ConsentRecord,
  ReadRecord,
  RecordedStatus,
  Subject,
} from '../../src/core/model/person/subject.ts';
import { type Intent, noIntent } from '../../src/core/model/submission/intent.ts';
import type { FormFacts } from '../../src/core/model/submission/submission-request.ts';
import { aCenter, aPurpose } from '../core/center-builder.ts';
import { off as switchedOff, on as switchedOn } from '../core/changes.ts';
import { anna } from './fixture.ts';

/** The functions under test; a planted fault replaces some of them. */
export type Rules = Pick<typeof State, 'emptyState' | 'beingWithdrawn'> &
  Pick<typeof Says, 'say'> &
  Pick<typeof Observes, 'observe'> &
  Pick<typeof Steps, 'step'> &
  Pick<typeof Calls, 'heard'>;

export const limits: Limits = {
  lag: 1,
  grantLife: 2,
  doubt: 3,
  formLife: 1_000,
  looks: [2],
  confirmAfter: 0,
  schemaAwaited: 50,
  schemaFresh: 1,
};

/**
 * An act of the person. `old`: by a form that was shown at the beginning. `new`: by a form that is shown now.
 * `objection`: against the purposes that are on by default now.
 */
export interface Act {
  readonly center: string;
  readonly on?: readonly string[];
  readonly off?: readonly string[];
  readonly everything?: boolean;
  readonly form: 'old' | 'new' | 'one-click' | 'objection';
}

export interface Setting {
  readonly name: string;
  readonly acts: readonly Act[];
  /** The status of each purpose on record. */
  readonly start: Readonly<Record<string, RecordedStatus>>;
  /** Whether all centers share one record. */
  readonly isShared: boolean;
  readonly purposes: Readonly<Record<string, readonly string[]>>;
  /** The limits of adverse events and of changes elsewhere. */
  readonly adverse: number;
  readonly elsewhere: number;
  readonly onByDefault?: readonly string[];
}

/** The status of each purpose on record. */
type Records = Readonly<Record<string, RecordedStatus>>;

interface Flying {
  readonly record: string;
  readonly center: string;
  readonly order: number;
  readonly sets: readonly (readonly string[] | undefined)[];
  /** The changes elsewhere that the reading before the call showed. */
  readonly knew: readonly string[];
  readonly until: number;
}

interface Elsewhere {
  readonly at: number;
  readonly to: 'on' | 'off';
  /** The number of acts before the change. */
  readonly said: number;
  /** The centers with a reading that must have shown the change. */
  readonly seenBy: readonly string[];
}

interface SaidAct {
  readonly act: number;
  readonly at: number;
}

export interface World {
  readonly now: number;
  readonly doc: DesiredState;
  /** The acts that are still to come. */
  readonly todo: readonly number[];
  readonly said: readonly SaidAct[];
  readonly truth: Readonly<Record<string, Records>>;
  /** The past states that a reading may still show, each with the time at which it ended. */
  readonly past: readonly { readonly record: string; readonly until: number; readonly state: Records }[];
  readonly flying: readonly Flying[];
  /** The time of the next turn of each center; Infinity if it has no work. */
  readonly due: Readonly<Record<string, number>>;
  /** The previous reading of each center while a surprise is confirmed. */
  readonly previous: Readonly<Record<string, Records>>;
  /** The call whose answer is still to come. */
  readonly calling:
    | { readonly center: string; readonly order: number; readonly answer: ConsentAnswerOf }
    | undefined;
  /** Whether a reading lacked one purpose of several; only one does, as two that agree would be believed. */
  readonly isPartly: boolean;
  readonly adverse: number;
  readonly elsewhereLeft: number;
  readonly elsewhere: Readonly<Record<string, Elsewhere>>;
  /** The purposes with a change elsewhere that no reading had to show before a call reversed it. */
  readonly excused: readonly string[];
  /** The purposes that were turned off elsewhere at any time. */
  readonly everOff: readonly string[];
  /** The purposes of which a believed reading showed the state before a change elsewhere. */
  readonly misled: readonly string[];
  /** The grants that were sent, by act and purpose, without refused and unsent ones. */
  readonly sent: readonly string[];
  /** The purposes that a call of the product took out though the person never asked for it. */
  readonly unnamed: readonly string[];
  /** The last outcome by submission and key. */
  readonly lines: Readonly<Record<string, Line['outcome']>>;
  readonly named: readonly string[];
}

type ConsentAnswerOf = Extract<CallEnd, { kind: 'answered' }>['answer'];

export interface Move {
  readonly name: string;
  readonly isCalm: boolean;
  readonly to: World;
}

/** A move without a failure, or one that comes at some time in any case. */
const calm = (name: string, to: World): Move => ({ name, isCalm: true, to });
const adverse = (name: string, to: World): Move => ({ name, isCalm: false, to });

export class Violation extends Error {}

export class Walked {
  readonly setting: Setting;
  readonly #rules: Rules;
  readonly #centers: Readonly<Record<string, Center>>;

  constructor(setting: Setting, rules: Rules) {
    this.setting = setting;
    this.#rules = rules;
    const { purposes, onByDefault = [] } = setting;
    this.#centers = Object.fromEntries(
      Object.entries(purposes).map(([id, offered]) => {
        const items = offered.map((each) => aPurpose(each, { onByDefault: onByDefault.includes(each) }));
        return [id, aCenter(items, { id, revision: '0' })];
      }),
    );
  }

  start(): World {
    const { acts, start, adverse, elsewhere, purposes } = this.setting;
    const centers = Object.keys(purposes);
    const truth = Object.fromEntries(
      (this.setting.isShared ? ['all'] : centers).map((record) => [record, this.#offered(record, start)]),
    );
    return {
      now: 0,
      doc: this.#rules.emptyState,
      todo: acts.map((_, index) => index),
      said: [],
      truth,
      past: [],
      flying: [],
      due: Object.fromEntries(centers.map((id) => [id, Number.POSITIVE_INFINITY])),
      previous: {},
      calling: undefined,
      adverse,
      elsewhereLeft: elsewhere,
      elsewhere: {},
      excused: [],
      sent: [],
      misled: [],
      everOff: [],
      unnamed: [],
      isPartly: false,
      lines: {},
      named: [],
    };
  }

  isAtRest(world: World): boolean {
    const isIdle = Object.values(world.due).every((due) => due === Number.POSITIVE_INFINITY);
    return isIdle && world.calling === undefined && world.flying.length === 0 && world.todo.length === 0;
  }

  moves(world: World): readonly Move[] {
    return [
      ...this.#says(world),
      ...this.#changes(world),
      ...this.#works(world),
      ...this.#lands(world),
      ...this.#ticks(world),
    ];
  }

  // Moves

  *#says(world: World): Generator<Move> {
    const [index, ...todo] = world.todo;
    if (index === undefined) return;
    const act = this.setting.acts[index] as Act;
    const words = this.#said(world, act, index);
    if (words === undefined) {
      yield calm(`act ${index} asks for nothing`, { ...world, todo });
      return;
    }
    const spoken = this.#rules.say(world.doc, words, world.now, limits);
    const said = [...world.said, { act: index, at: world.now }];
    const to = this.#again({ ...world, doc: spoken.desired, todo, said });
    yield calm(`say ${index}`, this.#told(to, spoken.ended));
  }

  *#changes(world: World): Generator<Move> {
    if (world.elsewhereLeft === 0) return;
    for (const [record, state] of Object.entries(world.truth)) {
      for (const purpose of Object.values(this.setting.purposes).flat()) {
        if (!this.#isOf(record, purpose)) continue;
        const to = state[purpose] === 'active' ? 'off' : 'on';
        const key = `${record} ${purpose}`;
        const changed = this.#set(world, record, { ...state, [purpose]: to === 'on' ? 'active' : 'off' });
        const change: Elsewhere = { at: world.now, to, said: world.said.length, seenBy: [] };
        yield adverse(`${purpose} ${to} elsewhere in ${record}`, {
          ...changed,
          elsewhereLeft: world.elsewhereLeft - 1,
          everOff: to === 'off' ? [...new Set([...world.everOff, key])] : world.everOff,
          elsewhere: { ...world.elsewhere, [key]: change },
        });
      }
    }
  }

  /** The turn of one center: read, observe, step, keep, call. A crash is a turn that is lost. */
  *#works(world: World): Generator<Move> {
    const { calling } = world;
    if (calling !== undefined) {
      const { center, order, answer } = calling;
      const over = { ...world, calling: undefined };
      yield calm('the answer comes', this.#heard(over, { center, order, end: { kind: 'answered', answer } }));
      if (world.adverse > 0)
        yield adverse(
          'crash before the answer is kept',
          this.#again({ ...over, adverse: world.adverse - 1 }),
        );
      return;
    }
    for (const [center, due] of Object.entries(world.due)) {
      if (due > world.now) continue;
      const stepped = this.#step(world, center, undefined);
      if (stepped.next.kind !== 'read') {
        yield* this.#follow(world, { center, stepped, shown: undefined });
        continue;
      }
      const kept = this.#told({ ...world, doc: stepped.desired }, stepped.ended);
      yield* this.#reads(kept, center);
      yield* this.#isAway(kept, center);
    }
  }

  /** No reading succeeds while a grant lasts. A late call lands before or after that time. */
  *#isAway(before: World, center: string): Generator<Move> {
    if (before.adverse === 0 || before.flying.length > 0) return;
    const world = { ...before, adverse: before.adverse - 1, now: before.now + limits.grantLife };
    const stepped = this.#step(world, center, undefined, true);
    const name = `${center} cannot be read for a minute`;
    if (stepped.next.kind !== 'read') {
      for (const move of this.#follow(world, { center, stepped, shown: undefined }))
        yield { ...move, name: `${name}, ${move.name}`, isCalm: false };
      return;
    }
    const kept = this.#told({ ...world, doc: stepped.desired }, stepped.ended);
    yield adverse(name, this.#wait(kept, center, world.now + 1));
  }

  *#reads(world: World, center: string): Generator<Move> {
    const record = this.#recordOf(center);
    const fresh = world.truth[record] as Records;
    yield* this.#read(world, { center, state: fresh, name: 'reads', cost: 0 });
    if (world.adverse === 0) return;
    const shown = new Set([JSON.stringify(fresh)]);
    for (const { record: of, until, state } of world.past) {
      if (of !== record || until <= world.now - limits.lag || shown.has(JSON.stringify(state))) continue;
      shown.add(JSON.stringify(state));
      yield* this.#read(world, { center, state, name: 'reads what was before', cost: 1 });
    }
    const was = world.previous[center];
    const wasEmpty = was !== undefined && Object.keys(was).length === 0;
    const mayMiss = Object.keys(fresh).length > 1 && !world.isPartly && !wasEmpty;
    for (const missing of mayMiss ? Object.keys(fresh) : []) {
      const { [missing]: _, ...state } = fresh;
      const partly = { ...world, isPartly: true };
      yield* this.#read(partly, { center, state, name: `reads nothing of ${missing}`, cost: 1 });
    }
    if (Object.keys(fresh).length > 0)
      yield* this.#read(world, { center, state: {}, name: 'reads nothing', cost: 1 });
    if (world.flying.every(({ until }) => until > world.now))
      yield* this.#read(world, { center, state: fresh, name: 'reads slowly', cost: 1, took: 1 });
  }

  *#read(
    before: World,
    {
      center,
      state,
      name,
      cost,
      took = 0,
    }: { center: string; state: Records; name: string; cost: number; took?: number },
  ): Generator<Move> {
    const now = before.now + took;
    const past = before.past.filter(({ until }) => took === 0 || until > now - limits.lag);
    const world = { ...before, now, past, adverse: before.adverse - cost };
    const reading = { subject: this.#subject(center, state), at: before.now };
    const was = world.previous[center];
    const previous = was === undefined ? undefined : this.#subject(center, was);
    const schema = this.#centers[center];
    const observed = this.#rules.observe(world.doc, { center, schema, reading, previous }, limits);
    const label = `${center} ${name}`;
    const isCalm = cost === 0;
    if (observed.kind !== 'believed') {
      const afterMs = observed.kind === 'again' ? observed.afterMs : 1;
      const { [center]: _, ...others } = world.previous;
      const isCompared = comparedWith(observed, reading.subject) !== undefined;
      const seen = { ...world, previous: isCompared ? { ...others, [center]: state } : others };
      const to = this.#wait(seen, center, now + afterMs);
      yield { name: `${label}: ${observed.row}`, isCalm, to };
      return;
    }
    const misled = this.#misledBy(world, center, state);
    const { [center]: _, ...previously } = world.previous;
    const looked = { ...world, previous: previously, misled };
    const believed = cost === 0 ? this.#seen(looked, center) : looked;
    const stepped = this.#step(believed, center, reading);
    for (const move of this.#follow(believed, { center, stepped, shown: state })) {
      yield { ...move, name: `${label}, ${move.name}`, isCalm: isCalm && move.isCalm };
    }
  }

  *#follow(
    before: World,
    turn: { center: string; stepped: Stepped; shown: Records | undefined },
  ): Generator<Move> {
    const { center, stepped } = turn;
    const { next } = stepped;
    const world = this.#told({ ...before, doc: stepped.desired }, stepped.ended);
    switch (next.kind) {
      case 'call':
        yield* this.#calls(world, { ...turn, plan: next });
        return;
      case 'read':
        yield calm('read again', this.#wait(world, center, world.now + next.afterMs));
        return;
      case 'wait':
        yield calm(`wait for ${next.until - world.now}`, this.#wait(world, center, next.until));
        return;
      case 'later':
        yield calm('later', this.#wait(world, center, world.now + 1));
        return;
      case 'done':
        yield calm('done', this.#wait(world, center, Number.POSITIVE_INFINITY));
        return;
      case 'read-schema':
        throw new Violation('asks for a schema that it has');
    }
  }

  *#calls(
    world: World,
    { center, plan, shown }: { center: string; plan: Plan; shown: Records | undefined },
  ): Generator<Move> {
    const record = this.#recordOf(center);
    const set = plan.update?.purposes.map(({ id }) => id);
    const first = plan.refusals.length > 0 ? [[...(set ?? []), ...plan.refusals]] : [];
    const sets = [...first, set];
    const knew = this.#shownBy(world, record, shown);
    const call: Flying = { record, center, order: plan.order, sets, knew, until: world.now + limits.doubt };
    const made = { ...world, sent: this.#sentBy(world, { center, set: set ?? [], shown }) };
    const landed = this.#land(made, call);
    const name =
      plan.update === undefined ? 'DELETE' : `PUT ${sets.map((each) => each?.join('+')).join(' then ')}`;
    const answer = this.#answer(world, center, plan);
    const end = { center, order: plan.order, end: { kind: 'answered', answer } } as const;
    yield calm(`${name} answered`, this.#heard(landed, end));
    if (world.adverse === 0) return;
    const left = { adverse: world.adverse - 1 };
    const fails = (kind: 'refused' | 'nothing-done') =>
      this.#heard({ ...world, ...left }, { center, order: plan.order, end: { kind } });
    const lost = { ...made, ...left };
    yield adverse(`${name} refused`, fails('refused'));
    yield adverse(`${name} unsent`, fails('nothing-done'));
    yield adverse(`${name} lost`, this.#again(lost));
    yield adverse(`${name} landed, answer lost`, this.#again({ ...landed, ...left }));
    yield adverse(`${name} is late`, this.#again({ ...lost, flying: [...world.flying, call] }));
    if (first.length > 0) {
      const early = this.#land(lost, { ...call, sets: [set] });
      const flying = [...world.flying, { ...call, sets: first }];
      yield adverse(`${name}, the first is late`, this.#again({ ...early, flying }));
    }
    const calling = { center, order: plan.order, answer };
    yield adverse(`${name} landed, answer slow`, { ...landed, ...left, calling });
  }

  *#lands(world: World): Generator<Move> {
    for (const call of world.flying) {
      const flying = world.flying.filter((each) => each !== call);
      yield calm(`call ${call.order} lands late`, this.#land({ ...world, flying }, call));
    }
  }

  /** Time passes when no work is due. If work is due, that is an adverse event. */
  *#ticks(world: World): Generator<Move> {
    if (this.isAtRest(world)) return;
    if (world.flying.some(({ until }) => until <= world.now)) return;
    const isDue = world.calling !== undefined || Object.values(world.due).some((due) => due <= world.now);
    if (isDue && world.adverse === 0) return;
    const now = world.now + 1;
    const past = world.past.filter(({ until }) => until > now - limits.lag);
    const to = { ...world, now, past, adverse: isDue ? world.adverse - 1 : world.adverse };
    yield { name: 'time passes', isCalm: !isDue, to };
  }

  // Effects

  #step(world: World, center: string, observed: ReadRecord | undefined, isAway = false): Stepped {
    const schema = { center: this.#centers[center] as Center, readAt: world.now };
    return this.#rules.step(world.doc, { center, observed, schema, isAway }, world.now, limits);
  }

  #heard(world: World, call: { center: string; order: number; end: CallEnd }): World {
    const { desired, ended } = this.#rules.heard(world.doc, call, world.now);
    return this.#again(this.#told({ ...world, doc: desired }, ended));
  }

  /** Makes every center due, for the work of one center may let another one go on. */
  #again(world: World): World {
    const due = Object.fromEntries(Object.keys(world.due).map((id) => [id, world.now]));
    return { ...world, due, previous: {} };
  }

  #wait(world: World, center: string, until: number): World {
    return { ...world, due: { ...world.due, [center]: until } };
  }

  #told(world: World, ended: readonly Line[]): World {
    if (ended.length === 0) return world;
    const lines = { ...world.lines };
    const named = new Set(world.named);
    for (const { by, key, outcome, isKept, isOff } of ended) {
      const isGood = ['saved', 'unchanged', 'unconfirmed', 'in-doubt', 'replaced'].includes(outcome);
      if (isKept === true || isOff || !isGood) named.add(key);
      const said = world.doc.centers.flatMap(({ items }) => items.filter((item) => item.key === key));
      const also = said.flatMap((item) => (item.by === by ? (item.also ?? []) : []));
      for (const each of isKept === true ? [] : [by, ...also])
        lines[`${each} ${key} ${isOff ? 'off' : 'on'}`] = outcome;
    }
    const due = Object.fromEntries(
      Object.entries(world.due).map(([id, at]) => [id, Math.min(at, world.now)]),
    );
    return { ...world, lines, named: [...named], due };
  }

  #set(world: World, record: string, state: Records): World {
    const past = [...world.past, { record, until: world.now, state: world.truth[record] as Records }];
    return { ...world, past, truth: { ...world.truth, [record]: state } };
  }

  #land(before: World, { record, center, sets, knew }: Flying): World {
    let world = before;
    for (const set of sets) {
      const state = world.truth[record] as Records;
      const next: Record<string, RecordedStatus> = { ...state };
      const excused = new Set(world.excused);
      const unnamed = new Set(world.unnamed);
      for (const purpose of this.setting.purposes[center] ?? []) {
        const was = state[purpose];
        const isNamed = set?.includes(purpose) === true;
        if (isNamed) next[purpose] = 'active';
        else if (was === 'active' || (set === undefined && was === 'implicit')) next[purpose] = 'off';
        const key = `${record} ${purpose}`;
        const elsewhere = world.elsewhere[key];
        const isAgainst =
          elsewhere !== undefined && isNamed !== (elsewhere.to === 'on') && next[purpose] !== was;
        const isBlind =
          isAgainst && !knew.includes(`${key} ${elsewhere.at}`) && !elsewhere.seenBy.includes(center);
        if (isBlind) excused.add(key);
        const isAsked = this.#asksAbout(world, record, purpose).some(({ want }) => want === 'off');
        // The person asked for the same here, so that word replaces the change elsewhere.
        if (isAsked && !isNamed && elsewhere?.to === 'off') {
          const { [key]: _, ...others } = world.elsewhere;
          world = { ...world, elsewhere: others };
        }
        if (was === 'active' && next[purpose] === 'off' && !isAsked && !excused.has(key))
          unnamed.add(purpose);
      }
      world = { ...this.#set(world, record, next), excused: [...excused], unnamed: [...unnamed] };
    }
    return world;
  }

  #elsewhereIn(world: World, record: string) {
    return Object.entries(world.elsewhere).flatMap(([key, change]) => {
      const [of, purpose = ''] = key.split(' ');
      return of === record ? [{ ...change, key, purpose }] : [];
    });
  }

  /** The changes elsewhere that a reading shows. */
  #shownBy(world: World, record: string, shown: Records = {}): readonly string[] {
    return this.#elsewhereIn(world, record).flatMap(({ key, at, to, purpose }) =>
      shown[purpose] === (to === 'on' ? 'active' : 'off') ? [`${key} ${at}`] : [],
    );
  }

  #misledBy(world: World, center: string, shown: Records): readonly string[] {
    const record = this.#recordOf(center);
    const isOff = (purpose: string) => world.truth[record]?.[purpose] === 'off';
    const misled = this.#elsewhereIn(world, record).flatMap(({ key, to, purpose }) =>
      to === 'off' && shown[purpose] === 'active' && isOff(purpose) ? [key] : [],
    );
    return [...new Set([...world.misled, ...misled])];
  }

  /** Marks the changes elsewhere that a reading must show because it was asked for after the lag. */
  #seen(world: World, center: string): World {
    const record = this.#recordOf(center);
    const elsewhere = Object.entries(world.elsewhere).map(([key, change]): [string, Elsewhere] => {
      const isSeen =
        key.startsWith(`${record} `) &&
        world.now >= change.at + limits.lag &&
        !change.seenBy.includes(center);
      return [key, isSeen ? { ...change, seenBy: [...change.seenBy, center] } : change];
    });
    return { ...world, elsewhere: Object.fromEntries(elsewhere) };
  }

  /** Checks that each purpose that a call turns on was asked for, is not late, and is sent only once. */
  #sentBy(
    world: World,
    { center, set, shown }: { center: string; set: readonly string[]; shown: Records | undefined },
  ): readonly string[] {
    const sent = [...world.sent];
    for (const purpose of set) {
      if (shown?.[purpose] === 'active' || shown?.[purpose] === 'always-active') continue;
      const record = this.#recordOf(center);
      const asks = this.#asksAbout(world, record, purpose);
      const last = asks.at(-1);
      if (last?.want !== 'on') throw new Violation(`${purpose} is sent as on, and was not asked for last`);
      if (world.now >= last.at + limits.grantLife) throw new Violation(`${purpose} is sent after its minute`);
      if (!this.#isGood(asks))
        throw new Violation(`${purpose} is sent for a form that was shown before a withdrawal`);
      const key = `${last.index} ${purpose}`;
      if (sent.includes(key)) throw new Violation(`${purpose} is sent twice`);
      sent.push(key);
    }
    return sent;
  }

  /** The words of the person about a purpose, in the order in which they were recorded. */
  #asksAbout(world: World, record: string, purpose: string) {
    return world.said.flatMap(({ act, at }, position) => {
      const { on = [], off = [], everything, form, center } = this.setting.acts[act] as Act;
      if (this.#recordOf(center) !== record) return [];
      const isOffered = this.setting.purposes[center]?.includes(purpose) === true;
      const want = on.includes(purpose)
        ? 'on'
        : off.includes(purpose) || (everything && isOffered)
          ? 'off'
          : undefined;
      return want === undefined ? [] : [{ want, at, form, index: act, position }];
    });
  }

  #centersAsking(world: World, purpose: string): number {
    const acts = world.said.map(({ act }) => this.setting.acts[act] as Act);
    const about = acts.filter(
      ({ on, off, everything }) => on?.includes(purpose) || off?.includes(purpose) || everything,
    );
    return new Set(about.map(({ center }) => center)).size;
  }

  /** Whether the purpose was never withdrawn, or a new form asked for it after the last withdrawal. */
  #isGood(asks: readonly { want: string; form: Act['form'] }[]): boolean {
    const since = asks.slice(asks.findLastIndex(({ want }) => want === 'off') + 1);
    return since.length === asks.length || since.some(({ form }) => form === 'new');
  }

  #said(world: World, act: Act, index: number): Said | undefined {
    const { center, on = [], off = [], everything = false } = act;
    const record = this.#recordOf(center);
    const isOld = act.form === 'old';
    const displayed = isOld ? this.#offered(center, this.setting.start) : (world.truth[record] as Records);
    const isShownOn = (purpose: string) =>
      (displayed[purpose] === 'active' || displayed[purpose] === 'implicit') &&
      (isOld || !this.#isBeingWithdrawn(world, center, purpose));
    const isByForm = act.form === 'old' || act.form === 'new';
    if (isByForm && (on.some(isShownOn) || !off.every(isShownOn))) return undefined;
    const isAgreedTo = (purpose: string) =>
      displayed[purpose] !== undefined && displayed[purpose] !== 'implicit';
    if (act.form === 'objection' && off.some(isAgreedTo)) return undefined;
    const form: FormFacts = {
      at: isOld ? 0 : world.now,
      order: isOld ? 0 : world.doc.order,
      revision: '0',
      drawn: Object.entries(displayed).map(([purpose, status]) => {
        const isShownOff = !isOld && this.#isBeingWithdrawn(world, center, purpose);
        const isSent = isShownOff && this.#isBeingWithdrawn(world, center, purpose, 'called');
        return { purpose, status: isSent ? undefined : status, isOn: isShownOn(purpose) };
      }),
    };
    const intent: Intent = {
      ...noIntent,
      purposes: [...on.map((purpose) => switchedOn(purpose)), ...off.map(switchedOff)],
      everything: everything ? 'withdraw' : undefined,
    };
    return {
      reference: `r${index}`,
      center,
      intent,
      form: isByForm ? form : undefined,
      confirms: [],
      isObjection: act.form === 'objection',
      isOneClick: act.form === 'one-click',
      isBounded: act.form === 'one-click',
      undoes: undefined,
      schema: this.#centers[center],
    };
  }

  #isBeingWithdrawn({ doc }: World, id: string, purpose: string, how?: 'called'): boolean {
    const center = doc.centers.find(({ center }) => center === id);
    const found = center && this.#rules.beingWithdrawn(center, purpose);
    return how === undefined ? found !== undefined : found === how;
  }

  #answer(world: World, center: string, { update }: Plan): ConsentAnswerOf {
    const state = world.truth[this.#recordOf(center)] as Records;
    const about = update?.purposes.map(({ id }) => id) ?? Object.keys(state);
    return { items: about.map((purpose) => ({ purpose, accepted: true, receipt: undefined, messages: [] })) };
  }

  #subject(center: string, state: Records): Subject {
    const offered = this.setting.purposes[center] ?? [];
    const purposes = Object.entries(state).flatMap(([purpose, status]): ConsentRecord[] => {
      if (!offered.includes(purpose)) return [];
      return [{ purpose, label: undefined, status, topics: [], preferences: [] }];
    });
    return { id: anna, language: undefined, purposes, dataElements: {} };
  }

  #recordOf(center: string): string {
    return this.setting.isShared ? 'all' : center;
  }

  #isOf(record: string, purpose: string): boolean {
    return record === 'all' || this.setting.purposes[record]?.includes(purpose) === true;
  }

  #offered(record: string, state: Records): Records {
    return Object.fromEntries(Object.entries(state).filter(([purpose]) => this.#isOf(record, purpose)));
  }

  // Judgement

  /** Checks a world at rest: no withdrawal is lost, no purpose is on unasked, each line is true. */
  judge(world: World): void {
    const blame = (what: string) => {
      throw new Violation(what);
    };
    for (const [line, outcome] of Object.entries(world.lines)) {
      if (['in-doubt', 'in-progress', 'being-carried-out'].includes(outcome))
        blame(`${line} is ${outcome} at rest`);
    }
    for (const { act } of world.said) this.#judgeTold(world, act, blame);
    for (const purpose of world.unnamed) {
      const isOnAgain = Object.values(world.truth).some((state) => state[purpose] === 'active');
      if (!isOnAgain && !world.named.includes(`purpose ${purpose}`))
        blame(`${purpose} was taken out unnamed`);
    }
    for (const [record, state] of Object.entries(world.truth)) {
      for (const purpose of new Set(Object.values(this.setting.purposes).flat())) {
        if (this.#isOf(record, purpose))
          this.#judgePurpose(world, { record, purpose, isOn: this.#isOn(state, purpose) }, blame);
      }
    }
  }

  #judgeTold(world: World, act: number, blame: (what: string) => void): void {
    const { on = [], off = [], everything } = this.setting.acts[act] as Act;
    const about = [
      ...on.map((purpose) => `purpose ${purpose} on`),
      ...off.map((purpose) => `purpose ${purpose} off`),
      ...(everything ? ['everything off'] : []),
    ];
    for (const key of about) {
      const isRepeat = this.setting.acts[act]?.form === 'one-click';
      if (world.lines[`r${act} ${key}`] === undefined && !isRepeat)
        blame(`nothing is told of ${key} of act ${act}`);
    }
  }

  /** Whether a purpose is on; one that is on by default is on until a refusal is on record. */
  #isOn(state: Records, purpose: string): boolean {
    const status = state[purpose];
    const isAssumed = status === undefined && this.setting.onByDefault?.includes(purpose) === true;
    return status === 'active' || status === 'implicit' || isAssumed;
  }

  #judgePurpose(
    world: World,
    { record, purpose, isOn }: { record: string; purpose: string; isOn: boolean },
    blame: (what: string) => void,
  ): void {
    const key = `${record} ${purpose}`;
    if (world.excused.includes(key)) return;
    const elsewhere = world.elsewhere[key];
    const asks = this.#asksAbout(world, record, purpose);
    const last = asks.at(-1);
    const wasOn = this.#isOn(this.setting.start, purpose);
    if (last === undefined) {
      const expected = elsewhere === undefined ? wasOn : elsewhere.to === 'on';
      const isNamed = world.named.includes(`purpose ${purpose}`);
      if (isOn !== expected && !(isNamed && !isOn))
        blame(`${purpose} is ${isOn ? 'on' : 'off'}, and nobody asked`);
      return;
    }
    if (last.want === 'off') {
      const isGrantedSince = elsewhere?.to === 'on' && elsewhere.said > last.position;
      if (isOn && !isGrantedSince) blame(`the withdrawal of ${purpose} is lost`);
      return;
    }
    const told = world.lines[`r${last.index} purpose ${purpose} on`] ?? 'nothing';
    const isSuccess = ['saved', 'unchanged', 'unconfirmed'].includes(told);
    const isWithdrawnSince = elsewhere?.to === 'off' && elsewhere.said > last.position;
    const isMisled = world.misled.includes(key);
    if (isSuccess && !isOn && !isWithdrawnSince && !isMisled) blame(`${purpose} is told as ${told}, and off`);
    if (isOn && elsewhere?.to === 'off') {
      const since = asks.slice(asks.findLastIndex(({ want }) => want === 'off') + 1);
      const isAskedSince = since.some(({ form, position }) => form === 'new' && position >= elsewhere.said);
      if (!isAskedSince) blame(`${purpose} is on against a withdrawal elsewhere`);
    }
    const isOnOtherwise =
      elsewhere?.to === 'on' ||
      (wasOn && asks.every(({ want }) => want === 'on')) ||
      asks.slice(0, -1).some(({ want, index }) => {
        const other = world.lines[`r${index} purpose ${purpose} on`] ?? '';
        return want === 'on' && ['saved', 'unchanged', 'unconfirmed'].includes(other);
      });
    const wasWithdrawn = world.everOff.includes(key) || asks.some(({ want }) => want === 'off');
    const isElsewhere = this.#centersAsking(world, purpose) > 1;
    if (told === 'withdrawn-elsewhere' && !wasWithdrawn && !isElsewhere)
      blame(`${purpose} is told as ${told}, and nobody did`);
    if (isOn && !isSuccess && !isOnOtherwise) blame(`${purpose} is told as ${told}, and on`);
    if (isOn && !this.#isGood(asks) && elsewhere?.to !== 'on')
      blame(`${purpose} is on by a form of before a withdrawal`);
  }
}

const times: ReadonlySet<string> = new Set(['at', 'seen', 'lookedAt', 'until', 'due']);
const orders: ReadonlySet<string> = new Set(['order', 'withdrawn', 'call', 'takenOut']);
/** The members of a word that no rule reads once the word is over. */
const unread: ReadonlySet<string> = new Set(['before', 'call', 'seen']);

/**
 * Writes a world as a text; worlds that behave alike have one text. Times are written as ages, and times
 * before every limit only by their order. A walk uses most of its time here.
 */
export function fold(world: World): string {
  const { now } = world;
  const oldest = now - limits.doubt - limits.lag - 1;
  const old: number[] = [];
  const known: number[] = [0];
  let text = '';
  const write = (value: unknown, name: string): void => {
    if (typeof value === 'number') {
      if (orders.has(name)) {
        known.push(value);
        text += '#';
      } else if (!times.has(name)) text += `${value},`;
      else if (value >= oldest) text += `${now - value},`;
      else {
        old.push(value);
        text += '~';
      }
    } else if (Array.isArray(value)) {
      text += '[';
      for (const each of value) write(each, name);
      text += ']';
    } else if (typeof value === 'object' && value !== null) {
      const isOver = 'phase' in value && value.phase === 'over';
      const isTimes = times.has(name);
      text += '{';
      for (const key of Object.keys(value)) {
        const each: unknown = Reflect.get(value, key);
        if (each === undefined || (isOver && unread.has(key))) continue;
        text += `${key}:`;
        write(each, isTimes ? name : key);
      }
      text += '}';
    } else text += `${value},`;
  };
  write({ ...world, now: 0, named: world.named.toSorted(), sent: world.sent.toSorted() }, '');
  return `${text}${ranksOf(old)}|${ranksOf(known)}`;
}

/** Writes for each number how many different numbers are smaller. */
function ranksOf(numbers: readonly number[]): string {
  const different = [...new Set(numbers)].sort((one, other) => one - other);
  return numbers.map((each) => different.indexOf(each)).join(',');
}
