/** Plays a script: one person and the platform in fake time, around the carrier of the submissions. */

import { centerOf, emptyState } from '../../../src/core/consent/desired-state.ts';
import {
  type FormSnapshot,
  type PurposeSnapshot,
  shownSubject,
} from '../../../src/core/consent/form-snapshot.ts';
import { objectionIntent } from '../../../src/core/consent/global-privacy-control.ts';
import { oneClickIntent } from '../../../src/core/consent/one-click.ts';
import type { OpenSubmission, Person, PersonChange } from '../../../src/core/consent/person.ts';
import { isShownOn, mayChange } from '../../../src/core/consent/status.ts';
import { planSubmission, type ShownAgain } from '../../../src/core/consent/submission-plan.ts';
import { type Told, told, underway } from '../../../src/core/consent/told.ts';
import { undoLife, undoOwned } from '../../../src/core/consent/undo.ts';
import { Problem } from '../../../src/core/model/problem.ts';
import {
  choicesIn,
  type Intent,
  isEmptyIntent,
  noIntent,
  type OptionChange,
} from '../../../src/core/model/submission/intent.ts';
import type { SubmissionRequest } from '../../../src/core/model/submission/submission-request.ts';
import type { NewSubmission, Written } from '../../../src/ports/people.ts';
import { FakeTime } from '../../delivery/fake-time.ts';
import { aSubject, draw } from '../page-builder.ts';
import {
  choicesUnder,
  inputs,
  keysOf,
  keysOn,
  otherOption,
  type Script,
  type Step,
  type Values,
  valuesIn,
} from './script.ts';
import { Judge, type WordKind } from './script-judge.ts';
import { type Carrier, type CarrierTools, Loop } from './script-loop.ts';
import { ScriptPlatform } from './script-platform.ts';

/** The time from the last step to the judgement, in milliseconds: longer than any wait of the product. */
const longest = 60 * 3_600_000;
const oneClick = { channel: 'one-click', scope: 'withdraw' } as const;
const { id: anna } = aSubject();

interface Tab {
  readonly snapshot: FormSnapshot;
  /** The number of words before the form was shown. */
  readonly knew: number;
  readonly drawn: Act<'draw'>;
  /** The ticked choices of each purpose in a form that was shown again. */
  readonly ticked: ReadonlyMap<string, readonly string[]>;
  /** The values in the fields; `recorded` has those of the record alone. */
  readonly typed: Values;
  readonly recorded: Values;
  /** The language that the page offers to keep; `keeps` tells whether that is ticked. */
  readonly language: string | undefined;
  readonly keeps: boolean;
}

type Act<Name extends Step['act']> = Extract<Step, { act: Name }>;
type Said = readonly [key: string, kind: WordKind];

interface Saying {
  readonly words: readonly Said[];
  readonly knew: number;
  readonly values: Values;
}

/** The way to play a script; `carry` makes the loop alone or nodes of the product. */
export interface Playing {
  readonly time: FakeTime;
  readonly carry: (tools: CarrierTools) => Carrier;
}

/** Plays a script, and gives the faults that the judge found and the course of events. */
export async function play(
  script: Script,
  how: Playing = { time: new FakeTime(), carry: (tools) => new Loop(tools) },
) {
  const world = new World(script, how);
  await world.run();
  return { faults: world.judge.faults, course: world.course };
}

class World {
  readonly course: string[] = [];
  readonly judge: Judge;
  readonly #time: FakeTime;
  readonly #start: number;
  readonly #steps: readonly Step[];
  readonly #platform: ScriptPlatform;
  readonly #carrier: Carrier;
  readonly #tabs = new Map<string, Tab>();
  /** The words that count once the request of a nonce is recorded. */
  readonly #saying = new Map<string, Saying>();
  // The content of the store
  #person: Person | undefined;
  #dueAt: number | undefined;
  readonly #requests = new Map<string, SubmissionRequest>();
  readonly #submissions = new Map<string, OpenSubmission>();
  readonly #undone = new Set<string>();
  /** The nonces of forms that were posted as they were shown. */
  readonly #asShown = new Set<string>();
  #asked = 0;

