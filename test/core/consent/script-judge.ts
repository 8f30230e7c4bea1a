/** Judges a script by the words of the person, the record and the calls, without knowledge of the rules. */

import { type DesiredState, type LineOutcome, usualLimits } from '../../../src/core/consent/desired-state.ts';
import type { OpenSubmission, SubmissionNews } from '../../../src/core/consent/person.ts';
import { type Told, told } from '../../../src/core/consent/told.ts';
import type { ConsentRecord } from '../../../src/core/model/person/subject.ts';
import type { ConsentUpdate } from '../../../src/core/model/submission/consent-update.ts';
import { everyKey, keysOf, keysOn, otherOption, purposeIn, type Script, valuesIn } from './script.ts';
import { type SentValues, TypedValues } from './script-values.ts';

/**
 * The kinds of words. `left-out`: the purpose was granted without this topic. `swapped-out`: an undo swaps
 * the option for the earlier one, as one change or not at all.
 */
export type WordKind =
  | ('on-at-first' | 'off-at-first' | 'on-elsewhere' | 'off-elsewhere')
  | ('on' | 'off' | 'objection' | 'left-out' | 'swapped-out');

interface Word {
  readonly key: string;
  readonly kind: WordKind;
  /** The sequence number over all records, from 1. */
  readonly order: number;
  readonly at: number;
  readonly center: string;
  /** The reference of the submission. */
  readonly by?: string;
  /** The number of words before the form was shown. */
  readonly knew?: number;
}

interface Sent extends SentValues {
  readonly readAt: number;
  readonly keys: readonly string[];
}

const grants: ReadonlySet<WordKind> = new Set(['on-at-first', 'on-elsewhere', 'on']);
/** The life of a grant, with the time of a reading that is in progress when its minute ends. */
const grantLife = usualLimits.grantLife + 1_000;
const { lag } = usualLimits;
/** The longest wait of a withdrawal: for a reading that agrees, and for one of another center. */
const longestWait = 3 * lag;

export class Judge {
  readonly faults: string[] = [];
  readonly #script: Script;
  readonly #now: () => number;
  // These maps have one entry for each record.
  readonly #words = new Map<string, Word[]>();
  readonly #states = new Map<string, { readonly at: number; readonly records: readonly ConsentRecord[] }[]>();
  readonly #sent = new Map<string, Sent[]>();
  readonly #values = new Map<string, TypedValues>();
  /** The single choices that were taken out and not replaced yet. */
  readonly #halves = new Map<string, { readonly key: string; readonly at: number }[]>();
  /** The time at which the last reading of each center was asked for. */
  readonly #readAt = new Map<string, number>();
  readonly #mayUse = new Map<string, boolean>();
  readonly #disturbed = new Set<'record' | 'schema'>();
  #said = 0;
  /** The number of words that the last stored call can know. */
  #known = Number.POSITIVE_INFINITY;
  /** The withdrawals of purposes that are on, until a call leaves them out. */
  readonly #open = new Map<string, Word[]>();
  /** Withdrawals that waited too long: faults, unless the record is disturbed. */
  readonly #held: string[] = [];

  constructor(script: Script, now: () => number) {
    this.#script = script;
    this.#now = now;
  }

