import { believed } from '../core/consent/believed-reading.ts';
import { didNothing, usualLag } from '../core/consent/call-in-doubt.ts';
import { everyChange } from '../core/consent/last-word.ts';
import { mergeIntent } from '../core/consent/merge.ts';
import type { ConsentAnswer } from '../core/model/consent-update.ts';
import type { CallMade, JournalEntry, Work } from '../core/model/journal-entry.ts';
import { unreadCenter } from '../core/model/unread-center.ts';
import type { CallOptions } from '../ports/platform.ts';
import { codeOf, isRefusal, isUnsent } from './backoff.ts';
import { regrantedAfter, sentAfter } from './later-works.ts';
import {
  type Ended,
  isDone,
  isLeftAlready,
  isLongAgo,
  mayLeaveUnread,
  mustLeave,
  settleAtLast,
  settleJudged,
  withEnd,
  withoutUnsentGrants,
} from './outcome.ts';
import { assumeThenLeave, callFor, confirmableBy, onlyOpen, type Reading, withEverything } from './plan.ts';
import { callPriority } from './priority.ts';
import { type AttemptTools, Reader } from './reader.ts';
import { type Reconciled, reconcile, reconcileOthers, takenAlong } from './reconcile.ts';
import { afterLook, isWatched, withdrawnMeanwhile } from './watch.ts';
import {
  isGranting,
  isGrantOver,
  isWithdrawal,
  isWithdrawing,
  keyOf,
  lastCall,
  openIntent,
  regrantedBy,
  sendableGrants,
  sendableIntent,
  withCall,
  withLastCall,
  withoutAgreed,
  withoutLateGrants,
  withoutSuperseded,
} from './work.ts';

/** A change, what was left of a refused call, and room for the pair that puts a refusal on record. */
const callsAtMost = 3;

/**
 * One try at what is still open of a submission. Each round reads the record, judges every open change by it, and
 * makes one call if one is needed; the next round's reading is that call's read-back.
 */
export async function attempt(entry: JournalEntry, work: Work, tools: AttemptTools): Promise<Ended> {
  const run = new Attempt(entry, work, tools);
  try {
    return await run.carryOut();
  } catch (problem) {
    return await run.stoppedBy(problem);
  }
}

class Attempt {
  readonly #tools: AttemptTools;
  readonly #entry: JournalEntry;
  #work: Work;
  readonly #reader: Reader;
  /** The last call of this attempt, once it was answered or failed. */
  #made: CallMade | undefined;
  #calls = 0;
  #looks = 0;

  constructor(entry: JournalEntry, work: Work, tools: AttemptTools) {
    this.#entry = entry;
    this.#work = work;
    this.#tools = tools;
    this.#reader = new Reader(entry, tools, () => this.#work);
  }

