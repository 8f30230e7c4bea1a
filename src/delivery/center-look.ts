import { centerOf, type DesiredState, isUnsettled, type Limits } from '../core/consent/desired-state.ts';
import { comparedWith, lacksPurpose, observe } from '../core/consent/observe.ts';
import type { Known } from '../core/consent/step-draft.ts';
import { isGrantOver } from '../core/consent/step-rows.ts';
import type { ReadRecord, Subject, SubjectId } from '../core/model/person/subject.ts';
import { Problem } from '../core/model/problem.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Platform } from '../ports/platform.ts';
import { codeOf, isRefusal } from './backoff.ts';
import { readPriorityOf } from './priority.ts';

interface LookTools {
  readonly platform: Pick<Platform, 'findCenter' | 'readSubject'>;
  readonly clock: Clock;
  readonly timer: Timer;
  /** The person submits so often that other people go first. */
  readonly isOften: boolean;
  readonly limits: Limits;
}

/** Milliseconds that a withdrawal waits for a schema. */
const schemaAwaited = 1_000;
/** The greatest age of a cached schema for a grant. Milliseconds. */
const schemaKept = 5_000;
/** The greatest age of a schema that lacks a purpose: many people may need the same one. Milliseconds. */
const schemaForMissing = 30_000;
/** After this many readings in a row that are not believed, the record counts as unreadable. */
const mostReadings = 12;

/** The facts about one center while the loop works for a person. */
export class CenterLook implements Known {
  readonly center: string;
  readonly #subject: SubjectId;
  readonly #tools: LookTools;
  schema: Known['schema'];
  observed: ReadRecord | undefined;
  isUnreadable = false;
  isRefused = false;
  #isConfirmed = false;
  /** The previous reading, while a surprise is confirmed. */
  #previous: Subject | undefined;
  #readings = 0;
  /** The reason why there is no reading. */
  fault: unknown;
  /** The reason why there is no schema; withdrawals go on without one. */
  schemaFault: unknown;
  /** The time before which no other reading is made. */
  readAt = 0;
  /** True once the platform has answered. */
  hasRead = false;
  /** The number of calls made. */
  calls = 0;

  constructor(center: string, subject: SubjectId, tools: LookTools) {
    this.center = center;
    this.#subject = subject;
    this.#tools = tools;
  }

  get isAway(): boolean {
    return this.fault !== undefined;
  }

  /** Drops the reading, because a call was made or the person said something since. */
  forget(): void {
    this.observed = undefined;
    this.#previous = undefined;
    this.#readings = 0;
    this.readAt = 0;
    this.fault = undefined;
  }

  /** Reads again after a pause. */
  again(afterMs: number): void {
    this.observed = undefined;
    this.readAt = this.#tools.clock.now() + afterMs;
  }

  /** Reads the record. If no reading can be had now, `fault` says why. */
  async read(desired: DesiredState): Promise<void> {
    const { platform, clock, isOften } = this.#tools;
    if (this.#readings >= mostReadings) {
      this.fault = unreadable('readings of one record disagree');
      return;
    }
    this.#readings += 1;
    const at = clock.now();
    const center = centerOf(desired, this.center);
    try {
      const priority = readPriorityOf(center, isOften);
      const reading = platform.readSubject(this.center, this.#subject, { priority });
      const [subject] = await Promise.all([
        reading,
        this.schema === undefined ? this.readSchema(desired) : undefined,
      ]);
      this.hasRead = true;
      await this.#confirmMissing(desired, subject);
      this.#believe(desired, { subject, at });
    } catch (fault) {
      const code = codeOf(fault);
      this.fault = fault;
      this.isRefused = isRefusal(code);
      this.isUnreadable = code === 'platform-unreadable' || code === 'quota-used-up' || this.isRefused;
    }
  }

  #believe(desired: DesiredState, reading: ReadRecord): void {
    const schema = typeof this.schema === 'object' ? this.schema.center : undefined;
    const look = { center: this.center, schema, reading, previous: this.#previous };
    const observed = observe(desired, look, this.#tools.limits);
    this.#previous = comparedWith(observed, reading.subject);
    if (observed.kind === 'believed') {
      this.observed = observed.reading;
      this.#readings = 0;
      this.isUnreadable = false;
    } else if (observed.kind === 'again') this.again(observed.afterMs);
    else {
      this.fault = unreadable(observed.row);
      this.isUnreadable = true;
    }
  }

  /** A grant needs a schema read after its form was shown. Withdrawals go on without one. */
  async readSchema(desired: DesiredState): Promise<void> {
    const { clock, limits } = this.#tools;
    const { items, asked } = centerOf(desired, this.center);
    const now = clock.now();
    const grants = items.filter(
      ({ want, phase, at }) => want !== 'off' && phase === 'open' && !isGrantOver(at, { now, limits }),
    );
    const shownAt = grants.map(
      ({ by, at }) => asked.find(({ reference }) => reference === by)?.form?.at ?? at,
    );
    const readWithin =
      grants.length === 0 ? undefined : Math.max(0, Math.min(schemaKept, now - Math.max(...shownAt)));
    const isWaitedFor = grants.length > 0 && !items.some((item) => item.want === 'off' && isUnsettled(item));
    await this.#findSchema({ readWithin, isWaitedFor });
  }

  async #findSchema(how: {
    readonly readWithin: number | undefined;
    readonly isWaitedFor: boolean;
    readonly isConfirmed?: boolean;
  }): Promise<void> {
    const { platform, clock, timer } = this.#tools;
    const { readWithin, isWaitedFor, isConfirmed = false } = how;
    const readAt = readWithin === undefined ? 0 : clock.now() - readWithin;
    try {
      const finding = platform.findCenter(this.center, { readWithin, isConfirmed });
      const found = await (isWaitedFor ? finding : within(schemaAwaited, finding, timer));
      if (found === undefined) throw new Problem('not-found');
      this.schema = { center: found, readAt };
    } catch (problem) {
      if (isWaitedFor && codeOf(problem) !== 'not-found') throw problem;
      this.schema = codeOf(problem) === 'not-found' ? 'gone' : 'absent';
      this.schemaFault = problem;
    }
  }

  /**
   * Reads the schema again for a missing purpose. A purpose that is neither on record nor in the center may
   * be newer than the schema: it is missing only if a confirmed schema lacks it.
   */
  async #confirmMissing(desired: DesiredState, subject: Subject): Promise<void> {
    const center = centerOf(desired, this.center);
    if (this.#isConfirmed || typeof this.schema !== 'object') return;
    if (!lacksPurpose(center, subject, this.schema.center)) return;
    const oldest = Math.min(...center.items.map(({ at }) => at));
    const readWithin = Math.max(schemaForMissing, this.#tools.clock.now() - oldest);
    this.#isConfirmed = true;
    await this.#findSchema({ readWithin, isWaitedFor: false, isConfirmed: true });
  }
}

function unreadable(row: string): Problem {
  return new Problem('platform-unreadable', { cause: new Error(row) });
}

/** Rejects with platform-slow after this many milliseconds. */
export function within<T>(milliseconds: number, finding: Promise<T>, timer: Timer): Promise<T> {
  const late = Promise.withResolvers<T>();
  const cancel = timer.after(milliseconds, () => {
    late.reject(new Problem('platform-slow', { cause: new Error('no schema in time') }));
  });
  return Promise.race([finding, late.promise]).finally(cancel);
}