  #record(center: string): string {
    return this.#script.isShared === true ? 'all' : center;
  }

  /** The typed values of the record of a center. */
  values(center: string): TypedValues {
    const name = this.#record(center);
    const values =
      this.#values.get(name) ??
      new TypedValues(this.#now, (kind, text) => this.#fault(kind, `${text} in ${center}`));
    this.#values.set(name, values);
    return values;
  }

  #of<T>(lists: Map<string, T[]>, center: string): T[] {
    const name = this.#record(center);
    const list = lists.get(name) ?? [];
    lists.set(name, list);
    return list;
  }

  /** The record of a center at a time. */
  records(center: string, at = this.#now()): readonly ConsentRecord[] {
    const states = this.#of(this.#states, center);
    return (states.findLast((state) => state.at <= at) ?? states[0])?.records ?? [];
  }

  /** The purposes and choices that are on in a center, in brackets if by default. */
  shown(center: string): string {
    const records = this.records(center);
    const byDefault = (this.#script.centers[center] ?? []).filter((id) => {
      const status = records.find(({ purpose }) => purpose === id)?.status;
      return id === 'd' && (status === undefined || status === 'implicit');
    });
    return [...keysOn(records).toSorted(), ...byDefault.map((id) => `(${id})`)].join(' ');
  }

  becomes(center: string, records: readonly ConsentRecord[]): void {
    this.#of(this.#states, center).push({ at: this.#now(), records });
  }

  say(center: string, key: string, kind: WordKind, more: Pick<Word, 'by' | 'knew'> = {}): void {
    this.#said += 1;
    const word = { key, kind, order: this.#said, at: this.#now(), center, ...more };
    this.#of(this.#words, center).push(word);
    const open = this.#of(this.#open, center);
    const others = open.filter((each) => each.key !== key && each.key !== purposeIn(key));
    open.splice(0, open.length, ...others);
    const isOn = keysOn(this.records(center)).includes(key) && !this.isLocked(center, purposeIn(key));
    const isSent = this.#of(this.#sent, center).some(
      ({ landedAt, keys }) => landedAt === 0 && !keys.includes(key),
    );
    if (kind === 'off' && isOn && !isSent) open.push(word);
  }

  /** The number of words so far, or up to those of a submission. */
  said(center: string, upTo?: string): number {
    const words = this.#of(this.#words, center);
    return upTo === undefined ? words.length : words.findLastIndex(({ by }) => by === upTo) + 1;
  }

  isLocked(center: string, purpose: string): boolean {
    return this.records(center).some((each) => each.purpose === purpose && each.status === 'always-active');
  }

  asks(center: string): void {
    this.#readAt.set(center, this.#now());
  }

  /** Notes the news for receivers, which may use a consent or not. */
  hears({ center, words }: SubmissionNews): void {
    for (const { purpose, isOff } of words)
      for (const each of purpose === '' ? everyKey : [purpose]) this.#mayUse.set(`${center} ${each}`, !isOff);
  }

  /** Notes that a call is stored; later words do not change it. */
  plans(): void {
    this.#known = this.#said;
    for (const values of this.#values.values()) values.plans();
  }

  /** Judges a call; `permits` is 2 and then 0 for a pair, which is planned at once to refuse `d`. */
  sends(center: string, update: ConsentUpdate | undefined, permits: number): Sent {
    const keys = (update?.purposes ?? []).flatMap((sent) => keysOf(sent.id, sent));
    const readAt = this.#readAt.get(center) ?? this.#now();
    const meant = permits === 1 ? keys : permits === 2 ? keys.filter((key) => key !== 'd') : [];
    for (const key of meant) this.#judgeSent(center, key, readAt);
    for (const key of keysOn(this.records(center, readAt - lag))) this.#noteSwapped(center, key, keys);
    const values = update === undefined ? {} : valuesIn(update);
    const sent = { readAt, keys, values, landedAt: 0 };
    this.#of(this.#sent, center).push(sent);
    this.values(center).send(sent);
    const open = this.#of(this.#open, center);
    for (const { key, at } of open.filter((each) => !keys.includes(each.key)))
      if (this.#now() > at + longestWait) this.#held.push(`withdrawn late: ${key} in ${center}`);
    open.splice(0, open.length, ...open.filter(({ key }) => keys.includes(key)));
    return sent;
  }

  /** Notes a single choice that a call takes out without the option that replaces it. */
  #noteSwapped(center: string, key: string, sent: readonly string[]): void {
    const other = otherOption(key);
    if (other === undefined || sent.includes(key) || sent.includes(other)) return;
    const isAsked = this.#lastWord(center, key)?.kind === 'swapped-out' && sent.includes(purposeIn(key));
    const isOn = keysOn(this.records(center)).includes(key);
    const said = this.#of(this.#words, center).filter((word) => word.key === key);
    // A withdrawal of its own took the choice out, too.
    if (said.findLast(({ kind }) => kind !== 'swapped-out')?.kind === 'off') return;
    if (isAsked && isOn) this.#of(this.#halves, center).push({ key, at: this.#now() });
  }

  #isSwappedByHalf(center: string, key: string, on: readonly string[]): boolean {
    const half = this.#of(this.#halves, center).findLast((each) => each.key === key);
    const purpose = purposeIn(key);
    if (half === undefined || this.#lastWord(center, key)?.kind !== 'swapped-out') return false;
    const since = this.#of(this.#words, center).filter(({ at }) => at >= half.at);
    const isElsewhere = since.some(
      (word) => purposeIn(word.key) === purpose && word.kind.includes('elsewhere'),
    );
    return !isElsewhere && on.includes(purpose) && !on.includes(otherOption(key) ?? '');
  }

  #judgeSent(center: string, key: string, readAt: number): void {
    const words = this.#of(this.#words, center).filter(({ order }) => order <= this.#known);
    const word = this.#lastWord(center, key, words);
    const wasOn = this.#wasOn(center, key, readAt - lag);
    if (word?.kind === 'left-out' || word?.kind === 'swapped-out') return;
    if (this.#wasLocked(center, purposeIn(key), readAt - lag)) return;
    if (word?.kind === 'on' && this.#isWithdrawnSinceDrawn(center, word, readAt))
      this.#fault('sent from an old form', `${key} in ${center}`);
    if (word?.kind === 'off' || word?.kind === 'objection') {
      // A center cannot know a withdrawal of another one that shares its record: only the end counts.
      const isUnknown = wasOn && word.center !== center;
      if (!isUnknown) this.#fault('sent though withdrawn', `${key} in ${center}`);
    } else if (word?.kind === 'off-elsewhere') {
      const isUnknown = word.at > readAt - lag;
      const isHidden = wasOn && (key !== purposeIn(key) || this.#isHidden(center, word));
      if (!isUnknown && !isHidden) this.#fault('sent though withdrawn elsewhere', `${key} in ${center}`);
    } else if (!wasOn) {
      const isAsked = word?.kind === 'on' && this.#now() < word.at + grantLife;
      const isConfirmed = (word === undefined || word.kind === 'on') && this.#isConfirmed(key);
      if (!isAsked && !isConfirmed) this.#fault('sent unasked, or late', `${key} in ${center}`);
    }
  }

  /** Notes that readings and calls of the record, or those of the schema, do not go as asked. */
  disturbs(what: 'record' | 'schema'): void {
    this.#disturbed.add(what);
  }

  end(desired: DesiredState, submissions: readonly OpenSubmission[]): void {
    if (!this.#disturbed.has('record')) this.faults.push(...this.#held);
    for (const [center, offers] of Object.entries(this.#script.centers)) {
      for (const key of everyKey) this.#judgeEnd(center, key);
      for (const purpose of offers) {
        const word = this.#lastWord(center, purpose);
        const isOff = word?.kind === 'off' && word.center === center && !this.isLocked(center, purpose);
        if (isOff && this.#mayUse.get(`${center} ${purpose}`) === true)
          this.#fault('may be used though withdrawn', `${purpose} in ${center}`);
      }
    }
    const outcomes = new Map<string, LineOutcome>();
    for (const submission of submissions) {
      for (const { what, id, outcome } of this.#judgeTold(submission, desired)) {
        if (what === 'purpose') continue;
        outcomes.set(`${submission.reference} ${what === 'language' ? what : id}`, outcome);
      }
    }
    const isCalm = this.#disturbed.size === 0;
    const records = [...this.#values.values()];
    for (const values of records) {
      const others = records.filter((each) => each !== values);
      values.end((by, field) => outcomes.get(`${by} ${field}`), { isCalm, others });
    }
  }

  #judgeEnd(center: string, key: string): void {
    const word = this.#lastWord(center, key);
    const isWithdrawn = word?.kind === 'off' || word?.kind === 'objection';
    const on = keysOn(this.records(center));
    if (!on.includes(key)) {
      const record = this.records(center).find(({ purpose }) => purpose === key);
      const isAssumed = key === 'd' && (record === undefined || record.status === 'implicit');
      if (isAssumed && isWithdrawn && this.#script.centers[word.center]?.includes(key) === true)
        this.#fault('on by default though withdrawn', `${key} in ${center}`);
      if (this.#isSwappedByHalf(center, key, on)) this.#fault('swapped by half', `${key} in ${center}`);
      return;
    }
    if (this.isLocked(center, purposeIn(key))) return;
    if (isWithdrawn) this.#fault('on though withdrawn', `${key} in ${center}, by ${word.by}`);
    if (word?.kind === 'off-at-first' || (word === undefined && !this.#isConfirmed(key)))
      this.#fault('on, unasked', `${key} in ${center}`);
    if (word?.kind === 'off-elsewhere' && key === purposeIn(key) && !this.#isHidden(center, word))
      this.#fault('on though withdrawn elsewhere', `${key} in ${center}`);
    const replacing = otherOption(key);
    const isBack = on.some((other) => {
      if (replacing !== undefined) return other === replacing;
      const granted = this.#lastWord(center, other);
      return granted?.kind === 'on' && granted.by === word?.by;
    });
    if (word?.kind === 'swapped-out' && isBack) this.#fault('swapped by half', `${key} in ${center}`);
  }

  #judgeTold(submission: OpenSubmission, desired: DesiredState): Told['items'] {
    const { reference, center, intent, progress } = submission;
    const { state, items } = told({ reference, center, intent, lines: progress.lines }, desired, this.#now());
    if (state === 'pending') this.#fault('pending', reference);
    for (const { id, change, outcome } of items) {
      const word = this.#lastWord(center, id);
      const isOwn = change !== 'keep' && word?.kind === 'on' && word.by === reference;
      // `unchanged` may come from the oldest allowed reading.
      if (!isOwn || outcome !== 'saved' || this.#isOffSince(id, word.at)) continue;
      const status = this.records(center).find(({ purpose }) => purpose === id)?.status;
      if (status !== 'active' && status !== 'always-active' && status !== 'pending')
        this.#fault('told as on though off', `${id} of ${reference}`);
    }
    return items;
  }

  /** Whether a later word in any center withdrew a key; the centers may share a record. */
  #isOffSince(key: string, since: number): boolean {
    return [...this.#words.values()].some((words) =>
      words.some(
        ({ kind, key: of, at }) => of === key && at > since && (kind === 'off' || kind === 'objection'),
      ),
    );
  }

  /** The last valid word of the person about a purpose or topic; undefined if none. */
  #lastWord(center: string, key: string, words = this.#of(this.#words, center)): Word | undefined {
    let last: Word | undefined;
    let withdrawn = 0;
    let granted = 0;
    let hasAgreed = false;
    for (const [index, word] of words.entries()) {
      const { kind, knew = 0 } = word;
      const isWithdrawal = kind === 'off' || kind === 'off-elsewhere';
      if (word.key !== key && !(isWithdrawal && word.key === purposeIn(key))) continue;
      // An old form grants nothing, unless a newer grant came after the withdrawal.
      const isOld = kind === 'on' && knew < withdrawn && granted < withdrawn;
      if (isOld || (kind === 'objection' && (hasAgreed || this.#isConfirmed(key)))) continue;
      if (kind === 'off' || kind === 'objection') withdrawn = index + 1;
      if (kind === 'on') granted = index + 1;
      hasAgreed = grants.has(kind) || (hasAgreed && !isWithdrawal);
      last = word;
    }
    return last;
  }

  /** Whether, after the form of a word was shown, another form's grant was withdrawn elsewhere. */
  #isWithdrawnSinceDrawn(center: string, { key, by, knew = 0, at }: Word, readAt: number): boolean {
    if (key !== purposeIn(key)) return false;
    const since = this.#of(this.#words, center)
      .slice(knew)
      .filter((word) => word.key === key && word.at < at);
    const off = since.findLastIndex(({ kind }) => kind === 'off-elsewhere');
    const before = since.slice(0, Math.max(0, off));
    const isLater = since.slice(off + 1).some(({ kind }) => grants.has(kind));
    const isGranted = before.some((word) => word.kind === 'on' && word.by !== by);
    const offAt = since[off]?.at ?? readAt;
    return isGranted && !isLater && offAt < readAt - lag && !this.#wasOn(center, key, offAt);
  }

  #wasLocked(center: string, purpose: string, since: number): boolean {
    const states = this.#of(this.#states, center);
    const first = states.findLastIndex(({ at }) => at <= since);
    return states
      .slice(Math.max(0, first))
      .some(({ records }) =>
        records.some((each) => each.purpose === purpose && each.status === 'always-active'),
      );
  }

  #wasOn(center: string, key: string, since: number): boolean {
    const later = this.#of(this.#states, center).filter(({ at }) => at > since);
    const all = [this.records(center, since), ...later.map(({ records }) => records)];
    return all.some((records) => keysOn(records).includes(key));
  }

  /** Whether a call that could not know of a change elsewhere landed after it. */
  #isHidden(center: string, word: Word): boolean {
    return this.#of(this.#sent, center).some(({ readAt, keys, landedAt }) => {
      return landedAt >= word.at && readAt < word.at + lag && keys.includes(word.key);
    });
  }

  /** Whether a save confirms the default of a key; an objection takes that for an agreement. */
  #isConfirmed(key: string): boolean {
    return key === 'd' && this.#script.confirms === true;
  }

  #fault(kind: string, text: string): void {
    this.faults.push(`${kind}: ${text}`);
  }
}
