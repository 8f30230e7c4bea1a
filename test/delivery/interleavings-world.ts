import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { usualLimits } from '../../src/core/consent/desired-state.ts';
import { type FormSnapshot, factsOf } from '../../src/core/consent/form-snapshot.ts';
import { objectionIntent } from '../../src/core/consent/global-privacy-control.ts';
import { purposesOf } from '../../src/core/consent/merge-set.ts';
import { isShownOn, mayChange } from '../../src/core/consent/status.ts';
import { readSubmission } from '../../src/core/consent/submission.ts';
import type { RecordedStatus, Subject, SubjectId } from '../../src/core/model/person/subject.ts';
import type { Intent } from '../../src/core/model/submission/intent.ts';
import type { FormFacts } from '../../src/core/model/submission/submission-request.ts';
import { createDelivery, type RunningDelivery } from '../../src/delivery/delivery.ts';
import type { Journal } from '../../src/ports/journal.ts';
import { aCenter, aPurpose, record, topics } from '../core/center-builder.ts';
import { leaveAll } from '../core/changes.ts';
import { draw } from '../core/page-builder.ts';
import { FakeTime, settled } from './fake-time.ts';
import { anna, aRequest, openStores, type Stores } from './fixture.ts';
import { type Fault, type PlatformCall, ScriptedPlatform } from './scripted-platform.ts';
import { strictLog } from './strict-log.ts';

const minute = 60_000;
const lease = 20_000;

const center = aCenter([
  aPurpose('a', { topics: topics('t1', 't2') }),
  aPurpose('b'),
  aPurpose('d', { onByDefault: true, topics: topics('t3') }),
]);
const purposes = purposesOf(center);
const ids = [...purposes.keys()];

function topicsOf(id: string): readonly string[] {
  return purposes.get(id)?.topics.map((topic) => topic.id) ?? [];
}

const constant = <const Value>(value: Value) => fc.constant(value);
const tab = fc.nat({ max: 2 });
const purpose = fc.constantFrom(...ids);
/** So many steps later it is recorded: by a node that is slow, or that looks at the platform first. */
const late = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }) },
);
const pressed = { waits: fc.boolean(), late };
const ticks = fc.nat({ max: 7 });
const isClick = fc.boolean();
const faultKinds = ['fails', 'lost', 'refused', 'forgets', 'late', 'hangs', 'hangs-arrived'] as const;
const draws = fc.record({ kind: constant('draw'), tab });
const posts = fc.record({ kind: constant('post'), tab, ticks, topics: ticks, ...pressed });
const replays = fc.record({ kind: constant('replay'), tab });
const leaves = fc.record({
  ...{ kind: constant('leave'), isClick, ...pressed },
  purpose: fc.option(purpose, { nil: undefined }),
});
const objects = fc.record({ kind: constant('object'), ...pressed });
const changes = fc.record({
  ...{ kind: constant('elsewhere'), purpose },
  status: fc.constantFrom('active', 'off'),
});
const faults = fc.record({
  ...{ kind: constant('fault'), fault: fc.constantFrom(...faultKinds) },
  ...{ after: fc.nat({ max: 3 }), calls: fc.integer({ min: 1, max: 3 }) },
});
const heals = fc.record({ kind: constant('heal') });
const passes = fc.record({
  kind: constant('pass'),
  time: fc.constantFrom(500, 5_000, 30_000, 61_000, 600_000),
});
export const step = fc.oneof(
  { weight: 3, arbitrary: draws },
  { weight: 5, arbitrary: posts },
  { weight: 1, arbitrary: replays },
  { weight: 2, arbitrary: leaves },
  { weight: 1, arbitrary: objects },
  { weight: 2, arbitrary: changes },
  { weight: 3, arbitrary: faults },
  { weight: 2, arbitrary: heals },
  { weight: 3, arbitrary: passes },
);
export type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

export const startingStatus: fc.Arbitrary<RecordedStatus | undefined> = fc.constantFrom(
  undefined,
  'active',
  'off',
  'pending',
  'expired',
  'implicit',
  'always-active',
  'hard-opt-out',
);

