import {
  callsInDoubt,
  centerOf,
  type Limits,
  type Line,
  purposeOf,
  usualLimits,
} from '../core/consent/desired-state.ts';
import type { Person, PersonChange } from '../core/consent/person.ts';
import { nextMinute, type Stepped, step } from '../core/consent/step.ts';
import { heard, type Plan } from '../core/consent/step-call.ts';
import type { ReadRecord } from '../core/model/person/subject.ts';
import { Problem } from '../core/model/problem.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { ClaimedPerson, People } from '../ports/people.ts';
import type { Platform } from '../ports/platform.ts';
import { endTurn } from '../turn.ts';
import { codeOf, isUnsent, retryDelay } from './backoff.ts';
import { CenterLook } from './center-look.ts';
import { isOnlyWithdrawing, withdraws, withLines } from './person-change.ts';
import { bounded, type CallMadeNow, callersOf, callsOf, makeCall } from './platform-call.ts';

export interface LoopTools {
  readonly platform: Pick<Platform, 'findCenter' | 'readSubject' | 'updateConsent' | 'withdrawAll'>;
  readonly people: Pick<People, 'keep' | 'postpone' | 'submissionsOf'>;
  readonly clock: Clock;
  readonly timer: Timer;
  /** A number from 0 to 1, which spreads retries. */
  readonly jitter: () => number;
  /** Milliseconds of a lease; longer than any one call to the platform may take. */
  readonly lease: number;
  /** Waits before another reading, while other people are worked for. Rejects when the process ends. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Reports a submission that is no longer pending, or that goes on later and only withdraws. */
  readonly tell: (reference: string, result: Result) => void;
  readonly noteMissing: (center: string, purpose: string) => void;
  readonly isOften: (subject: Person['subject']) => boolean;
  readonly limits?: Limits | undefined;
}

/** The result of a submission. */
export interface Result {
  readonly change: PersonChange;
  /** The record as it was read back. */
  readonly readBack: ReadRecord | undefined;
}

/** The end of the work for a person. */
export interface Worked {
  /** References of pending submissions, for the log. */
  readonly pending: readonly string[];
  readonly isWithdrawing: boolean;
  readonly problem: unknown;
  /** True if the platform has answered. */
  readonly hasRead: boolean;
}

/** Another process has the lease. It finds out again all that was found out here. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Calls in one run and center: a change, the rest after a refused call, and the record of a refusal. */
const mostCalls = 3;
/** The longest pause for which the person is kept. Milliseconds. */
const longestPause = 10_000;
/** Steps for a person in one run: more are a fault of ours. */
const mostTurns = 1_000;
const unopenedFor = 10 * 60_000;

/**
 * Works for one claimed person until nothing is left to do now, then releases the person with the next due
 * time.
 */
export async function workFor(claimed: ClaimedPerson, tools: LoopTools): Promise<Worked> {
  const { person } = claimed;
  if (person === undefined) {
    // No key opens the row. The row stays in case the key is restored.
    await tools.people.postpone(claimed, tools.clock.now() + unopenedFor);
    const problem = new Problem('store-unavailable', { cause: new Error('no key opens a person') });
    return { pending: [], isWithdrawing: false, problem, hasRead: false };
  }
  const work = new Work(claimed, person, tools);
  try {
    await work.run();
  } catch (fault) {
    if (!(fault instanceof LeaseLost)) throw fault;
  }
  return work.worked();
}

/** A call of a plan, and its end that is not stored yet. */
interface Ended extends CallMadeNow {
  readonly center: string;
  readonly order: number;
}

class Work {
  readonly #tools: LoopTools;
  readonly #limits: Limits;
  #held: ClaimedPerson;
  /** The person as the store has it. */
  #kept: Person;
  /** The person with the changes of this run. */
  #person: Person;
  #lines: Line[] = [];
  #ended: Ended[] = [];
  readonly #looks = new Map<string, CenterLook>();
  /** Centers that are done for this run, with the time at which each goes on. */
  readonly #stopped = new Map<string, number>();
  #problem: unknown;

  constructor(held: ClaimedPerson, person: Person, tools: LoopTools) {
    this.#held = held;
    this.#kept = person;
    this.#person = person;
    this.#tools = tools;
    this.#limits = tools.limits ?? usualLimits;
  }

