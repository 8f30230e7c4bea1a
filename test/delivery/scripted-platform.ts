import type { Center } from '../../src/core/model/center/center.ts';
import type { RecordedStatus, Subject, SubjectId } from '../../src/core/model/person/subject.ts';
import { Problem, type ProblemCode } from '../../src/core/model/problem.ts';
import type { ConsentAnswer, ConsentUpdate } from '../../src/core/model/submission/consent-update.ts';
import type { Platform } from '../../src/ports/platform.ts';
import { record } from '../core/center-builder.ts';

/** A failure of one call, which then has no effect. */
export interface Fault {
  readonly kind: 'fails';
  readonly code: ProblemCode;
  readonly retryAfter?: number;
}

export interface PlatformCall {
  readonly kind: 'read' | 'put' | 'delete';
  readonly subject: string;
  readonly update: ConsentUpdate | undefined;
}

/** A platform in memory by docs/platform-api.md, Subject, with scripted faults and a record per subject. */
export class ScriptedPlatform
  implements Pick<Platform, 'findCenter' | 'readSubject' | 'updateConsent' | 'withdrawAll'>
{
  readonly calls: PlatformCall[] = [];
  /** The fault of each call; undefined lets the call pass. */
  script: (call: PlatformCall) => Fault | undefined = () => undefined;
  /** A hook after the effect of each call, for changes elsewhere. */
  afterCall: (call: PlatformCall) => void = () => undefined;
  readonly #center: Center | undefined;
  readonly #subjects = new Map<string, Subject>();
  #receipts = 0;

  constructor(center: Center | undefined) {
    this.#center = center;
  }

  writes(): readonly PlatformCall[] {
    return this.calls.filter((call) => call.kind !== 'read');
  }

  put(subject: Subject): void {
    this.#subjects.set(subject.id, subject);
  }

  subject(id: SubjectId): Subject {
    return this.#subjects.get(id) ?? { id, language: undefined, purposes: [], dataElements: {} };
  }

  statusOf(id: SubjectId, purpose: string): RecordedStatus | undefined {
    return this.subject(id).purposes.find((record) => record.purpose === purpose)?.status;
  }

  async findCenter(): Promise<Center | undefined> {
    return this.#center;
  }

  async readSubject(_center: string, id: SubjectId): Promise<Subject> {
    return this.#call({ kind: 'read', subject: id, update: undefined }, () => this.subject(id));
  }

  async updateConsent(_center: string, id: SubjectId, update: ConsentUpdate): Promise<ConsentAnswer> {
    return this.#call({ kind: 'put', subject: id, update }, () => this.#update(id, update));
  }

  async withdrawAll(_center: string, id: SubjectId): Promise<ConsentAnswer> {
    const empty = { purposes: [], dataElements: {}, language: undefined };
    const call = { kind: 'delete', subject: id, update: undefined } as const;
    return this.#call(call, () => this.#update(id, empty, true));
  }

  #call<T>(call: PlatformCall, act: () => T): T {
    this.calls.push(call);
    const fault = this.script(call);
    if (fault !== undefined) throw new Problem(fault.code, { retryAfter: fault.retryAfter });
    const answer = act();
    this.afterCall(call);
    return answer;
  }

  /** Activates the purposes of the update and withdraws other active ones; with `all`, all on record. */
  #update(id: SubjectId, update: ConsentUpdate, all = false): ConsentAnswer {
    const subject = this.subject(id);
    const receipt = `receipt-${++this.#receipts}`;
    const records = new Map(subject.purposes.map((record) => [record.purpose, record]));
    const items: ConsentAnswer['items'][number][] = [];
    for (const purpose of update.purposes) {
      const status = records.get(purpose.id)?.status === 'always-active' ? 'always-active' : 'active';
      records.set(purpose.id, record(purpose.id, status, purpose.topics, purpose.preferences));
      items.push({ purpose: purpose.id, accepted: true, receipt, messages: ['Purpose updated'] });
    }
    for (const old of subject.purposes) {
      if (update.purposes.some((purpose) => purpose.id === old.purpose)) continue;
      if (!all && old.status !== 'active') continue;
      records.set(old.purpose, { ...old, status: 'off' });
      items.push({ purpose: old.purpose, accepted: true, receipt, messages: ['Purpose withdrawn'] });
    }
    this.#subjects.set(id, {
      ...subject,
      language: update.language ?? subject.language,
      purposes: [...records.values()],
      dataElements: { ...subject.dataElements, ...update.dataElements },
    });
    return { items };
  }
}