/** What the person said and when, read from the ticks alone and not from what the product made of them. */
interface Word {
  /** When it was recorded. */
  at: number;
  isRecorded: boolean;
  /** The journal knew it when the last call was journaled; a call is made from then on. */
  isHeard: boolean;
  readonly on: readonly string[];
  readonly topics: readonly string[];
  readonly off: readonly string[];
  /** Topics un-ticked under a purpose that stays on by the person's own choice. */
  readonly out: readonly string[];
  /** By one click. */
  readonly isClick?: boolean;
  /** To what is on by default, which leaves on what the person asked for before. */
  readonly isObjection?: true;
}

const unsaid = { at: 0, isRecorded: false, isHeard: false };

/** One person, a few tabs, a platform that fails at will, and a witness who checks every call. */
export class World {
  readonly time: FakeTime;
  readonly platform = new ScriptedPlatform(center);
  readonly words: Word[] = [];
  readonly references: string[] = [];
  readonly faults: string[] = [];
  /** Index into `words` after which each purpose was last switched on elsewhere. */
  readonly elsewhereOn = new Map<string, number>();
  /** Of each node its own, on one store. */
  readonly #journals: readonly Journal[];
  readonly #own: Stores | undefined;
  readonly #who: SubjectId;
  /** What is pressed, and recorded some steps later. */
  readonly #late: { steps: number; readonly record: () => Promise<void> }[] = [];
  #recording: Word | undefined;
  readonly #tabs = new Map<number, FormSnapshot>();
  readonly #posted = new Map<number, { nonce: string; intent: Intent; word: Word }>();
  readonly #nodes: RunningDelivery[];
  /** What ends each node's listening. */
  readonly #deafen: (() => void)[] = [];
  #isOver = false;
  #turn = 0;
  /** Entries that were claimed. */
  #claims = 0;
  /** Questions to a journal that are not answered yet. */
  #unanswered = 0;
  #pending: { fault: Fault | 'hangs' | 'hangs-arrived'; after: number; calls: number } | undefined;
  #hang = Promise.withResolvers<number>();
  #made = 0;