  worked(): Worked {
    return {
      pending: this.#person.open.flatMap(({ reference, state }) => (state === 'pending' ? reference : [])),
      isWithdrawing: withdraws(this.#person.desired),
      problem: this.#problem,
      hasRead: [...this.#looks.values()].some(({ hasRead }) => hasRead),
    };
  }

  async run(): Promise<void> {
    for (let turns = 0; turns < mostTurns; turns += 1) {
      const idle = await this.#turn();
      if (idle === undefined) continue;
      const { pause, dueAt } = idle;
      if (pause === undefined) {
        if (await this.#release(dueAt)) return;
        continue;
      }
      if (!(await this.#keep(this.#tools.clock.now()))) continue;
      try {
        await this.#tools.wait(pause);
      } catch (problem) {
        this.#problem = problem;
        await this.#release(this.#tools.clock.now());
        return;
      }
    }
    throw new Error('a person does not come to rest');
  }

  /**
   * Makes one step in each center. Resolves to undefined if something changed, so that all centers need
   * another step. `pause`: milliseconds until the next reading. `dueAt`: undefined if no work is due.
   */
  async #turn() {
    const { clock } = this.#tools;
    const pauses: number[] = [];
    const times: number[] = [];
    for (const { center } of this.#person.desired.centers) {
      if (this.#stopped.has(center)) continue;
      const look = this.#lookAt(center);
      await endTurn();
      const now = clock.now();
      const stepped = step(this.#person.desired, look, now, this.#limits);
      const { next } = stepped;
      if (next.kind === 'call') {
        await this.#carryOut(center, look, stepped, next);
        return undefined;
      }
      this.#person = { ...this.#person, desired: stepped.desired };
      this.#lines.push(...stepped.ended);
      switch (next.kind) {
        case 'read-schema':
          await this.#readSchema(center, look);
          return undefined;
        case 'read':
          if (next.afterMs > 0) look.again(next.afterMs);
          if (look.fault !== undefined) {
            this.#stop(center, look.fault);
            break;
          }
          if (look.readAt <= now) {
            await look.read(this.#person.desired);
            return undefined;
          }
          if (look.readAt - now <= longestPause) pauses.push(look.readAt - now);
          else this.#stop(center, look.schemaFault, look.readAt);
          break;
        case 'wait':
          times.push(next.until);
          break;
        case 'later':
          this.#stop(center, look.schemaFault);
          break;
        default:
      }
      if (stepped.ended.length > 0) return undefined;
    }
    const due = [...times, ...this.#stopped.values()];
    const dueAt = due.length === 0 ? undefined : Math.min(...due);
    return { pause: pauses.length === 0 ? undefined : Math.min(...pauses), dueAt };
  }

  #lookAt(center: string): CenterLook {
    const { platform, clock, timer, isOften } = this.#tools;
    const { subject } = this.#person;
    const tools = { platform, clock, timer, isOften: isOften(subject), limits: this.#limits };
    const look = this.#looks.get(center) ?? new CenterLook(center, subject, tools);
    this.#looks.set(center, look);
    return look;
  }

  async #readSchema(center: string, look: CenterLook): Promise<void> {
    try {
      await look.readSchema(this.#person.desired);
    } catch (problem) {
      this.#stop(center, problem);
    }
  }

  /** Stops a center for this run. It goes on at `until`, or after a back-off. */
  #stop(center: string, problem: unknown, until?: number): void {
    const tries = this.#triesOf(center);
    const attempts = (tries?.attempts ?? 0) + 1;
    const now = this.#tools.clock.now();
    const later = until ?? now + retryDelay({ attempts, problem, jitter: this.#tools.jitter });
    const minute = nextMinute(centerOf(this.#person.desired, center), { now, limits: this.#limits });
    this.#stopped.set(center, Math.min(later, minute));
    if (problem !== undefined) this.#problem = problem;
    const code = problem === undefined ? undefined : codeOf(problem);
    const others = this.#person.tries.filter((each) => each.center !== center);
    this.#person = {
      ...this.#person,
      tries: [...others, { center, attempts, problem: code, until: later }],
    };
  }

  #triesOf(center: string): Person['tries'][number] | undefined {
    return this.#person.tries.find((each) => each.center === center);
  }

  async #carryOut(center: string, look: CenterLook, stepped: Stepped, plan: Plan): Promise<void> {
    const { clock } = this.#tools;
    const isBackingOff = plan.isRepeat && (this.#triesOf(center)?.until ?? 0) > clock.now();
    const isEnough = look.calls >= mostCalls || (plan.isRepeat && look.calls > 0);
    const { desired, judged, ended } = stepped;
    this.#lines.push(...ended);
    if (isEnough || isBackingOff) {
      this.#person = { ...this.#person, desired: judged };
      this.#stop(center, undefined, isEnough ? undefined : this.#triesOf(center)?.until);
      return;
    }
    const by = callersOf(centerOf(desired, center), plan);
    const calls = callsOf(plan, clock.now());
    const open = this.#person.open.map((each) => {
      const { progress } = each;
      if (!by.has(each.reference)) return each;
      return { ...each, progress: { ...progress, calls: bounded([...progress.calls, ...calls]) } };
    });
    this.#person = { ...this.#person, desired, open };
    // The call is stored before it is made: a call without an answer may have arrived.
    if (!(await this.#keep(clock.now()))) return;
    look.calls += 1;
    // Centers may share a record, so no reading from before the call is used after it.
    for (const each of this.#looks.values()) each.forget();
    const { platform, isOften } = this.#tools;
    const { subject } = this.#person;
    const made = await makeCall(platform, { center, subject, plan, isOften: isOften(subject) });
    this.#hear({ center, order: plan.order, ...made });
  }

  /**
   * A refused grant does not hold up the withdrawals sent with it; after any other fault the center waits.
   */
  #hear(ended: Ended): void {
    const { center, order, end, problem } = ended;
    const lines = this.#lines.length;
    const isFloor = centerOf(this.#person.desired, center).everything?.call === order;
    this.#apply(ended);
    if (end.kind === 'answered') return;
    const goesOn = end.kind === 'refused' && (isFloor || this.#lines.length > lines);
    if (!goesOn) this.#stop(center, problem);
  }

  #apply(ended: Ended): void {
    this.#ended.push(ended);
    const { center, order, end, problem } = ended;
    const made =
      end.kind === 'answered'
        ? { answer: end.answer }
        : { problem: codeOf(problem), isUnsent: isUnsent(problem) };
    const said = heard(this.#person.desired, { center, order, end }, this.#tools.clock.now());
    const open = this.#person.open.map((each) => {
      const calls = each.progress.calls.map((call) => (call.order === order ? { ...call, ...made } : call));
      return { ...each, progress: { ...each.progress, calls } };
    });
    this.#person = { ...this.#person, desired: said.desired, open };
    this.#lines.push(...said.ended);
  }

  async #release(dueAt: number | undefined): Promise<boolean> {
    const tries = this.#person.tries.filter(({ center }) => this.#stopped.has(center));
    this.#person = { ...this.#person, tries };
    return this.#write(dueAt, 'released');
  }

  #keep(dueAt: number): Promise<boolean> {
    const now = this.#tools.clock.now();
    return this.#write(dueAt, { now, until: now + this.#tools.lease });
  }

  /**
   * Stores the changes. Resolves to false if the person has submitted something meanwhile: that is considered
   * first.
   */
  async #write(
    dueAt: number | undefined,
    lease: 'released' | { now: number; until: number },
  ): Promise<boolean> {
    const { people, clock } = this.#tools;
    await this.#loadMissing();
    const lines = this.#lines;
    await endTurn();
    const before = { ...this.#person, desired: this.#kept.desired };
    const change = withLines(before, { desired: this.#person.desired, ended: lines, now: clock.now() });
    const withdrawn = lease === 'released' ? change.person.open.filter(isOnlyWithdrawing(change.person)) : [];
    const over = change.submissions.filter(({ state }) => state !== 'pending');
    const told = new Map(
      [...over, ...withdrawn].map(({ reference }) => [reference, centerBy(before, reference)]),
    );
    await endTurn();
    const written = { ...change, dueAt, withdraws: withdraws(change.person.desired), told: [...told.keys()] };
    const kept = await people.keep(this.#held, written, lease);
    if (kept.kind === 'lost') throw new LeaseLost();
    this.#held = { ...this.#held, version: kept.version };
    this.#lines = [];
    if (kept.kind === 'changed') {
      await this.#beginAnew(kept.person);
      return false;
    }
    this.#ended = [];
    this.#kept = change.person;
    this.#person = change.person;
    for (const [reference, center] of told)
      this.#tools.tell(reference, { change: written, readBack: this.#readBackOf(reference, center) });
    for (const { outcome, key, by } of lines) {
      if (outcome === 'no-such-purpose') this.#tools.noteMissing(centerBy(before, by), purposeOf(key));
    }
    if (lease !== 'released' && clock.now() >= lease.until) throw new LeaseLost();
    return true;
  }

  /** The record as it was read after a submission finished; undefined if other words may still change it. */
  #readBackOf(reference: string, center: string): ReadRecord | undefined {
    const { desired, open } = this.#person;
    const isOpen = open.some((each) => each.reference !== reference && each.state === 'pending');
    return callsInDoubt(desired).length > 0 || isOpen ? undefined : this.#looks.get(center)?.observed;
  }

  async #beginAnew(person: Person | undefined): Promise<void> {
    if (person === undefined) {
      await this.#tools.people.postpone(this.#held, this.#tools.clock.now() + unopenedFor);
      throw new LeaseLost();
    }
    this.#kept = person;
    this.#person = person;
    const ended = this.#ended;
    this.#ended = [];
    for (const each of ended) this.#apply(each);
    for (const look of this.#looks.values()) look.forget();
    this.#stopped.clear();
  }

  /** Loads submissions that were closed already and get another line. */
  async #loadMissing(): Promise<void> {
    const known = new Set(this.#person.open.map(({ reference }) => reference));
    const missing = [...new Set(this.#lines.map(({ by }) => by))].filter((by) => by !== '' && !known.has(by));
    if (missing.length === 0) return;
    const loaded = await this.#tools.people.submissionsOf(missing, this.#person.subject);
    this.#person = { ...this.#person, open: [...loaded, ...this.#person.open] };
  }
}

function centerBy({ open }: Person, reference: string): string {
  return open.find((each) => each.reference === reference)?.center ?? '';
}
