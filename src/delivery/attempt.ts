import type { Center } from '../core/center.ts';
import type { CallMade, Work } from '../core/journal-entry.ts';
import { mergeIntent } from '../core/merge.ts';
import { Problem } from '../core/problem.ts';
import type { Subject } from '../core/subject.ts';
import { undoIntent } from '../core/undo.ts';
import type { CallOptions, Clock, Platform } from '../ports.ts';
import { codeOf, isRefusal } from './backoff.ts';
import { type Judged, judgeOthers, judgeWishes, takenAlong } from './judge.ts';
import { assumeThenLeave, callFor, confirmableBy, onlyOpenWishes, withEverything } from './plan.ts';
import {
  isFinished,
  isGranting,
  isGrantOver,
  isWithdrawing,
  keyOf,
  type Left,
  openIntent,
  settle,
  withCall,
  withLastCall,
  withoutLateGrants,
  withoutSuperseded,
} from './work.ts';

export interface AttemptTools {
  readonly platform: Pick<Platform, 'findCenter' | 'readSubject' | 'updateConsent' | 'withdrawAll'>;
  readonly clock: Clock;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Makes the work durable; throws when the lease is lost, and then nothing more may be done. */
  readonly keep: (work: Work) => void;
  /** What later submissions of the same person switch off; asked anew before every call. */
  readonly leftLater: () => Left;
  /** Milliseconds before each further look at a record that does not yet agree with its answer. */
  readonly looks: readonly number[];
}

/** `later`: something is still to be withdrawn, or granted within its minute; `problem` when a fault stopped it. */
export interface Ended {
  readonly kind: 'finished' | 'later';
  readonly work: Work;
  readonly problem: unknown;
  /** The platform was there, and answered. */
  readonly hasRead: boolean;
}

/** A wish, what was left of a refused call, and room for the pair that puts a refusal on record. */
const callsAtMost = 3;

/**
 * One try at what is still open of a submission. Each round reads the record, judges every open wish by it, and
 * makes one call if one is needed; the next round's reading is that call's read-back.
 */
export async function attempt(work: Work, submittedAt: number, tools: AttemptTools): Promise<Ended> {
  const run = new Attempt(work, submittedAt, tools);
  try {
    return await run.carryOut();
  } catch (problem) {
    return run.stoppedBy(problem);
  }
}

class Attempt {
  readonly #tools: AttemptTools;
  readonly #submittedAt: number;
  #work: Work;
  #center: Center | undefined;
  /** The last call of this attempt, once it was answered or failed. */
  #made: CallMade | undefined;
  #hasRead = false;
  #calls = 0;
  #looks = 0;

  constructor(work: Work, submittedAt: number, tools: AttemptTools) {
    this.#work = work;
    this.#submittedAt = submittedAt;
    this.#tools = tools;
  }

