/** One person, a platform that does as it is told unless a fault is named, and the loop around the rules, in given time. */

import {
  type DesiredState,
  emptyState,
  type Line,
  usualLimits,
} from '../../../src/core/consent/desired-state.ts';
import { observe } from '../../../src/core/consent/observe.ts';
import { type Said, say } from '../../../src/core/consent/say.ts';
import { statusGiven } from '../../../src/core/consent/standing.ts';
import { step } from '../../../src/core/consent/step.ts';
import { type CallEnd, heard, type Plan } from '../../../src/core/consent/step-call.ts';
import { newsBetween, type Told, told } from '../../../src/core/consent/told.ts';
import { undoOwned } from '../../../src/core/consent/undo.ts';
import type { Center } from '../../../src/core/model/center/center.ts';
import type {
  ConsentRecord,
  RecordedStatus,
  Subject,
  SubjectId,
} from '../../../src/core/model/person/subject.ts';
import type { ConsentUpdate } from '../../../src/core/model/submission/consent-update.ts';
import { type Intent, noIntent, type PurposeChange } from '../../../src/core/model/submission/intent.ts';
import type { FormFacts } from '../../../src/core/model/submission/submission-request.ts';

import { record } from '../center-builder.ts';

export const anna = 'anna@example.org' as SubjectId;

/** What becomes of a call, or of a reading, out of the ordinary. `late`: it lands after so many milliseconds. */
export type Fault =
  | 'refused'
  | 'nothing-done'
  | 'lost'
  | 'landed-and-lost'
  | 'ignored'
  /** It was answered, and then the platform is away. */
  | 'last'
  | { readonly late: number }
  | { readonly refuses: readonly string[] };

export interface Submitted {
  readonly reference: string;
  readonly center: string;
  readonly intent: Intent;
  readonly lines: Line[];
}

export class Person {
  desired: DesiredState = emptyState;
  now = 1_000_000;
  readonly submitted: Submitted[] = [];
  /** `GET`, and calls as they were sent. */
  readonly wire: string[] = [];
  /** Of the next calls, in order; undefined: none. */
  readonly faults: (Fault | undefined)[] = [];
  /** What the next readings show, in order; undefined: what is so. */
  readonly readings: (Subject | undefined)[] = [];
  isPlatformAway = false;
  /** Purposes that a grant leaves waiting for a confirmation. */
  doubleOptIn: readonly string[] = [];
  readonly rows: string[] = [];
  /** Which the platform shares between its centers, or not. */
  readonly #records: Record<string, Subject>;
  readonly #centers: Readonly<Record<string, Center>>;
  readonly #isShared: boolean;
  readonly #flying: { readonly at: number; readonly center: string; readonly plan: Plan }[] = [];

