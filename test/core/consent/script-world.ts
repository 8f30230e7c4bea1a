/** Plays a script: one person and the platform in given time, around the loop of delivery. */

import { centerOf } from '../../../src/core/consent/desired-state.ts';
import type { FormSnapshot, PurposeSnapshot } from '../../../src/core/consent/form-snapshot.ts';
import { objectionIntent } from '../../../src/core/consent/global-privacy-control.ts';
import { oneClickIntent } from '../../../src/core/consent/one-click.ts';
import type { OpenSubmission, Person, PersonChange } from '../../../src/core/consent/person.ts';
import { isShownOn, mayChange } from '../../../src/core/consent/status.ts';
import { planSubmission } from '../../../src/core/consent/submission-plan.ts';
import { told, underway } from '../../../src/core/consent/told.ts';
import { undoLife, undoOwned } from '../../../src/core/consent/undo.ts';
import { type Center, everyPurpose } from '../../../src/core/model/center/center.ts';
import type { ConsentRecord, Subject } from '../../../src/core/model/person/subject.ts';
import { Problem } from '../../../src/core/model/problem.ts';
import type { ConsentAnswer, ConsentUpdate } from '../../../src/core/model/submission/consent-update.ts';
import {
  choicesIn,
  type Intent,
  isEmptyIntent,
  type OptionChange,
} from '../../../src/core/model/submission/intent.ts';
import type { SubmissionRequest } from '../../../src/core/model/submission/submission-request.ts';
import { type LoopTools, workFor } from '../../../src/delivery/person-loop.ts';
import { recorded } from '../../../src/delivery/recording.ts';
import { FakeTime } from '../../delivery/fake-time.ts';
import { record } from '../center-builder.ts';
import { aSubject, draw } from '../page-builder.ts';
import {
  centerOffering,
  choicesUnder,
  keysOf,
  keysOn,
  otherOption,
  type Script,
  type Step,
} from './script.ts';
import { Judge, type WordKind } from './script-judge.ts';

/** In milliseconds; a call in doubt is watched for ten minutes. */
const longest = 60 * 3_600_000;
const lease = 20_000;
const oneClick = { channel: 'one-click', scope: 'withdraw' } as const;
const { id: anna } = aSubject();

interface Tab {
  readonly snapshot: FormSnapshot;
  /** How many words had been said. */
  readonly knew: number;
  readonly drawn: Act<'draw'>;
}

type Act<Name extends Step['act']> = Extract<Step, { act: Name }>;
type Said = readonly [key: string, kind: WordKind];

/** The faults that the judge found, and what happened, and when. */
export async function play(script: Script) {
  const world = new World(script);
  await world.run();
  return { faults: world.judge.faults, course: world.course };
}

class World {
  readonly course: string[] = [];
  readonly judge: Judge;
  readonly #time = new FakeTime(0);
  readonly #script: Script;
  readonly #centers = new Map<string, Center>();
  readonly #tabs = new Map<string, Tab>();
  #calls = 0;
  #readings = 0;
  // What the store has.
  #person: Person | undefined;
  #version = 0;
  readonly #requests = new Map<string, SubmissionRequest>();
  readonly #submissions = new Map<string, OpenSubmission>();
  readonly #undone = new Set<string>();
  #isWorking = false;
  /** How many have died. */
  #process = 0;
  #dueAt: number | undefined;

