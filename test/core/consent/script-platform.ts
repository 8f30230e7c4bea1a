/** The platform of a script: its record, and the faults of its calls and readings. */

import { type Center, everyPurpose } from '../../../src/core/model/center/center.ts';
import type { ConsentRecord, Subject } from '../../../src/core/model/person/subject.ts';
import { Problem } from '../../../src/core/model/problem.ts';
import type { ConsentAnswer, ConsentUpdate } from '../../../src/core/model/submission/consent-update.ts';
import type { LoopTools } from '../../../src/delivery/person-loop.ts';
import type { FakeTime } from '../../delivery/fake-time.ts';
import { record } from '../center-builder.ts';
import { aSubject } from '../page-builder.ts';
import {
  type CallFault,
  centerOffering,
  keysOf,
  keysOn,
  labelOf,
  type ReadingFault,
  type Script,
  type Values,
  valuesIn,
} from './script.ts';
import type { Judge } from './script-judge.ts';

type Sleep = (milliseconds: number) => Promise<void>;

export class ScriptPlatform {
  readonly #script: Script;
  readonly #judge: Judge;
  readonly #time: FakeTime;
  readonly #note: (text: string) => void;
  readonly #start: number;
  /** The readings and calls in their order. */
  readonly wire: string[] = [];
  readonly #centers = new Map<string, Center>();
  #calls = 0;
  #readings = 0;
  #schemas = 0;

  constructor(script: Script, tools: { judge: Judge; time: FakeTime; note: (text: string) => void }) {
    this.#script = script;
    this.#judge = tools.judge;
    this.#time = tools.time;
    this.#note = tools.note;
    this.#start = tools.time.now();
    const { isShared = false, centers, start = [], values = {} } = script;
    for (const [id, offers] of Object.entries(centers)) {
      this.open(id, offers);
      const records = start.filter(({ purpose }) => isShared || offers.includes(purpose));
      if (isShared && this.#centers.size > 1) continue;
      this.#judge.becomes(id, records);
      this.#judge.values(id).become(values);
      for (const key of keysOn(records)) this.#judge.say(id, key, 'on-at-first');
      for (const each of records)
        if (each.status === 'off') this.#judge.say(id, each.purpose, 'off-at-first');
    }
  }

  /** The platform for one process: an answer takes `sleep`, and a dead process never gets it. */
  seenBy(sleep: Sleep): LoopTools['platform'] {
    return {
      findCenter: (id) => this.#find(id, sleep),
      readSubject: (center) => this.#read(center, sleep),
      updateConsent: (center, _, update, options) => this.#send(center, update, options?.permits ?? 1, sleep),
      withdrawAll: (center) => this.#send(center, undefined, 1, sleep),
    };
  }

  open(id: string, offers: readonly string[], revision = '1'): void {
    const { confirms: confirmsDefaults = false } = this.#script;
    this.#centers.set(id, centerOffering(offers, this.#script, { id, revision, confirmsDefaults }));
  }

  center(id: string): Center {
    const center = this.#centers.get(id);
    if (center === undefined) throw new Error(`no center ${id}`);
    return center;
  }

  offers(center: string): readonly string[] {
    return everyPurpose(this.center(center)).map(({ id }) => id);
  }

  subject(center: string, lag = 0): Subject {
    const offers = this.offers(center);
    const records = this.#judge.records(center, this.#time.now() - lag);
    const { language, ...values } = this.#judge.values(center).at(this.#time.now() - lag);
    return aSubject({
      purposes: records.filter(({ purpose }) => offers.includes(purpose)),
      dataElements: byLabel(values),
      language,
    });
  }

  #isAway(): boolean {
    const [from, until] = this.#script.away ?? [0, 0];
    const now = this.#time.now() - this.#start;
    return now >= from && now < until;
  }