  constructor(
    centers: readonly Center[],
    records: readonly ConsentRecord[] | string,
    {
      isShared = false,
      ...subject
    }: Partial<Omit<Subject, 'purposes'>> & { readonly isShared?: boolean } = {},
  ) {
    this.#isShared = isShared;
    this.#centers = Object.fromEntries(centers.map((center) => [center.id, center]));
    const start: Subject = {
      id: anna,
      language: undefined,
      dataElements: {},
      ...subject,
      purposes: read(records),
    };
    this.#records = Object.fromEntries(
      (isShared ? ['all'] : centers.map(({ id }) => id)).map((id) => [id, start]),
    );
  }

  record(center = 'center'): Subject {
    return this.#records[this.#isShared ? 'all' : center] as Subject;
  }

  /** By others. */
  change(given: readonly ConsentRecord[] | string, center = 'center'): void {
    const records = read(given);
    const ids = new Set(records.map(({ purpose }) => purpose));
    const kept = this.record(center).purposes.filter(({ purpose }) => !ids.has(purpose));
    this.#keep(center, { ...this.record(center), purposes: [...kept, ...records] });
  }

  changeWords(center: Center): void {
    (this.#centers as Record<string, Center>)[center.id] = center;
  }

  form(center = 'center'): FormFacts {
    return {
      at: this.now,
      order: this.desired.order,
      revision: (this.#centers[center] as Center).revision,
      drawn: this.record(center).purposes.map((record) => {
        return { purpose: record.purpose, status: statusGiven(record), isOn: record.status === 'active' };
      }),
    };
  }

  /** `for`: milliseconds that the loop then works on. */
  submit(
    intent: Partial<Intent> | readonly PurposeChange[],
    { for: until, ...how }: Partial<Said> & { readonly for?: number } = {},
  ): Submitted {
    const center = how.center ?? 'center';
    const asked: Intent = { ...noIntent, ...(Array.isArray(intent) ? { purposes: intent } : intent) };
    const reference = `r${this.submitted.length + 1}`;
    const submission: Submitted = { reference, center, intent: asked, lines: [] };
    this.submitted.push(submission);
    const form = 'form' in how ? how.form : this.form(center);
    const said: Said = {
      confirms: [],
      isObjection: false,
      isOneClick: false,
      isBounded: false,
      undoes: undefined,
      schema: this.#centers[center],
      ...how,
      reference,
      center,
      intent: asked,
      form,
    };
    this.now += 1;
    const { desired, ended, repeats } = say(this.desired, said, this.now, usualLimits);
    this.desired = JSON.parse(JSON.stringify(desired)) as DesiredState;
    this.#keepLines(ended);
    if (repeats !== undefined) this.rows.push(`repeats ${repeats}`);
    if (until !== undefined) this.settle(until);
    return submission;
  }

  /** Works in every center until nothing is due within `until` milliseconds. */
  settle(until = 0): this {
    const end = this.now + until;
    const due = new Map(Object.keys(this.#centers).map((id) => [id, this.now]));
    for (let turns = 0; turns < 500; turns += 1) {
      const [center, at] = [...due].sort((one, other) => one[1] - other[1])[0] ?? [
        '',
        Number.POSITIVE_INFINITY,
      ];
      const landing = this.#flying.toSorted((one, other) => one.at - other.at)[0];
      if (landing !== undefined && landing.at <= Math.min(at, end)) {
        this.now = Math.max(this.now, landing.at);
        this.#flying.splice(this.#flying.indexOf(landing), 1);
        this.#land(landing.center, landing.plan);
        continue;
      }
      if (at > end) break;
      this.now = Math.max(this.now, at);
      const lines = this.submitted.flatMap((each) => each.lines).length;
      due.set(center, this.#turn(center));
      const isNews = this.submitted.flatMap((each) => each.lines).length > lines;
      if (isNews) for (const id of due.keys()) due.set(id, Math.min(this.now, due.get(id) ?? this.now));
    }
    this.now = Math.max(this.now, end);
    return this;
  }

  told(submission: Submitted): Told {
    return told(submission, this.desired, this.now, usualLimits);
  }

  /** As `on a: saved`. */
  says(submission: Submitted): readonly string[] {
    const { items, everything } = this.told(submission);
    return [
      ...items.map(({ change, id, outcome }) => `${change} ${id}: ${outcome}`),
      ...(everything === undefined ? [] : [`everything: ${everything}`]),
    ];
  }

  news(submission: Submitted, from = 0): readonly string[] {
    const before = told({ ...submission, lines: submission.lines.slice(0, from) }, emptyState, this.now);
    return newsBetween(from === 0 ? nothingTold : before, this.told(submission)).map(
      ({ type, change, purpose, outcome }) => `${type} ${change} ${purpose ?? ''} ${outcome}`,
    );
  }

  undo(submission: Submitted): Intent | undefined {
    const center = this.#centers[submission.center] as Center;
    return undoOwned(submission, this.desired, {
      center,
      globalPrivacyControl: false,
      told: this.told(submission),
    })?.intent;
  }

  /** As `a[t1]`, what is on in a center. */
  on(center = 'center'): readonly string[] {
    return this.record(center).purposes.flatMap(({ purpose, status, topics, preferences }) => {
      if (status !== 'active' && status !== 'always-active') return [];
      const chosen = [
        ...topics,
        ...preferences.flatMap(({ id, options }) => options.map((option) => `${id}.${option}`)),
      ];
      return chosen.length === 0 ? [purpose] : [`${purpose}[${chosen.toSorted().join(' ')}]`];
    });
  }

  /** One look: when the next one is due. */
  #turn(center: string): number {
    let previous: Subject | undefined;
    let observed: { readonly subject: Subject; readonly at: number } | undefined;
    let isUnreadable = false;
    for (let steps = 0; steps < 60; steps += 1) {
      const schema = { center: this.#centers[center] as Center, readAt: this.now };
      const isAway = isUnreadable;
      const known = { center, observed, schema, isUnreadable, isAway };
      const stepped = step(this.desired, known, this.now, usualLimits);
      this.desired = JSON.parse(JSON.stringify(stepped.desired)) as DesiredState;
      this.#keepLines(stepped.ended);
      const { next } = stepped;
      if (next.kind === 'done') return Number.POSITIVE_INFINITY;
      if (next.kind === 'wait') return next.until;
      if (next.kind === 'later') return this.now + 30_000;
      if (next.kind === 'read-schema') throw new Error('it has a schema');
      if (next.kind === 'call') {
        observed = undefined;
        previous = undefined;
        if (!this.#call(center, next)) return this.now + 30_000;
        continue;
      }
      if (this.isPlatformAway) {
        if (isUnreadable) return this.now + 30_000;
        isUnreadable = true;
        continue;
      }
      this.now += next.afterMs;
      this.wire.push('GET');
      const subject = this.readings.shift() ?? this.record(center);
      const reading = { subject, at: this.now };
      this.now += 1;
      const seen = observe(this.desired, { center, schema: schema.center, reading, previous }, usualLimits);
      if (seen.kind === 'believed') observed = reading;
      else this.rows.push(seen.row);
      if (seen.kind === 'unusable') return this.now + 30_000;
      if (seen.kind === 'again' && seen.row === 'perhaps-older') return this.now + seen.afterMs;
      if (seen.kind === 'again') this.now += seen.afterMs;
      previous = subject;
    }
    throw new Error('it does not come to an end');
  }

  #call(center: string, plan: Plan): boolean {
    const { update } = plan;
    const names = update?.purposes.map(({ id, topics, preferences }) => {
      const chosen = [
        ...topics,
        ...preferences.flatMap((each) => each.options.map((option) => `${each.id}.${option}`)),
      ];
      return chosen.length === 0 ? id : `${id}[${chosen.toSorted().join(' ')}]`;
    });
    const pair = plan.refusals.length > 0 ? ` after ${plan.refusals.join(' ')}` : '';
    this.wire.push(names === undefined ? 'DELETE' : `PUT ${names.join(' ')}${pair}`.trim());
    const fault = this.isPlatformAway ? 'nothing-done' : this.faults.shift();
    const end = this.#made(center, plan, fault);
    this.now += 1;
    const known = heard(this.desired, { center, order: plan.order, end }, this.now);
    this.desired = JSON.parse(JSON.stringify(known.desired)) as DesiredState;
    this.#keepLines(known.ended);
    return end.kind !== 'nothing-done';
  }

  #made(center: string, plan: Plan, fault: Fault | undefined): CallEnd {
    if (fault === 'refused' || fault === 'nothing-done') return { kind: fault };
    if (fault === 'lost') return { kind: 'lost' };
    if (typeof fault === 'object' && 'late' in fault) {
      this.#flying.push({ at: this.now + fault.late, center, plan });
      return { kind: 'lost' };
    }
    const refuses = typeof fault === 'object' ? fault.refuses : [];
    if (fault !== 'ignored') this.#land(center, plan, refuses);
    if (fault === 'last') this.isPlatformAway = true;
    if (fault === 'landed-and-lost') return { kind: 'lost' };
    const about =
      plan.update?.purposes.map(({ id }) => id) ?? this.record(center).purposes.map(({ purpose }) => purpose);
    const items = about.map((purpose) => {
      return {
        purpose,
        accepted: !refuses.includes(purpose),
        receipt: `receipt-${plan.order}`,
        messages: [],
      };
    });
    return { kind: 'answered', answer: { items } };
  }

  #land(center: string, { update, refusals }: Plan, refuses: readonly string[] = []): void {
    if (refusals.length > 0 && update !== undefined) {
      this.#put(center, withAssumed(update, refusals), refuses);
    }
    this.#put(center, update, refuses);
  }

  #put(center: string, update: ConsentUpdate | undefined, refuses: readonly string[]): void {
    const before = this.record(center);
    const sent = new Map(update?.purposes.map((each) => [each.id, each]));
    const kept = before.purposes.map((record): ConsentRecord => {
      const given = sent.get(record.purpose);
      sent.delete(record.purpose);
      if (record.status === 'always-active' || refuses.includes(record.purpose)) return record;
      if (given !== undefined)
        return {
          ...record,
          status: this.#granted(record),
          topics: given.topics,
          preferences: given.preferences,
        };
      const isTakenOut = record.status === 'active' || (update === undefined && record.status === 'pending');
      return isTakenOut ? { ...record, status: 'off' } : record;
    });
    const added = [...sent.values()].flatMap(({ id, topics, preferences }): ConsentRecord[] => {
      if (refuses.includes(id)) return [];
      return [{ purpose: id, label: undefined, status: this.#granted({ purpose: id }), topics, preferences }];
    });
    const dataElements = { ...before.dataElements, ...update?.dataElements };
    const language = update?.language ?? before.language;
    this.#keep(center, { ...before, purposes: [...kept, ...added], dataElements, language });
  }

  #granted({ purpose, status }: Pick<ConsentRecord, 'purpose'> & { status?: string }): 'active' | 'pending' {
    return this.doubleOptIn.includes(purpose) && status !== 'active' ? 'pending' : 'active';
  }

  #keep(center: string, subject: Subject): void {
    this.#records[this.#isShared ? 'all' : center] = subject;
  }

  #keepLines(lines: readonly Line[]): void {
    for (const line of lines) {
      this.rows.push(line.row);
      this.submitted.find(({ reference }) => reference === line.by)?.lines.push(line);
    }
  }
}