  async carryOut(): Promise<Ended> {
    for (;;) {
      this.#dropLate();
      if (isFinished(this.#work)) return this.#finished();
      const { center, current } = await this.#read();
      const judged = this.#judge(center, current);
      if (await this.#looksAgain(judged)) continue;
      if (isFinished(this.#work)) return this.#finished();
      if (this.#dropLate()) continue;
      if (this.#calls >= callsAtMost) return this.#later(undefined);
      if (judged.some(({ verdict }) => verdict.kind === 'record-refusal')) {
        await this.#recordRefusal(center, current, judged);
      } else if (judged.some(({ verdict }) => verdict.kind === 'call')) {
        await this.#carry(center, current);
      } else {
        return this.#later(undefined);
      }
    }
  }

  /** What is refused is not saved; what is withdrawn goes on, another time. */
  stoppedBy(problem: unknown): Ended {
    if (isRefusal(codeOf(problem)) && isGranting(this.#work)) {
      this.#keep(settle(this.#work, (item) => item.outcome === 'in-progress', 'not-saved'));
      if (isFinished(this.#work)) return this.#finished();
    }
    return this.#later(problem);
  }

  async #read(): Promise<{ center: Center; current: Subject }> {
    const { platform } = this.#tools;
    const { order } = this.#work;
    this.#center ??= await platform.findCenter(order.center);
    if (this.#center === undefined) throw new Problem('not-found');
    const current = await platform.readSubject(order.center, order.subject, this.#options());
    this.#hasRead = true;
    if (this.#work.calls.length === 0) this.#work = { ...this.#work, before: current };
    return { center: this.#center, current };
  }

  #judge(center: Center, current: Subject): readonly Judged[] {
    const { wishes } = this.#merge(center, current);
    this.#work = withEverything(this.#work, wishes);
    const isExpired = this.#isExpired();
    const evidence = {
      work: this.#work,
      current,
      madeNow: this.#made,
      isExpired,
      leftLater: this.#tools.leftLater(),
    };
    const judged = judgeWishes(onlyOpenWishes(this.#work, wishes), evidence);
    let work = this.#work;
    for (const { wish, verdict } of judged) {
      if (verdict.kind !== 'settled') continue;
      work = settle(work, (item) => keyOf(item) === keyOf(wish), verdict.outcome, verdict.receipt);
    }
    work = takenAlong(work, current);
    const others = this.#made?.answer === undefined ? [] : judgeOthers(this.#made, work, current);
    this.#keep(others.length === 0 ? work : { ...work, items: [...work.items, ...others] });
    return judged;
  }

  /** Answer and record may disagree for a moment. A withdrawal that still does goes on, a grant does not. */
  async #looksAgain(judged: readonly Judged[]): Promise<boolean> {
    const disagreeing = judged.flatMap(({ wish, verdict }) =>
      verdict.kind === 'look-again' ? { key: keyOf(wish), atLast: verdict.atLast } : [],
    );
    if (disagreeing.length === 0) return false;
    const pause = this.#tools.looks[this.#looks];
    if (pause === undefined) {
      let work = this.#work;
      for (const { key, atLast } of disagreeing) {
        if (atLast !== undefined) work = settle(work, (item) => keyOf(item) === key, atLast);
      }
      this.#keep(work);
      return false;
    }
    this.#looks += 1;
    await this.#tools.wait(pause);
    return true;
  }

  /**
   * Makes the call for all that is open. A refusal of what is granted must not hold up what is withdrawn with it, and
   * after a refused DELETE, which a platform may answer where it has nothing on record, there is still the PUT.
   */
  async #carry(center: Center, current: Subject): Promise<void> {
    const plan = callFor(this.#work, this.#merge(center, current), center, current);
    try {
      await this.#send(plan);
    } catch (problem) {
      if (plan.update === undefined && codeOf(problem) === 'platform-refused') return;
      const isMixed = isGranting(this.#work) && isWithdrawing(this.#work);
      if (!isRefusal(codeOf(problem)) || !isMixed) throw problem;
      this.#keep(settle(this.#work, (item) => item.outcome === 'in-progress', 'not-saved'));
    }
  }

  /** A PUT with what was only assumed, and at once one without it, even when the first one's answer was lost. */
  async #recordRefusal(center: Center, current: Subject, judged: readonly Judged[]): Promise<void> {
    const missing = judged.filter(({ verdict }) => verdict.kind === 'record-refusal').map(({ wish }) => wish);
    const [assume, leave] = assumeThenLeave(this.#work, missing, center, current);
    try {
      await this.#send(assume);
    } catch (problem) {
      if (isRefusal(codeOf(problem)) || codeOf(problem) === 'platform-busy') throw problem;
    }
    await this.#send(leave);
  }

  /** The journal first: a call without an answer in it may have arrived. */
  async #send(call: Pick<CallMade, 'update' | 'why' | 'wishes'>): Promise<void> {
    const { platform, clock } = this.#tools;
    const { center, subject } = this.#work.order;
    const kind = call.update === undefined ? 'delete' : 'put';
    this.#keep(
      withCall(this.#work, { ...call, kind, at: clock.now(), answer: undefined, problem: undefined }),
    );
    this.#calls += 1;
    const options = this.#options();
    try {
      const answer =
        call.update === undefined
          ? await platform.withdrawAll(center, subject, options)
          : await platform.updateConsent(center, subject, call.update, options);
      this.#keep(withLastCall(this.#work, { answer }));
    } catch (problem) {
      this.#keep(withLastCall(this.#work, { problem: codeOf(problem) }));
      throw problem;
    } finally {
      this.#made = this.#work.calls.at(-1);
    }
  }

  #merge(center: Center, current: Subject) {
    return mergeIntent({
      center,
      current,
      intent: openIntent(this.#work),
      confirmable: this.#isExpired() ? [] : confirmableBy(this.#work),
    });
  }

  /** True when something was taken out. */
  #dropLate(): boolean {
    const late = { isExpired: this.#isExpired(), leftLater: this.#tools.leftLater() };
    const work = withoutSuperseded(withoutLateGrants(this.#work, late));
    const isChanged = work.items.some((item, index) => item.outcome !== this.#work.items[index]?.outcome);
    if (isChanged) this.#keep(work);
    return isChanged;
  }

  #isExpired(): boolean {
    return isGrantOver(this.#submittedAt, this.#tools.clock.now());
  }

  #options(): CallOptions {
    return { priority: isWithdrawing(this.#work) ? 'withdrawal' : 'ordinary' };
  }

  #keep(work: Work): void {
    if (work === this.#work) return;
    this.#tools.keep(work);
    this.#work = work;
  }

  #finished(): Ended {
    const { order, before, items } = this.#work;
    const { intent, globalPrivacyControl } = order;
    const center = this.#center;
    const undo =
      center === undefined || before === undefined
        ? undefined
        : undoIntent({ center, intent, items, before, globalPrivacyControl });
    return { kind: 'finished', work: { ...this.#work, undo }, problem: undefined, hasRead: this.#hasRead };
  }

  #later(problem: unknown): Ended {
    return { kind: 'later', work: this.#work, problem, hasRead: this.#hasRead };
  }
}