  async #find(id: string, sleep: Sleep): Promise<Center> {
    const { end, takes = 0 } = this.#script.schemas?.[this.#schemas++] ?? {};
    if (takes > 0) await sleep(takes);
    if (end === undefined) return this.center(id);
    this.#judge.disturbs('schema');
    throw new Problem('platform-unreachable');
  }

  async #read(center: string, sleep: Sleep): Promise<Subject> {
    const fault: ReadingFault = this.#isAway()
      ? { end: 'fails' }
      : (this.#script.readings?.[this.#readings] ?? {});
    const { end, lacks, says, lag, takes = 50 } = fault;
    const name = `reading ${this.#readings++} of ${center}`;
    this.wire.push('GET');
    this.#judge.asks(center);
    const subject = this.subject(center, lag);
    await sleep(takes);
    const { [lacks ?? '']: _, ...values } = end === 'empty' ? {} : valuesIn(subject);
    const { language, ...typed } = values;
    const kept = subject.purposes.filter(({ purpose }) => purpose !== lacks);
    const shown = kept.map((is) => (says?.purpose === is.purpose ? says : is));
    const purposes = end === 'empty' ? [] : shown;
    this.#note(`${name}: ${end ?? `${list(purposes)} ${JSON.stringify(values)}`}`);
    if (end !== undefined || lacks !== undefined || says !== undefined) this.#judge.disturbs('record');
    if (end === 'fails') throw new Problem('platform-unreachable');
    if (end === 'unreadable') throw new Problem('platform-unreadable');
    return { ...subject, purposes, dataElements: byLabel(typed), language };
  }

  async #send(
    center: string,
    update: ConsentUpdate | undefined,
    permits: number,
    sleep: Sleep,
  ): Promise<ConsentAnswer> {
    const { refuses } = this.#script;
    const { takes = 100, ...fault }: CallFault = this.#isAway()
      ? { end: 'unsent' }
      : (this.#script.calls?.[this.#calls] ?? {});
    const keys = update?.purposes.flatMap((sent) => keysOf(sent.id, sent));
    const values = update === undefined ? {} : valuesIn(update);
    const isRefused = refuses !== undefined && Object.values(values).includes(refuses);
    const { end, rejects, drops, late }: CallFault = isRefused ? { end: 'refused' } : fault;
    const called = keys === undefined ? 'DELETE' : `PUT ${keys.join(' ')} ${JSON.stringify(values)}`;
    const name = `call ${this.#calls++} in ${center}: ${called}`;
    this.wire.push(keys === undefined ? 'DELETE' : ['PUT', ...keys].join(' '));
    if (end ?? rejects ?? drops ?? late) this.#judge.disturbs('record');
    this.#note(`${name} ${end ?? ''}`);
    const sent = this.#judge.sends(center, update, permits);
    if (late !== undefined || end === undefined || end === 'landed-and-lost')
      this.#time.after(late ?? takes / 2, () => {
        sent.landedAt = this.#time.now();
        this.#land(center, update, rejects);
        const { [drops ?? '']: _, ...kept } = values;
        this.#judge.values(center).become({ ...this.#judge.values(center).at(), ...kept });
        const stands = JSON.stringify(this.#judge.values(center).at());
        this.#note(`${name} lands: ${list(this.#judge.records(center))} ${stands}`);
      });
    await sleep(takes);
    if (end === 'unsent') throw new Problem('platform-unreachable');
    if (end === 'refused') throw new Problem('platform-refused');
    if (late !== undefined || end === 'lost' || end === 'landed-and-lost')
      throw new Problem('platform-slow', { answerLost: true });
    const ids = update?.purposes.map(({ id }) => id);
    const about = ids ?? this.subject(center).purposes.map(({ purpose }) => purpose);
    const items = about.map((purpose) => ({ purpose, accepted: purpose !== rejects, messages: [] }));
    return { items: items.map((item) => ({ ...item, receipt: name })) };
  }

  #land(center: string, update: ConsentUpdate | undefined, rejects: string | undefined): void {
    const offers = this.offers(center);
    const before = this.#judge.records(center);
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
    this.#judge.becomes(center, [...after, ...before.filter(({ purpose }) => !offers.includes(purpose))]);
  }
}

function list(records: readonly ConsentRecord[]): string {
  const each = records.map(
    ({ status, rawStatus = status, ...record }) => `${keysOf(record.purpose, record).join('+')} ${rawStatus}`,
  );
  return each.join(', ') || 'nothing';
}

function byLabel(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [labelOf(field), value]));
}