  constructor(script: Script) {
    this.#script = script;
    this.judge = new Judge(script, () => this.#time.now());
    const { isShared = false, centers, start = [] } = script;
    for (const [id, offers] of Object.entries(centers)) {
      this.#open(id, offers);
      const records = start.filter(({ purpose }) => isShared || offers.includes(purpose));
      if (isShared && this.#centers.size > 1) continue;
      this.judge.becomes(id, records);
      for (const key of keysOn(records)) this.judge.say(id, key, 'on-at-first');
      for (const each of records) if (each.status === 'off') this.judge.say(id, each.purpose, 'off-at-first');
    }
  }

  async run(): Promise<void> {
    let end = 0;
    for (const step of this.#script.steps) {
      end += step.gap ?? 1_000;
      this.#time.after(end, () => this.#act(step));
    }
    await this.#time.advance(end + longest);
    if (this.#dueAt !== undefined) this.judge.faults.push('does not come to rest');
    else if (this.#person !== undefined)
      this.judge.end(this.#person.desired, [...this.#submissions.values()]);
  }

  #sleep(milliseconds: number): Promise<void> {
    const process = this.#process;
    return new Promise((resolve) => {
      this.#time.after(milliseconds, () => (process === this.#process ? resolve() : undefined));
    });
  }

  async #work(): Promise<void> {
    const held = { id: 'anna', owner: 'loop', version: this.#version, person: this.#person };
    const process = this.#process;
    this.#isWorking = true;
    await workFor(held, this.#tools).catch((fault) => this.judge.faults.push(`crash: ${fault}`));
    if (process === this.#process) this.#isWorking = false;
  }

  #kill(): void {
    if (!this.#isWorking) return;
    this.#process += 1;
    this.#isWorking = false;
    this.#time.after(lease, () => void (this.#isWorking ? undefined : this.#work()));
  }

  readonly #tools: LoopTools = {
    clock: this.#time,
    timer: this.#time,
    wait: (milliseconds) => this.#sleep(milliseconds),
    jitter: () => 1,
    lease,
    isOften: () => false,
    tell: () => undefined,
    noteMissing: () => undefined,
    people: {
      keep: async ({ version }, change) => {
        const isSame = version === this.#version;
        if (isSame) this.#keep(change);
        return { kind: isSame ? 'kept' : 'changed', version: this.#version, person: this.#person };
      },
      postpone: async () => undefined,
      submissionsOf: async (references) => references.flatMap((each) => this.#submissions.get(each) ?? []),
    },
    platform: {
      findCenter: async (id) => this.#center(id),
      readSubject: (center) => this.#read(center),
      updateConsent: (center, _, update, options) => this.#send(center, update, options?.permits),
      withdrawAll: (center) => this.#send(center, undefined),
    },
  };

  #keep({ person, dueAt, submissions, news }: PersonChange): void {
    this.#version += 1;
    this.#person = JSON.parse(JSON.stringify(person)) as Person;
    this.#dueAt = dueAt;
    const version = this.#version;
    const work = () => (this.#isWorking || version !== this.#version ? undefined : this.#work());
    if (dueAt !== undefined) this.#time.after(dueAt - this.#time.now(), () => void work());
    for (const open of this.#person.open) this.#submissions.set(open.reference, open);
    for (const { reference, state, doneAt, progress, undoesNoMore = '' } of submissions) {
      const was = this.#submissions.get(reference);
      if (was !== undefined) this.#submissions.set(reference, { ...was, state, doneAt, progress });
      this.#undone.delete(undoesNoMore);
    }
    for (const each of news) this.judge.hears(each);
  }

  // The platform

  #open(id: string, offers: readonly string[], revision = '1'): void {
    const { confirms: confirmsDefaults = false, hides = [] } = this.#script;
    this.#centers.set(id, centerOffering(offers, hides, { id, revision, confirmsDefaults }));
  }

  #center(id: string): Center {
    const center = this.#centers.get(id);
    if (center === undefined) throw new Error(`no center ${id}`);
    return center;
  }

  #offers(center: string): readonly string[] {
    return everyPurpose(this.#center(center)).map(({ id }) => id);
  }

  #subject(center: string, lag = 0): Subject {
    const offers = this.#offers(center);
    const records = this.judge.records(center, this.#time.now() - lag);
    return aSubject({ purposes: records.filter(({ purpose }) => offers.includes(purpose)) });
  }

  async #read(center: string): Promise<Subject> {
    const { end, lacks, lag, takes = 50 } = this.#script.readings?.[this.#readings] ?? {};
    const name = `reading ${this.#readings++} of ${center}`;
    this.judge.asks(center);
    const subject = this.#subject(center, lag);
    await this.#sleep(takes);
    const purposes = end === 'empty' ? [] : subject.purposes.filter(({ purpose }) => purpose !== lacks);
    this.#note(`${name}: ${end ?? list(purposes)}`);
    if (end === 'fails') throw new Problem('platform-unreachable');
    if (end === 'unreadable') throw new Problem('platform-unreadable');
    return { ...subject, purposes };
  }

  async #send(center: string, update: ConsentUpdate | undefined, permits = 1): Promise<ConsentAnswer> {
    const { end, rejects, late, takes = 100 } = this.#script.calls?.[this.#calls] ?? {};
    const keys = update?.purposes.flatMap((sent) => keysOf(sent.id, sent));
    const name = `call ${this.#calls++} in ${center}: ${keys === undefined ? 'DELETE' : `PUT ${keys.join(' ')}`}`;
    this.#note(`${name} ${end ?? ''}`);
    const sent = this.judge.sends(center, update, permits);
    if (late !== undefined || end === undefined || end === 'landed-and-lost')
      this.#time.after(late ?? takes / 2, () => {
        sent.landedAt = this.#time.now();
        this.#land(center, update, rejects);
        this.#note(`${name} lands: ${list(this.judge.records(center))}`);
      });
    await this.#sleep(takes);
    if (end === 'unsent') throw new Problem('platform-unreachable');
    if (end === 'refused') throw new Problem('platform-refused');
    if (late !== undefined || end === 'lost' || end === 'landed-and-lost')
      throw new Problem('platform-slow', { answerLost: true });
    const ids = update?.purposes.map(({ id }) => id);
    const about = ids ?? this.#subject(center).purposes.map(({ purpose }) => purpose);
    const items = about.map((purpose) => ({ purpose, accepted: purpose !== rejects, messages: [] }));
    return { items: items.map((item) => ({ ...item, receipt: name })) };
  }

  #land(center: string, update: ConsentUpdate | undefined, rejects: string | undefined): void {
    const offers = this.#offers(center);
    const before = this.judge.records(center);
    const isTaken = update === undefined ? ['active', 'pending', 'implicit'] : ['active'];
    const after = offers.flatMap((purpose): ConsentRecord | ConsentRecord[] => {
      const was = before.find((each) => each.purpose === purpose);
      const given = update?.purposes.find(({ id }) => id === purpose);
      if (was?.status === 'always-active' || was?.status === 'hard-opt-out') return was;
      if (purpose === rejects) return was ?? [];
      if (given !== undefined) return record(purpose, 'active', given.topics, given.preferences);
      if (was === undefined || !isTaken.includes(was.status)) return was ?? [];
      return { ...was, status: 'off', rawStatus: 'WITHDRAWN' };
    });
    this.judge.becomes(center, [...after, ...before.filter(({ purpose }) => !offers.includes(purpose))]);
  }

  // The person

  #act(step: Step): void {
    this.#note(JSON.stringify(step));
    if (step.act === 'draw') this.#draw(step);
    if (step.act === 'post') this.#post(step);
    if (step.act === 'click') this.#leave(step.center, step.purpose, oneClick);
    if (step.act === 'leave') this.#leave(step.center, undefined, {});
    if (step.act === 'object') this.#object(step);
    if (step.act === 'undo') this.#undo(step);
    if (step.act === 'elsewhere') this.#change(step);
    if (step.act === 'kill') this.#kill();
    if (step.act === 'offer') this.#open(step.center, step.offers, '2');
  }