  async carryOut(): Promise<Ended> {
    const { clock } = this.#tools;
    if (isWatched(this.#work)) await this.#look();
    for (;;) {
      if (!this.#isFresh()) await this.#dropLate();
      if (this.#isDone()) return this.#finished();
      if (await this.#leaveUnread()) continue;
      const reading = await this.#readOrLeave();
      if (reading === undefined) continue;
      const reconciled = await this.#judge(reading);
      if (mustLeave(this.#work) && isLeftAlready(this.#work, reading, clock.now())) {
        await this.#keep({ ...this.#work, isLeftAlready: true });
      }
      if (this.#isDone()) return this.#finished();
      if (await this.#dropLate()) continue;
      const missing = reconciled.filter(({ verdict }) => verdict.kind === 'record-refusal');
      const isNeeded = reconciled.some(({ verdict }) => verdict.kind === 'call') || mustLeave(this.#work);
      if (isNeeded || missing.length > 0) {
        // A call made by a reading that does not show yet what was granted just now would take that out again. After these
        // looks no withdrawal waits any more until a grant is seen on record.
        const mayWait = !mustLeave(this.#work) && this.#hasUnseenGrant(reconciled);
        if (mayWait && (await this.#looksAgain(reconciled))) continue;
        if (this.#calls >= callsAtMost) return this.#later(undefined);
        const isCarried =
          missing.length > 0 ? await this.#recordRefusal(reading, missing) : await this.#carry(reading);
        if (isCarried) continue;
      }
      if (await this.#looksAgain(reconciled)) continue;
      if (this.#isDone()) return this.#finished();
      return await this.stoppedBy(this.#reader.schemaProblem);
    }
  }

  /** What is refused is not saved; what is withdrawn goes on, another time. */
  async stoppedBy(problem: unknown): Promise<Ended> {
    if (isRefusal(codeOf(problem)) && sendableGrants(this.#work).length > 0) {
      await this.#keep(withoutUnsentGrants(this.#work, 'not-saved'));
      if (this.#isDone()) return this.#finished();
    }
    return this.#later(problem);
  }

  /** What was done is looked at again, and is open again where a call in doubt has undone it. */
  async #look(): Promise<void> {
    const current = await this.#reader.readRecord();
    const known = await this.#reader.known();
    const words = await this.#reader.words(known);
    const left = await this.#reader.left(known);
    const since = await this.#reader.takenBackSince(known);
    // What is on may be on by what the person has asked for since, whose answer is still to come.
    const regranted = [...regrantedAfter(known.recent, this.#entry), ...sentAfter(known.recent, this.#entry)];
    await this.#keep(
      afterLook(this.#work, current, { words, left, since, regranted, now: this.#tools.clock.now() }),
    );
  }

  /** True when everything was left without a reading before it: the next one shows what that did not do. */
  async #leaveUnread(): Promise<boolean> {
    if (!mayLeaveUnread(this.#work) || this.#entry.repeats !== undefined) return false;
    const { leftAt } = await this.#reader.words(await this.#reader.known());
    if (leftAt !== undefined && this.#tools.clock.now() - leftAt < usualLag) return false;
    try {
      await this.#sendForEverything();
    } catch (problem) {
      // A platform may refuse it where it has nothing on record.
      if (codeOf(problem) !== 'platform-refused') throw problem;
    }
    return true;
  }

  #sendForEverything(): Promise<void> {
    return this.#send({ update: undefined, why: 'change', changes: [everyChange] });
  }

  /** The record and the schema; undefined after everything was left without them. */
  async #readOrLeave(): Promise<Reading | undefined> {
    try {
      const [current] = await Promise.all([this.#reader.readRecord(), this.#reader.readCenter()]);
      await this.#reader.confirmMissing(current);
      const words = await this.#reader.words(await this.#reader.known());
      const seen = believed(current, words);
      if (this.#work.calls.length === 0 || this.#work.before === undefined) {
        this.#work = { ...this.#work, before: seen };
      }
      this.#work = withoutAgreed(this.#work, seen);
      if ((await this.#dropReworded()) && this.#isDone()) return undefined;
      return {
        center: this.#reader.center ?? unreadCenter(this.#work.request.center),
        current,
        words: await this.#reader.words(await this.#reader.known()),
      };
    } catch (problem) {
      const code = codeOf(problem);
      // Leaving waits for no reading that may come late; but a DELETE takes along what was granted again since.
      const isUnread = code === 'platform-unreadable' || code === 'quota-used-up' || isRefusal(code);
      if (!isUnread || !mustLeave(this.#work) || this.#work.superseded.length > 0) throw problem;
      await this.#sendForEverything();
      return undefined;
    }
  }

  async #judge({ center, current, words }: Reading): Promise<readonly Reconciled[]> {
    const { changes } = this.#merge({ center, current, words }, openIntent(this.#work));
    this.#work = withEverything(this.#work, changes);
    const evidence = {
      work: this.#work,
      current,
      madeNow: this.#made,
      isExpired: this.#isExpired(),
      leftLater: await this.#reader.left(await this.#reader.known()),
      words,
      lacksSchema: this.#reader.lacksSchema(),
    };
    const reconciled = reconcile(onlyOpen(this.#work, changes), evidence);
    const work = takenAlong(settleJudged(this.#work, reconciled), current);
    const others =
      this.#made?.answer === undefined
        ? withdrawnMeanwhile(work, current, { words, now: this.#tools.clock.now() })
        : reconcileOthers(this.#made, work, current);
    const judged = others.length === 0 ? work : { ...work, items: [...work.items, ...others] };
    // What is finished is about to be given back, and written then.
    if (this.#isDone(judged)) this.#work = judged;
    else await this.#keep(judged);
    return reconciled;
  }

  /** Answered, and not on record yet. */
  #hasUnseenGrant(reconciled: readonly Reconciled[]): boolean {
    return reconciled.some(({ change, verdict }) => {
      const isAnswered = lastCall(this.#work, keyOf(change))?.answer !== undefined;
      return verdict.kind === 'look-again' && isAnswered && !isWithdrawal(change.change);
    });
  }

  /** Answer and record may disagree for a moment. A withdrawal that still does goes on, a grant does not. */
  async #looksAgain(reconciled: readonly Reconciled[]): Promise<boolean> {
    const disagreeing = reconciled.flatMap(({ change, verdict }) =>
      verdict.kind === 'look-again' ? keyOf(change) : [],
    );
    if (disagreeing.length === 0) return false;
    const { clock } = this.#tools;
    const mayStop = disagreeing.every((key) => isLongAgo(this.#work, key, clock.now()));
    const pause = mayStop ? undefined : this.#tools.readBackDelaysMs[this.#looks];
    if (pause === undefined) {
      await this.#keep(settleAtLast(this.#work, reconciled));
      return false;
    }
    this.#looks += 1;
    await this.#tools.wait(pause);
    await this.#keep({ ...this.#work });
    return true;
  }

  /**
   * Makes the call for all that is open. A refusal of what is granted must not hold up what is withdrawn with it, and
   * after a refused DELETE, which a platform may answer where it has nothing on record, there is still the PUT.
   * False when there is nothing that may be sent.
   */
  async #carry(reading: Reading): Promise<boolean> {
    // The record may have been long in coming, and the words have changed meanwhile.
    await this.#reader.readCenter();
    if (await this.#dropReworded()) return true;
    const intent = sendableIntent(this.#work, { mayGrant: !this.#reader.lacksSchema() });
    const merge = this.#merge(reading, intent);
    if (merge.call.kind === 'none') return false;
    const plan = callFor(this.#work, { merge, intent }, reading);
    const seen = this.#reader.seen(await this.#reader.known());
    try {
      await this.#send(plan, { seen });
    } catch (problem) {
      if (plan.update === undefined && codeOf(problem) === 'platform-refused') return true;
      const isMixed = isGranting(this.#work) && isWithdrawing(this.#work);
      if (!isRefusal(codeOf(problem)) || !isMixed) throw problem;
      await this.#keep(withoutUnsentGrants(this.#work, 'not-saved'));
    }
    return true;
  }

  /**
   * A PUT with what was only assumed, and at once one without it, even when the first one's answer was lost; not when
   * the first did nothing. It is not made unless the quota has room for both: nobody is to stay agreed to what they left.
   */
  async #recordRefusal(reading: Reading, missing: readonly Reconciled[]): Promise<boolean> {
    const changes = missing.map(({ change }) => change);
    const [assume, leave] = assumeThenLeave(this.#work, changes, reading);
    const before = this.#work.calls.at(-1);
    try {
      await this.#send(assume, { permits: 2 });
    } catch (problem) {
      const first = this.#work.calls.at(-1);
      const isMade = first !== undefined && first !== before && !didNothing(first);
      if (!isMade || isRefusal(codeOf(problem))) throw problem;
    }
    await this.#send(leave, { permits: 0 });
    return true;
  }

  /**
   * The journal first: a call without an answer in it may have arrived. No call is made when the person has submitted
   * something after what was `seen`: that is considered first.
   */
  async #send(
    call: Pick<CallMade, 'update' | 'why' | 'changes'>,
    { seen, permits }: { seen?: string | undefined; permits?: CallOptions['permits'] } = {},
  ): Promise<void> {
    const { platform, clock } = this.#tools;
    const { center, subject } = this.#work.request;
    const kind = call.update === undefined ? 'delete' : 'put';
    const made = { ...call, kind, at: clock.now(), answer: undefined, problem: undefined } as const;
    if (!(await this.#keep(withCall(this.#work, made), seen))) return;
    this.#calls += 1;
    this.#reader.latest = undefined;
    const options = { priority: callPriority(this.#work, this.#tools.isOften()), permits };
    let answer: ConsentAnswer;
    try {
      answer =
        call.update === undefined
          ? await platform.withdrawAll(center, subject, options)
          : await platform.updateConsent(center, subject, call.update, options);
    } catch (problem) {
      await this.#keep(withLastCall(this.#work, { problem: codeOf(problem), isUnsent: isUnsent(problem) }));
      throw problem;
    } finally {
      this.#made = this.#work.calls.at(-1);
    }
    await this.#keep(withLastCall(this.#work, { answer }));
    this.#made = this.#work.calls.at(-1);
  }

  #merge({ center, current, words }: Reading, intent: ReturnType<typeof openIntent>) {
    return mergeIntent({
      center,
      current,
      intent,
      words,
      form: this.#work.request.form,
      confirmable: this.#isExpired() ? [] : confirmableBy(this.#work),
    });
  }

  /** True when something was taken out. */
  async #dropLate(): Promise<boolean> {
    const known = await this.#reader.known();
    const late = {
      isExpired: this.#isExpired(),
      leftLater: await this.#reader.left(known),
      unseen: await this.#reader.unseen(known),
    };
    // The journal has these in its row; this copy is older where another process had its turn while this one stood still.
    const regranted = regrantedAfter(known.recent, this.#entry);
    const superseded = [...new Set([...this.#work.superseded, ...regranted])];
    const work = withoutSuperseded({ ...withoutLateGrants(this.#work, late), superseded });
    const isChanged =
      superseded.length > this.#work.superseded.length ||
      work.items.some((item, index) => item.outcome !== this.#work.items[index]?.outcome);
    if (isChanged) await this.#keep(work);
    return isChanged;
  }

  /** A grant is for the words that were shown. */
  async #dropReworded(): Promise<boolean> {
    const { form } = this.#work.request;
    if (
      form === undefined ||
      this.#reader.center === undefined ||
      this.#reader.center.revision === form.revision
    )
      return false;
    if (sendableGrants(this.#work).length === 0) return false;
    await this.#keep(withoutUnsentGrants(this.#work, 'reworded'));
    return true;
  }

  /** Nothing is sent before the record is read, and what came in since is looked for then. */
  #isFresh(): boolean {
    const { attempts, calls, request } = this.#work;
    const isNew = attempts === 0 && calls.length === 0 && !this.#isExpired();
    return isNew && request.intent.everything === undefined;
  }

  #isDone(work = this.#work): boolean {
    return isDone(work, this.#reader.center, this.#tools.clock.now() - this.#entry.submittedAt);
  }

  #isExpired(): boolean {
    return isGrantOver(this.#entry.submittedAt, this.#tools.clock.now());
  }

  /** False when nothing was kept, because the person has submitted something after what was `seen`. */
  async #keep(work: Work, seen?: string): Promise<boolean> {
    if (work === this.#work) return true;
    const isKept = await this.#tools.keep(work, seen);
    // Nobody else works for the person meanwhile; what they submit is looked for after each reading.
    if (!isKept || regrantedBy(work).length > regrantedBy(this.#work).length) this.#reader.forget();
    if (isKept) this.#work = work;
    return isKept;
  }

  async #finished(): Promise<Ended> {
    const { recent } = await this.#reader.known();
    const work = withEnd(this.#work, {
      center: this.#reader.center,
      entries: recent,
      now: this.#tools.clock.now(),
    });
    const { hasRead, latest } = this.#reader;
    return { kind: 'finished', work, problem: undefined, hasRead, readBack: latest };
  }

  #later(problem: unknown): Ended {
    return { kind: 'later', work: this.#work, problem, hasRead: this.#reader.hasRead };
  }
}