  /** `turns`: of the event loop that each answer of a journal takes, over and over. */
  constructor(
    starting: readonly (RecordedStatus | undefined)[],
    { turns = [], journals, time = new FakeTime(), who = anna }: WorldOptions = {},
  ) {
    this.#own = journals === undefined ? openStores({ file: ':memory:', clock: time }) : undefined;
    this.time = time;
    this.#who = who;
    const all = journals ?? (this.#own === undefined ? [] : [this.#own.journal]);
    this.#journals = all.map((journal) => this.#watched(journal, turns));
    const records = ids.flatMap((id, index) => {
      const status = starting[index];
      return status === undefined ? [] : [record(id, status, topicsOf(id))];
    });
    this.platform.put({
      id: who,
      language: undefined,
      purposes: [...records, record('hidden', 'active', ['tu'])],
      dataElements: {},
    });
    this.platform.script = (call) => {
      this.#witness(call);
      return this.#next();
    };
    this.#nodes = all.map((_journal, node) => this.#start(node));
  }

  /**
   * Notes what it knows. What it does it does at once, or within the turn, as in a database elsewhere; that is known
   * here only `turns` later.
   */
  #watched(journal: Journal, turns: readonly number[]): Journal {
    let asked = 0;
    return new Proxy(journal, {
      get: (target, name: keyof Journal) => {
        if (name === 'onNews')
          return (listener: Parameters<Journal['onNews']>[0]) => {
            const deafen = target.onNews(listener);
            this.#deafen.push(deafen);
            return deafen;
          };
        return async (...given: never[]) => {
          // The next person has a platform of their own, which this one's nodes do not know.
          if (name === 'claim' && this.#isOver) return undefined;
          const ask = target[name] as (...given: never[]) => Promise<unknown>;
          const said = this.#recording;
          const answer = ask(...given);
          this.#unanswered += 1;
          const answered = () => {
            this.#unanswered -= 1;
          };
          answer.then(answered, answered);
          if (name === 'claim')
            answer.then(
              (claimed) => {
                if (claimed !== undefined) this.#claims += 1;
              },
              () => undefined,
            );
          // Said and not recorded yet, it can bind nobody.
          if (name === 'record' && said !== undefined) {
            const note = () => {
              said.isRecorded = true;
            };
            answer.then(note, note);
          }
          if (name === 'keep') for (const word of this.words) word.isHeard = word.isRecorded;
          asked += 1;
          const late = turns.length === 0 ? 0 : (turns[asked % turns.length] ?? 0);
          for (let turn = late; turn > 0; turn -= 1) await nextTurn();
          return answer;
        };
      },
    });
  }

  async close(): Promise<void> {
    this.#isOver = true;
    for (const deafen of this.#deafen) deafen();
    await this.#own?.close();
  }

  #start(node: number): RunningDelivery {
    const random = { id: () => `${this.#who}-${++this.#made}` };

    const { platform, time } = this;
    const { readSubject, updateConsent, withdrawAll } = platform;
    const calling = <Given extends unknown[], T>(
      kind: PlatformCall['kind'],
      call: (...given: Given) => Promise<T>,
    ) => {
      return (...given: Given) => this.#mayHang(node, kind, () => call.apply(platform, given));
    };
    const journal = this.#journals[node];
    assert.ok(journal);
    return createDelivery({
      platform: {
        findCenter: () => platform.findCenter(),
        readSubject: calling('read', readSubject),
        updateConsent: calling('put', updateConsent),
        withdrawAll: calling('delete', withdrawAll),
      },
      people: journal,
      clock: time,
      timer: time,
      random,
      log: strictLog,
      jitter: () => 0,
      limits: { ...usualLimits, confirmAfter: 0 },
      lease,
    });
  }

  #next(): Fault | undefined {
    const { fault } = this.#pending ?? {};
    if (this.#pending === undefined || typeof fault !== 'object') return undefined;
    if (this.#pending.after-- > 0) return undefined;
    if (--this.#pending.calls <= 0) this.#pending = undefined;
    return fault;
  }

  #mayHang<T>(node: number, kind: PlatformCall['kind'], act: () => Promise<T>): Promise<T> {
    const { fault } = this.#pending ?? {};
    if (this.#pending === undefined || typeof fault !== 'string') return act();
    if (this.#pending.after-- > 0) return act();
    this.#pending = undefined;
    if (fault === 'hangs-arrived' && kind !== 'read') void act();
    this.#hang.resolve(node);
    return new Promise(() => undefined);
  }

  /** Everything that can happen now; a process that hangs is killed, and another one starts after the lease. */
  async settle(): Promise<void> {
    let before: number;
    do {
      before = this.#claims;
      const all = Promise.all(this.#nodes.map((node) => node.settle())).then(() => undefined);
      const hung = await this.#whileTimePasses(Promise.race([all, this.#hang.promise]));
      if (hung !== undefined) {
        this.#hang = Promise.withResolvers();
        await settled();
        this.time.pass(lease + 1);
        this.#nodes[hung] = this.#start(hung);
      }
      // What one was passing over while another one looked at it, too.
    } while (this.#claims > before);
  }

  /**
   * A reading that may be older than a change is asked for again after a pause. While a real database works, no time
   * passes: on a busy machine it would be minutes.
   */
  async #whileTimePasses<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    await settled();
    while (!isOver) await (this.#unanswered > 0 ? nextTurn() : this.time.advance(250));
    return work;
  }

  /** One after the other. */
  #anyNode(): RunningDelivery {
    this.#turn += 1;
    const node = this.#nodes[this.#turn % this.#nodes.length];
    assert.ok(node);
    return node;
  }

  async take(step: Step): Promise<void> {
    // No two steps at the same time.
    this.time.pass(1);
    for (const each of this.#late) each.steps -= 1;
    await this.#recordLate();
    switch (step.kind) {
      case 'draw':
        await this.settle();
        this.#tabs.set(step.tab, await this.#draw());
        return;
      case 'post':
        return this.#post(step);
      case 'replay': {
        const posted = this.#posted.get(step.tab);
        if (!posted?.word.isRecorded) return;
        const word = { ...unsaid, on: [], topics: [], off: this.#grantedSince(posted.word), out: [] };
        this.words.push(word);
        await this.#submit(posted.nonce, posted.intent, word);
        return;
      }
      case 'leave': {
        const intent: Intent =
          step.purpose === undefined
            ? leaveAll
            : { ...leaveAll, everything: undefined, purposes: [{ kind: 'off', purpose: step.purpose }] };
        const off = step.purpose === undefined ? [...ids, 'hidden'] : [step.purpose];
        await this.#press(step, {
          nonce: `leave-${this.#who}-${++this.#made}`,
          intent,
          word: { ...unsaid, on: [], topics: [], off, out: [], isClick: step.isClick },
        });
        return;
      }
      case 'object': {
        const intent = objectionIntent(center, this.platform.subject(this.#who));
        const off = intent.purposes.map((change) => change.purpose);
        if (off.length === 0) return;
        const word: Word = { ...unsaid, on: [], topics: [], off, out: [], isObjection: true };
        await this.#press(step, { nonce: `object-${this.#who}-${++this.#made}`, intent, word });
        return;
      }
      case 'elsewhere':
        await this.settle();
        this.#elsewhere(step.purpose, step.status);
        return;
      case 'fault': {
        const fault = {
          fails: away,
          lost,
          refused,
          forgets: { kind: 'forgets' as const },
          late: { kind: 'late' as const },
          hangs: 'hangs' as const,
          'hangs-arrived': 'hangs-arrived' as const,
        }[step.fault];
        // Said twice, with a pause between, of somebody of whom nobody knows better, it counts.
        this.#pending = { fault, after: step.after, calls: step.fault === 'forgets' ? 1 : step.calls };
        return;
      }
      case 'heal':
        this.#pending = undefined;
        return;
      case 'pass':
        await this.settle();
        // What comes later than ten minutes after it was sent nobody waits for any more.
        this.platform.land();
        this.time.pass(step.time);
        await this.settle();
    }
  }

  /** What a used form withdraws, and was granted here since. */
  #grantedSince(used: Word): string[] {
    const said = this.words.indexOf(used);
    return used.off.filter(
      (id) =>
        (this.elsewhereOn.get(id) ?? -1) <= said &&
        this.words.some((word, index) => index > said && word.isRecorded && word.on.includes(id)),
    );
  }

  async #draw(): Promise<FormSnapshot> {
    const underway = await this.#nodes[0]?.underway('center', this.#who);
    const { snapshot } = draw(center, { subject: this.platform.subject(this.#who), underway });
    const nonce = `nonce-${this.#who}-${++this.#made}`;
    return { ...snapshot, nonce, at: this.time.now(), order: underway?.order ?? 0 };
  }

  async #post(step: Extract<Step, { kind: 'post' }>): Promise<void> {
    const snapshot = this.#tabs.get(step.tab);
    if (snapshot === undefined || this.#posted.get(step.tab)?.nonce === snapshot.nonce) return;
    const lines = snapshot.purposes.filter((line) => mayChange(line.status));
    const ticked = lines
      .filter((line) => (step.ticks & (1 << ids.indexOf(line.id))) !== 0)
      .map((line) => line.id);
    const all = ['t1', 't2', 't3'].filter((_, index) => (step.topics & (1 << index)) !== 0);
    const chosen = (id: string) =>
      all.filter((each) => purposes.get(id)?.topics.some((topic) => topic.id === each));
    const posted = {
      purposes: ticked,
      topics: Object.fromEntries(lines.map((line) => [line.id, chosen(line.id)])),
      options: {},
      elements: {},
      subscribeAll: false,
      language: undefined,
    };
    const result = readSubmission({
      center,
      page: 'page',
      snapshot,
      posted,
      now: this.time.now(),
      subject: this.#who,
    });
    if (result.kind !== 'intent') {
      assert.equal(result.kind, 'review');
      return;
    }
    const isOther = (line: FormSnapshot['purposes'][number]) =>
      topicsOf(line.id).some((topic) => line.topics.includes(topic) !== chosen(line.id).includes(topic));
    const isNew = (line: FormSnapshot['purposes'][number]) =>
      ticked.includes(line.id) &&
      (!isShownOn(line.status) || (line.status === 'on-by-default' && isOther(line)));
    const word: Word = {
      ...unsaid,
      on: lines.filter(isNew).map((line) => line.id),
      topics: lines.flatMap((line) =>
        ticked.includes(line.id)
          ? chosen(line.id).filter((topic) => !isShownOn(line.status) || !line.topics.includes(topic))
          : [],
      ),
      off: lines.filter((line) => isShownOn(line.status) && !ticked.includes(line.id)).map((line) => line.id),
      out: lines.flatMap((line) =>
        line.status === 'on' && ticked.includes(line.id)
          ? line.topics.filter(
              (topic) => topicsOf(line.id).includes(topic) && !chosen(line.id).includes(topic),
            )
          : [],
      ),
    };
    this.#posted.set(step.tab, { nonce: snapshot.nonce, intent: result.intent, word });
    const form = factsOf(snapshot);
    await this.#press(step, { nonce: snapshot.nonce, intent: result.intent, word, form });
  }

  /** Said now, and recorded now or later. */
  async #press(
    { late, waits }: Extract<Step, { kind: 'post' | 'leave' | 'object' }>,
    said: { nonce: string; intent: Intent; word: Word; form?: FormFacts },
  ): Promise<void> {
    const { nonce, intent, word, form } = said;
    this.words.push(word);
    this.#late.push({ steps: late, record: () => this.#submit(nonce, intent, word, form) });
    await this.#recordLate();
    if (waits) await this.settle();
  }

  async #recordLate(): Promise<void> {
    for (const each of this.#late.filter(({ steps }) => steps <= 0)) {
      this.#late.splice(this.#late.indexOf(each), 1);
      await each.record();
    }
  }

  async #submit(nonce: string, intent: Intent, word: Word | undefined, form?: FormFacts): Promise<void> {
    this.#recording = word;
    if (word !== undefined) word.at = this.time.now();
    const isObjection = word?.isObjection === true;
    const channel = word?.isClick === true ? ('one-click' as const) : ('link' as const);
    const request = aRequest({ nonce, intent, form, subject: this.#who, isObjection, channel });
    const { reference } = await this.#anyNode().submit(request);
    if (!this.references.includes(reference)) this.references.push(reference);
  }

  /** A topic that was taken out stays out, unless it was asked for since, here or elsewhere. */
  #checkTopics(current: Subject): void {
    for (const topic of ['t1', 't2', 't3']) {
      const lastOut = this.words.findLastIndex((word) => word.out.includes(topic));
      if (lastOut < 0 || this.words.some((word, index) => index > lastOut && word.topics.includes(topic)))
        continue;
      const holder = current.purposes.find((each) => each.status === 'active' && each.topics.includes(topic));
      if (holder === undefined || (this.elsewhereOn.get(holder.purpose) ?? -1) > lastOut) continue;
      assert.fail(`${topic} was taken out of ${holder.purpose}, and is still chosen`);
    }
  }

  #elsewhere(id: string, status: 'active' | 'off'): void {
    const subject = this.platform.subject(this.#who);
    const old = subject.purposes.find((each) => each.purpose === id);
    if (old?.status === 'always-active' || old?.status === 'hard-opt-out') return;
    const others = subject.purposes.filter((each) => each.purpose !== id);
    this.platform.put({
      ...subject,
      purposes: [...others, record(id, status, status === 'active' ? ['t9'] : [])],
    });
    if (status === 'active') this.elsewhereOn.set(id, this.words.length);
  }

  /** No purpose or topic comes on in a call that nobody asked for in the last minute, and has not left since. */
  #witness(call: PlatformCall): void {
    if (call.update === undefined) return;
    const now = this.time.now();
    const before = this.platform.subject(this.#who);
    for (const { id, topics: sent } of call.update.purposes) {
      const old = before.purposes.find((each) => each.purpose === id);
      const lastLeft = this.words.findLastIndex((word) => word.isHeard && word.off.includes(id));
      // A database tells one node what another one wrote before it answers that one.
      const asking = this.words.filter((word, index) => index > lastLeft && now < word.at + minute);
      const isRefused = this.words.some((word) => word.at > 0 && word.off.includes(id));
      const isOn = old?.status === 'active' || old?.status === 'always-active';
      const recordsRefusal = id === 'd' && isRefused && (old === undefined || old.status === 'implicit');
      const recordsImplicit = old?.status === 'implicit' && isRefused;
      if (!isOn && !recordsRefusal && !recordsImplicit && !asking.some((word) => word.on.includes(id))) {
        this.faults.push(`${id} was switched on unasked`);
      }
      const had = new Set(isOn || old?.status === 'implicit' ? old.topics : []);
      for (const topic of sent) {
        if (!had.has(topic) && !asking.some((word) => word.topics.includes(topic))) {
          this.faults.push(`${topic} of ${id} was switched on unasked`);
        }
      }
    }
  }

  /** Everything heals; whatever is still to be done is done. */
  async end(): Promise<void> {
    this.#pending = undefined;
    for (const each of this.#late) each.steps = 0;
    await this.#recordLate();
    await this.settle();
    this.platform.land();
    for (let round = 0; round < 30 && (await this.#journals[0]?.nextDueAt()) !== undefined; round += 1) {
      this.time.pass(301_000);
      await this.settle();
    }
  }

  #submissions() {
    return Promise.all(this.references.map((each) => this.#nodes[0]?.find(each, this.#who)));
  }

  async check(): Promise<void> {
    assert.deepEqual(this.faults, []);
    const submissions = await this.#submissions();
    assert.ok(!submissions.some((each) => each?.state === 'pending'), 'a submission never ended');
    const told = submissions.flatMap((each) => each?.items ?? []);
    const current: Subject = this.platform.subject(this.#who);
    for (const id of [...ids, 'hidden']) {
      const lastLeft = this.words.findLastIndex((word) => word.off.includes(id));
      if (lastLeft < 0) continue;
      const isObjection = this.words[lastLeft]?.isObjection === true;
      const lastWithdrawn = isObjection
        ? this.words.findLastIndex((word) => word.off.includes(id) && word.isObjection !== true)
        : lastLeft;
      const isAskedSince =
        this.words.some((word, index) => index > lastWithdrawn && word.on.includes(id)) ||
        (this.elsewhereOn.get(id) ?? -1) > lastLeft;
      // What is always active, and was told so, is nobody's to leave, though a DELETE may take it along for a while.
      const isLocked = told.findLast((item) => item.id === id && item.change === 'off')?.outcome === 'locked';
      if (isAskedSince || isLocked) continue;
      const known = current.purposes.find((each) => each.purpose === id);
      const isLeft =
        known === undefined ? id !== 'd' : known.status !== 'active' && known.status !== 'implicit';
      assert.ok(isLeft, `${id} was left, and is ${known?.status ?? 'assumed'}`);
    }
    this.#checkTopics(current);
  }
}

export interface WorldOptions {
  readonly turns?: readonly number[];
  readonly journals?: readonly Journal[];
  readonly time?: FakeTime;
  readonly who?: SubjectId;
}

/** `pauses`: turns of the event loop before each step. */
export async function live(
  world: World,
  steps: readonly Step[],
  pauses: readonly number[] = [0],
): Promise<void> {
  try {
    for (const [index, each] of steps.entries()) {
      for (let turn = pauses[index % pauses.length] ?? 0; turn > 0; turn -= 1) await nextTurn();
      await world.take(each);
    }
    await world.end();
    await world.check();
  } finally {
    await world.close();
  }
}

const away: Fault = { kind: 'fails', code: 'platform-unreachable' };
const refused: Fault = { kind: 'fails', code: 'platform-refused' };
const lost: Fault = { kind: 'lost', code: 'platform-slow' };