  #draw(drawn: Act<'draw'>): void {
    const { center: id, tab, lag, scope = 'manage', isObjecting = false } = drawn;
    const center = this.#center(id);
    const now = this.#time.now();
    const under = this.#person && underway(this.#person, id, now);
    const subject = this.#subject(id, lag);
    const objection = isObjecting ? { action: '/object', token: 'token' } : undefined;
    const { snapshot } = draw(center, { subject, underway: under, scope, objection });
    // The week before their life spans end.
    const renewable = snapshot.purposes.flatMap((line) => (line.status === 'on' ? line.id : []));
    const form = { ...snapshot, renewable, nonce: `form ${this.course.length}`, at: now };
    const order = under?.order ?? 0;
    this.#tabs.set(tab, { snapshot: { ...form, order }, knew: this.judge.said(id), drawn });
  }

  #post({ tab: name, toggles = [], renews = [] }: Act<'post'>): void {
    const tab = this.#tabs.get(name);
    if (tab === undefined) return;
    const { snapshot, knew, drawn } = tab;
    const { scope = 'manage', isObjecting = false } = drawn;
    const center = this.#center(snapshot.center);
    const lines = snapshot.purposes.map((line) => ({ line, ticked: tickedIn(line, toggles) }));
    const chosen = lines.map(({ line: { id }, ticked }) => {
      return [id, choicesUnder(id).flatMap((key) => (ticked.includes(key) ? key.slice(2) : []))] as const;
    });
    const posted = {
      purposes: lines.flatMap(({ line: { id }, ticked }) => (ticked.includes(id) ? id : [])),
      topics: Object.fromEntries(chosen.filter(([id]) => id !== 'e')),
      options: Object.fromEntries(chosen.flatMap(([id, options]) => (id === 'e' ? [['e.p', options]] : []))),
      renewed: snapshot.renewable?.filter((id) => renews.includes(id)),
      ...{ elements: {}, subscribeAll: false, language: undefined },
    };
    const form = { center, page: 'page', snapshot, posted, now: this.#time.now(), subject: anna };
    const plan = planSubmission({ ...form, scope });
    const how = { center: center.id, scope, globalPrivacyControl: isObjecting };
    const words = lines.flatMap(({ line, ticked }) =>
      wordsOf(line, ticked, posted.renewed?.includes(line.id)),
    );
    if (plan.kind === 'submit' && !isEmptyIntent(plan.submission.intent)) {
      this.#tabs.delete(name);
      this.#submit({ ...plan.submission, ...how }, words, knew);
    } else if (plan.kind === 'ask-for-more-rights')
      for (const each of plan.withdrawNow) this.#submit({ ...each, ...how }, withdrawnBy(each.intent), knew);
  }

  #leave(center: string, purpose: string | undefined, how: Partial<SubmissionRequest>): void {
    const offered = this.#offers(center).filter((each) => purpose === undefined || each === purpose);
    const off = offered.filter((each) => !this.judge.isLocked(center, each));
    const words = off.map((each): Said => [each, 'off']);
    this.#submit({ center, intent: oneClickIntent({ center, subject: anna, purpose }), ...how }, words);
  }

  #object({ center, lag }: Act<'object'>): void {
    const intent = objectionIntent(this.#center(center), this.#subject(center, lag));
    if (isEmptyIntent(intent)) return;
    const words = intent.purposes.map(({ purpose }): Said => [purpose, 'objection']);
    this.#submit({ center, intent, globalPrivacyControl: true, isObjection: true }, words);
  }

  #undo({ back = 0 }: Act<'undo'>): void {
    const now = this.#time.now();
    const [undoes = '', request] = [...this.#requests].at(-1 - back) ?? [];
    const submission = this.#submissions.get(undoes);
    if (request === undefined || submission?.doneAt === undefined || this.#person === undefined) return;
    if (this.#undone.has(undoes) || now - submission.doneAt >= undoLife) return;
    const { reference, center: id, intent, doneAt, progress } = submission;
    const { desired } = this.#person;
    const kept = { reference, center: id, intent, lines: progress.lines };
    const center = this.#center(id);
    const { globalPrivacyControl } = request;
    const undo = undoOwned(kept, desired, { center, globalPrivacyControl, told: told(kept, desired, now) });
    if (undo === undefined) return;
    // As delivery does it.
    const orders = centerOf(desired, id).items.flatMap(({ by, order }) => (by === undoes ? order : []));
    const order = Math.max(0, ...orders);
    const form = request.form && { ...request.form, at: doneAt, order, drawn: undefined };
    const words = undo.intent.purposes.flatMap((change): readonly Said[] => {
      if (change.kind === 'off') return [[change.purpose, 'off']];
      const { topics, options } = choicesIn(change);
      const [purpose = '', ...added] = keysOf(change.purpose, chosenBy(topics, options));
      const [, ...out] = keysOf(purpose, chosenBy(change.topicsOff, change.optionsOff));
      const granted = change.kind === 'on' ? [purpose, ...added] : added;
      const kind = added.length > 0 ? 'swapped-out' : 'off';
      const replaced = added.flatMap((key) => otherOption(key) ?? []);
      return [
        ...granted.map((key): Said => [key, 'on']),
        ...[...out, ...replaced].map((key): Said => [key, kind]),
      ];
    });
    this.#undone.add(undoes);
    this.#submit({ center: id, intent: undo.intent, form, undoes }, words, this.judge.said(id, undoes));
  }

  #change({ center, record: is }: Act<'elsewhere'>): void {
    const before = this.judge.records(center);
    const was = before.filter(({ purpose }) => purpose === is.purpose);
    if (!this.#offers(center).includes(is.purpose)) return;
    if (is.status === 'off' && was.some(({ status }) => status === 'off')) return;
    this.judge.becomes(center, [...before.filter((each) => !was.includes(each)), is]);
    const on = keysOn([is]);
    const off = on.length === 0 ? [is.purpose] : keysOn(was).filter((key) => !on.includes(key));
    for (const key of off) this.judge.say(center, key, 'off-elsewhere');
    for (const key of on) this.judge.say(center, key, 'on-elsewhere');
  }

  #submit(
    asked: Partial<SubmissionRequest> & Pick<SubmissionRequest, 'center' | 'intent'>,
    words: readonly Said[],
    knew = this.judge.said(asked.center),
  ): void {
    const reference = `r${this.#requests.size + 1}`;
    const request: SubmissionRequest = {
      ...{ nonce: reference, subject: anna, channel: 'link', scope: 'manage', globalPrivacyControl: false },
      ...{ undoes: undefined, reasons: [], onBehalf: undefined },
      ...asked,
    };
    const submission = { request, reference, now: this.#time.now() };
    const { change, repeats } = recorded(this.#person, submission, this.#center(asked.center));
    if (repeats === undefined) this.#requests.set(reference, request);
    const by = repeats ?? reference;
    this.#note(`${by} says ${words.map((word) => word.join(' ')).join(', ')}`);
    for (const [key, kind] of words) this.judge.say(asked.center, key, kind, { by, knew });
    this.#keep(change);
  }

  #note(text: string): void {
    this.course.push(`${this.#time.now() / 1_000} s  ${text}`);
  }
}

function shownIn({ id, status, topics, options }: PurposeSnapshot): readonly string[] {
  const [, ...chosen] = keysOf(id, chosenBy(topics, options));
  return isShownOn(status) ? [id, ...chosen] : chosen;
}

function chosenBy(topics: readonly string[], options: readonly OptionChange[]) {
  return { topics, preferences: options.map(({ preference: id, option }) => ({ id, options: [option] })) };
}

function tickedIn(line: PurposeSnapshot, toggles: readonly string[]): readonly string[] {
  const shown = shownIn(line);
  if (!mayChange(line.status)) return shown;
  const ticked = [line.id, ...choicesUnder(line.id)].filter(
    (key) => shown.includes(key) !== toggles.includes(key),
  );
  // A single choice: the other one goes.
  return ticked.filter((key) => {
    const other = otherOption(key);
    return other === undefined || !ticked.includes(other) || (shown.includes(other) && key < other);
  });
}

/** What the person says by the difference. */
function wordsOf(line: PurposeSnapshot, ticked: readonly string[], isRenewed = false): readonly Said[] {
  const { id, status } = line;
  const shown = shownIn(line);
  const wasOn = shown.includes(id);
  if (!mayChange(status)) return [];
  if (!ticked.includes(id)) return wasOn ? [[id, 'off']] : [];
  const choices = choicesUnder(id).filter((key) => !wasOn || ticked.includes(key) !== shown.includes(key));
  const isAgreed = !wasOn || isRenewed || (choices.length > 0 && status === 'on-by-default');
  return [
    ...(isAgreed ? [[id, 'on'] as const] : []),
    ...choices.map((key): Said => {
      if (ticked.includes(key)) return [key, 'on'];
      const other = otherOption(key);
      const isSwapped = other !== undefined && ticked.includes(other);
      return [key, wasOn ? (isSwapped ? 'swapped-out' : 'off') : 'left-out'];
    }),
  ];
}

function withdrawnBy({ purposes }: Intent): readonly Said[] {
  return purposes.flatMap((change): readonly Said[] => {
    if (change.kind === 'off') return [[change.purpose, 'off']];
    const [, ...out] = keysOf(change.purpose, chosenBy(change.topicsOff, change.optionsOff));
    return out.map((key) => [key, 'off']);
  });
}

function list(records: readonly ConsentRecord[]): string {
  const each = records.map(
    ({ status, rawStatus = status, ...record }) => `${keysOf(record.purpose, record).join('+')} ${rawStatus}`,
  );
  return each.join(', ') || 'nothing';
}