  constructor(script: Script, { time, carry }: Playing) {
    this.#time = time;
    this.#start = time.now();
    this.#steps = script.steps;
    this.judge = new Judge(script, () => time.now());
    this.#platform = new ScriptPlatform(script, {
      judge: this.judge,
      time,
      note: (text) => this.#note(text),
    });
    this.#carrier = carry({
      time,
      platform: this.#platform,
      submissions: this.#submissions,
      stored: script.stored ?? [],
      onRecorded: (submission, written) => this.#recorded(submission, written),
      onKept: (change) => {
        this.judge.plans();
        this.#kept(change);
      },
      onCrash: (fault) => this.judge.faults.push(`crash: ${fault}`),
    });
  }

  async run(): Promise<void> {
    let end = 0;
    for (const step of this.#steps) {
      end += step.gap ?? 1_000;
      this.#time.after(end, () => this.#act(step));
    }
    await this.#time.advance(end + longest);
    this.#carrier.close();
    if (this.#dueAt !== undefined) this.judge.faults.push('does not come to rest');
    else if (this.#person !== undefined)
      this.judge.end(this.#person.desired, [...this.#submissions.values()]);
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
    if (step.act === 'again') this.#again(step);
    if (step.act === 'elsewhere') this.#change(step);
    if (step.act === 'edit-elsewhere') this.#edit(step);
    if (step.act === 'kill' && this.#carrier.kill()) this.judge.disturbs('record');
    if (step.act === 'look') this.#look(step);
    if (step.act === 'offer') {
      this.judge.disturbs('schema');
      this.#platform.open(step.center, step.offers, '2');
    }
  }

  #look({ on, told: expected, wire, rows }: Act<'look'>): void {
    const desired = this.#person?.desired ?? emptyState;
    const kept = [...this.#submissions.values()].map((each) => ({ ...each, lines: each.progress.lines }));
    const lines = kept.flatMap((each) => each.lines).toSorted((one, other) => one.at - other.at);
    const so = {
      on: Object.fromEntries(Object.keys(on).map((center) => [center, this.judge.shown(center)])),
      told: kept.map((each) => spoken(told(each, desired, this.#time.now()))),
      ...(wire === undefined ? {} : { wire: this.#platform.wire.join(', ') }),
      ...(rows === undefined ? {} : { rows: lines.map(({ row }) => row).join(', ') }),
    };
    const said = {
      on,
      told: expected,
      ...(wire === undefined ? {} : { wire }),
      ...(rows === undefined ? {} : { rows }),
    };
    if (JSON.stringify(so) !== JSON.stringify(said))
      this.judge.faults.push(`otherwise than expected: ${JSON.stringify(so)}`);
  }

  #draw(drawn: Act<'draw'>): void {
    this.#show(drawn, {});
  }

  /** `again`: a post that is shown again. `first`: its form. `by`: its form if the center cannot be read. */
  #show(drawn: Act<'draw'>, again: Partial<ShownAgain>, first?: Tab, by?: Tab): void {
    const { center: id, tab, lag, scope = 'manage', isObjecting = false, language = 'en-us' } = drawn;
    const center = this.#platform.center(id);
    const now = this.#time.now();
    const under = this.#person && underway(this.#person, id, now);
    const subject =
      by === undefined ? this.#platform.subject(id, lag) : shownSubject(by.snapshot, { center, id: anna });
    const objection = isObjecting ? { action: '/object', token: 'token' } : undefined;
    const shown = { subject, underway: under, scope, objection, language };
    const { snapshot, page, purposes, elements } = draw(center, { ...shown, ...again });
    // All purposes that are on can be renewed, as in the last week of their life spans.
    const renewable = snapshot.purposes.flatMap((line) => (line.status === 'on' ? line.id : []));
    const form = {
      ...snapshot,
      renewable,
      nonce: `form ${this.course.length}`,
      at: first?.snapshot.at ?? now,
    };
    const order = first?.snapshot.order ?? under?.order ?? 0;
    const fields = (all: typeof elements) =>
      Object.fromEntries(
        [...all].flatMap(([field, { control, value }]) => (control === 'static' ? [] : [[field, value]])),
      );
    const ticked = new Map(
      [...purposes].map(([purpose, { checked, topics, preferences }]) => {
        const choices = [...topics, ...preferences.flatMap((each) => each.choices)];
        const chosen = choices.flatMap((each) =>
          each.checked && each.value !== '' ? `${purpose}/${each.value}` : [],
        );
        return [purpose, checked ? [purpose, ...chosen] : chosen] as const;
      }),
    );
    this.#tabs.set(tab, {
      snapshot: { ...form, order },
      knew: first?.knew ?? this.judge.said(id),
      drawn,
      ticked: again.draft === undefined ? new Map() : ticked,
      typed: fields(elements),
      recorded: fields(draw(center, shown).elements),
      language: page.keepLanguage?.value,
      keeps: page.keepLanguage?.checked === true,
    });
  }

  #post(step: Act<'post'>): void {
    const tab = this.#tabs.get(step.tab);
    if (tab === undefined) return;
    const { toggles = [], renews = [], types = {} } = step;
    const { snapshot, knew, drawn } = tab;
    const { scope = 'manage', isObjecting = false } = drawn;
    const center = this.#platform.center(snapshot.center);
    const lines = snapshot.purposes.map((line) => {
      return { line, ticked: tickedIn(line, toggles, tab.ticked.get(line.id)) };
    });
    const chosen = lines.map(({ line: { id }, ticked }) => {
      return [id, choicesUnder(id).flatMap((key) => (ticked.includes(key) ? key.slice(2) : []))] as const;
    });
    const typed = Object.entries(tab.typed).map(([field, was]) => [field, types[field] ?? was] as const);
    const keeps = tab.language !== undefined && (tab.keeps || step.keeps === true);
    const posted = {
      purposes: lines.flatMap(({ line: { id }, ticked }) => (ticked.includes(id) ? id : [])),
      topics: Object.fromEntries(chosen.filter(([id]) => id !== 'e')),
      options: Object.fromEntries(chosen.flatMap(([id, options]) => (id === 'e' ? [['e.p', options]] : []))),
      renewed: snapshot.renewable?.filter((id) => renews.includes(id)),
      elements: Object.fromEntries(typed),
      subscribeAll: false,
      language: keeps ? tab.language : undefined,
    };
    const form = { center, page: 'page', snapshot, posted, now: this.#time.now(), subject: anna };
    const plan = planSubmission({ ...form, scope });
    const how = { center: center.id, scope, globalPrivacyControl: isObjecting };
    const words = lines.flatMap(({ line, ticked }) => {
      const isRenewed = posted.renewed?.includes(line.id);
      return wordsOf(line, ticked, { isRenewed, ...shownAgainIn(snapshot, line.id) });
    });
    if (plan.kind === 'submit') {
      if (isEmptyIntent(plan.submission.intent)) return;
      this.#tabs.delete(step.tab);
      const values = typed.flatMap(([field, text]): [string, string][] => {
        const value = inputs[field]?.[text];
        return value === undefined || text.trim() === tab.recorded[field]?.trim() ? [] : [[field, value]];
      });
      const language = keeps ? { language: tab.language } : {};
      const said = { ...Object.fromEntries(values), ...language } as Values;
      const submit = () => this.#submit({ ...plan.submission, ...how }, words, knew, said);
      const { asShown } = step;
      if (asShown === undefined) {
        submit();
        return;
      }
      const post = () => this.#carry(this.#request({ ...plan.submission, ...how, intent: noIntent }));
      const [first, second] = asShown < 0 ? [post, submit] : [submit, post];
      first();
      this.#time.after(Math.abs(asShown), second);
      return;
    }
    if (plan.kind === 'refuse') throw new Error(plan.reason);
    for (const each of plan.withdrawNow) this.#submit({ ...each, ...how }, withdrawnBy(each.intent), knew);
    if (plan.kind !== 'show-again') return;
    const isAway = step.isAway === true && plan.again.mistakes !== undefined;
    const away = isAway ? (plan.withdrawWhileAway ?? []) : [];
    for (const each of away) this.#submit({ ...each, ...how }, withdrawnBy(each.intent), knew);
    const taken = away.flatMap(({ intent }) => withdrawnBy(intent).map(([key]) => key));
    if (isAway && words.some(([key, kind]) => kind === 'off' && !taken.includes(key)))
      this.judge.faults.push('not withdrawn while away');
    const first = plan.again.review === 'too-old' ? undefined : tab;
    this.#show(drawn, plan.again, first, isAway ? tab : undefined);
    const again = this.#tabs.get(step.tab);
    const shownOn = new Set(snapshot.purposes.flatMap(shownIn));
    for (const [key, kind] of words) {
      const isLocked = again?.snapshot.purposes.every(({ id, status }) => id !== key || !mayChange(status));
      const isTicked = again?.ticked.get(key)?.includes(key) === true;
      const isNews = kind === 'off' || !shownOn.has(key);
      if (isLocked === false && key.length === 1 && isNews && isTicked !== (kind === 'on'))
        this.judge.faults.push(`lost from a form shown again: ${key} ${kind}`);
    }
    for (const [field, text] of typed) {
      const shown = again?.typed[field];
      const isTyped = text.trim() !== tab.recorded[field]?.trim() && shown !== undefined;
      const [one, other] = [text.trim(), shown ?? ''].map((each) => inputs[field]?.[each] ?? each);
      if (isTyped && one !== other) this.judge.faults.push(`lost from a form shown again: ${field} ${text}`);
    }
    if (keeps && again?.language !== undefined && !again.keeps)
      this.judge.faults.push('lost from a form shown again: language');
  }

  #leave(center: string, purpose: string | undefined, how: Partial<SubmissionRequest>): void {
    const offered = this.#platform.offers(center).filter((each) => purpose === undefined || each === purpose);
    const intent = oneClickIntent({ center, subject: anna, purpose });
    this.#submit({ center, intent, ...how }, this.#allOff(center, offered));
  }

  #allOff(center: string, purposes: readonly string[]): readonly Said[] {
    return purposes.flatMap((each): readonly Said[] =>
      this.judge.isLocked(center, each) ? [] : [[each, 'off']],
    );
  }

  #object({ center, lag }: Act<'object'>): void {
    const intent = objectionIntent(this.#platform.center(center), this.#platform.subject(center, lag));
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
    const center = this.#platform.center(id);
    const { globalPrivacyControl } = request;
    const undo = undoOwned(kept, desired, { center, globalPrivacyControl, told: told(kept, desired, now) });
    if (undo === undefined) return;
    // Delivery builds the form of an undo in the same way.
    const orders = centerOf(desired, id).items.flatMap(({ by, order, isSaidAgain }) =>
      by === undoes && isSaidAgain !== true ? order : [],
    );
    const form = { ...request.form, at: doneAt, order: Math.max(0, ...orders), drawn: undefined };
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
    const { dataElements, language } = undo.intent;
    const typed = Object.fromEntries(dataElements.map(({ label, value }) => [label, value]));
    const values = valuesIn({ dataElements: typed, language });
    this.#submit(
      { center: id, intent: undo.intent, form, undoes },
      words,
      this.judge.said(id, undoes),
      values,
    );
  }

  #change({ center, record: is }: Act<'elsewhere'>): void {
    const before = this.judge.records(center);
    const was = before.filter(({ purpose }) => purpose === is.purpose);
    if (!this.#platform.offers(center).includes(is.purpose)) return;
    if (is.status === 'off' && was.some(({ status }) => status === 'off')) return;
    this.judge.becomes(center, [...before.filter((each) => !was.includes(each)), is]);
    const on = keysOn([is]);
    const off = on.length === 0 ? [is.purpose] : keysOn(was).filter((key) => !on.includes(key));
    for (const key of off) this.judge.say(center, key, 'off-elsewhere');
    for (const key of on) this.judge.say(center, key, 'on-elsewhere');
  }

  #edit({ center, values }: Act<'edit-elsewhere'>): void {
    const typed = this.judge.values(center);
    for (const [field, value] of Object.entries(values)) typed.type(field, value);
    // A value that is the identifier of the person is read-only.
    if (Object.values(values).some((value) => value.toLowerCase() === anna)) this.judge.disturbs('record');
    typed.become({ ...typed.at(), ...values });
  }

  #submit(
    asked: Partial<SubmissionRequest> & Pick<SubmissionRequest, 'center' | 'intent'>,
    words: readonly Said[],
    knew = this.judge.said(asked.center),
    values: Values = {},
  ): void {
    const request = this.#request(asked);
    this.#saying.set(request.nonce, { words, knew, values });
    this.#carry(request);
  }

  #request(
    asked: Partial<SubmissionRequest> & Pick<SubmissionRequest, 'center' | 'intent'>,
  ): SubmissionRequest {
    this.#asked += 1;
    return {
      ...{
        nonce: `asked ${this.#asked}`,
        subject: anna,
        channel: 'link',
        scope: 'manage',
        globalPrivacyControl: false,
      },
      undoes: undefined,
      reasons: [],
      onBehalf: undefined,
      ...asked,
    };
  }

  #again({ back = 0 }: Act<'again'>): void {
    const request = [...this.#requests.values()].at(-1 - back);
    if (request !== undefined) this.#carry(request);
  }

  #carry(request: SubmissionRequest): void {
    const isAsShown = isEmptyIntent(request.intent);
    const carried = isAsShown ? this.#carrier.postAsShown(request) : this.#carrier.submit(request);
    carried.catch((fault) => {
      // A used form that asks for another change is refused.
      if (!(fault instanceof Problem && fault.code === 'nonce-reused'))
        this.judge.faults.push(`crash: ${fault}`);
    });
  }

  /** Tells the judge the words of a request when it is recorded. */
  #recorded({ request, reference }: NewSubmission, { change, repeats }: Written): void {
    // A repeated request withdraws later grants under a nonce of its own.
    const again = { words: this.#withdrawnAgain(request), knew: 0, values: {} };
    if (isEmptyIntent(request.intent)) {
      this.#asShown.add(request.nonce);
      this.#kept(change);
      return;
    }
    const said = this.#saying.get(request.nonce) ?? again;
    const isTakenBack = this.#asShown.has(request.nonce);
    const { knew } = said;
    const words = isTakenBack ? said.words.filter(([, kind]) => kind === 'off') : said.words;
    const values: Values = isTakenBack ? {} : said.values;
    if (repeats === undefined) {
      this.#requests.set(reference, request);
      const { center, channel, intent, undoes } = request;
      const progress = { lines: [], calls: [], events: 0 };
      const submitted = {
        reference,
        center,
        channel,
        intent,
        undoes,
        progress,
        submittedAt: this.#time.now(),
      };
      this.#submissions.set(reference, { ...submitted, state: 'pending', doneAt: undefined });
    }
    const by = repeats ?? reference;
    this.#note(`${by} says ${words.map((word) => word.join(' ')).join(', ')} ${JSON.stringify(values)}`);
    for (const [key, kind] of words) this.judge.say(request.center, key, kind, { by, knew });
    for (const [field, value] of Object.entries(values))
      this.judge.values(request.center).type(field, value, by, request.undoes);
    this.#kept(change);
  }

  /** The words of a repeated form or click, which only withdraws. */
  #withdrawnAgain({ center, intent, isObjection }: SubmissionRequest): readonly Said[] {
    if (intent.everything === 'withdraw') return this.#allOff(center, this.#platform.offers(center));
    if (isObjection === true) return intent.purposes.map(({ purpose }): Said => [purpose, 'objection']);
    return withdrawnBy(intent);
  }

  #kept({ person, dueAt, submissions, news }: PersonChange): void {
    this.#person = person;
    this.#dueAt = dueAt;
    for (const open of person.open) this.#submissions.set(open.reference, open);
    for (const { reference, state, doneAt, progress, undoesNoMore = '' } of submissions) {
      const was = this.#submissions.get(reference);
      if (was !== undefined) this.#submissions.set(reference, { ...was, state, doneAt, progress });
      this.#undone.delete(undoesNoMore);
    }
    for (const each of news) this.judge.hears(each);
  }

  #note(text: string): void {
    this.course.push(`${(this.#time.now() - this.#start) / 1_000} s  ${text}`);
  }
}