function withAssumed(update: ConsentUpdate, refusals: readonly string[]): ConsentUpdate {
  const assumed = refusals.map((id) => ({ id, topics: [], preferences: [] }));
  return { ...update, purposes: [...update.purposes, ...assumed] };
}

const nothingTold: Told = {
  state: 'pending',
  everything: undefined,
  items: [],
  agreed: [],
  aftermath: undefined,
};

/** `a d:off b[t1 one.x]`: purposes, active where nothing is said, with their topics and options. */
export function recordsOf(text: string): readonly ConsentRecord[] {
  return [...text.matchAll(/([\w]+)(?::([\w-]+))?(?:\[([^\]]*)\])?/g)].map(
    ([, id = '', status = 'active', inside = '']) => {
      const chosen = inside.split(' ').filter((each) => each !== '');
      const options = chosen.flatMap((each) =>
        each.includes('.') ? [each.split('.') as [string, string]] : [],
      );
      const preferences = [...Map.groupBy(options, ([preference]) => preference)].map(([preference, of]) => {
        return { id: preference, options: of.map(([, option]) => option) };
      });
      const topics = chosen.filter((each) => !each.includes('.'));
      return record(id, status as RecordedStatus, topics, preferences);
    },
  );
}

function read(records: readonly ConsentRecord[] | string): readonly ConsentRecord[] {
  return typeof records === 'string' ? recordsOf(records) : records;
}