function spoken({ items, everything, aftermath }: Told): string {
  const all = items.map(({ change, id, outcome }) => `${change} ${id}: ${outcome}`).toSorted();
  const whole = everything === undefined ? [] : [`everything: ${everything}`];
  return [...all, ...whole].join(', ') + (aftermath === undefined ? '' : ` (${aftermath})`);
}

function shownIn({ id, status, topics, options }: PurposeSnapshot): readonly string[] {
  const [, ...chosen] = keysOf(id, chosenBy(topics, options));
  return isShownOn(status) ? [id, ...chosen] : chosen;
}

function chosenBy(topics: readonly string[], options: readonly OptionChange[]) {
  return { topics, preferences: options.map(({ preference: id, option }) => ({ id, options: [option] })) };
}

function tickedIn(
  line: PurposeSnapshot,
  toggles: readonly string[],
  filled?: readonly string[],
): readonly string[] {
  const shown = shownIn(line);
  if (!mayChange(line.status)) return shown;
  const was = filled ?? shown;
  const ticked = [line.id, ...choicesUnder(line.id)].filter(
    (key) => was.includes(key) !== toggles.includes(key),
  );
  // The other option of a single choice goes.
  return ticked.filter((key) => {
    const other = otherOption(key);
    return other === undefined || !ticked.includes(other) || (was.includes(other) && key < other);
  });
}

/** Whether a form that was shown again still asks to turn the purpose off, or on. */
function shownAgainIn({ left = [], chosen = [] }: FormSnapshot, id: string) {
  return { isLeft: left.includes(id), isChosen: chosen.includes(id) };
}

/** The words of the difference between the shown and the posted form. */
function wordsOf(
  line: PurposeSnapshot,
  ticked: readonly string[],
  how: { readonly isRenewed?: boolean | undefined; readonly isLeft: boolean; readonly isChosen: boolean },
): readonly Said[] {
  const { id, status } = line;
  const shown = shownIn(line);
  const wasOn = shown.includes(id);
  if (!mayChange(status)) return [];
  if (!ticked.includes(id)) return wasOn || how.isLeft ? [[id, 'off']] : [];
  const differing = choicesUnder(id).filter((key) => ticked.includes(key) !== shown.includes(key));
  const isSaidAgain = how.isChosen && status === 'on' && how.isRenewed !== true && differing.length === 0;
  const choices = wasOn ? (isSaidAgain ? ticked.filter((key) => key !== id) : differing) : choicesUnder(id);
  const isAgreed =
    !wasOn || isSaidAgain || how.isRenewed === true || (choices.length > 0 && status === 'on-by-default');
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
