import { Problem } from '../core/model/problem.ts';
import type { Clock } from '../ports/clock.ts';
import type { CallPriority } from '../ports/platform.ts';
import type { QuotaLedger } from '../ports/quota-ledger.ts';
import type { OperationName, Pacer, PlatformLog, PlatformMetrics } from './options.ts';
import {
  asOf,
  callsOfPair,
  heard,
  isNews,
  isRoomForPair,
  type LentCalls,
  later,
  leftOf,
  lend,
  pairWaits,
  partMs,
  priorities,
  type Quota,
  type QuotaState,
  queued,
  roomFor,
  settled,
  taken,
  takenPair,
  untilRoom,
  waitedFor,
} from './quota.ts';
import { readQuota, writeQuota } from './quota-text.ts';

export interface PacerOptions {
  readonly quota: Quota;
  readonly ledger: QuotaLedger;
  /** The same for all who share the ledger. */
  readonly clock: Clock;
  /** How long a call waits for room before it is sent away. Milliseconds. */
  readonly patienceMs?: Partial<Readonly<Record<CallPriority, number>>> | undefined;
  /** Milliseconds that only ever pass, as they do for everybody: no time of day. */
  readonly elapsed?: (() => number) | undefined;
  readonly log?: PlatformLog | undefined;
  readonly metrics?: PlatformMetrics | undefined;
}

interface Known {
  readonly state: QuotaState;
  readonly moment: number;
}

interface Loan extends LentCalls {
  readonly endpoint: OperationName;
}

interface Lent {
  readonly loan: Loan;
  /** When, by the time of the quota. */
  readonly made: number[];
}

interface Group extends Pick<Waiting, 'endpoint' | 'priority'> {
  readonly all: Waiting[];
}

interface Waiting {
  readonly endpoint: OperationName;
  readonly priority: CallPriority;
  /** Two that must go together are a withdrawal's. */
  readonly calls: 1 | 2;
  readonly leavesAt: number;
  /** Asked for, and there was no room: until then it is the ledger that is waited for. */
  wasInVain: boolean;
  admit(): void;
  reject(fault: unknown): void;
}

const patience: Readonly<Record<CallPriority, number>> = {
  withdrawal: 1_000,
  person: 1_200,
  background: 250,
};

/** Milliseconds between two times that the ledger is asked, while there is too little. */
const pauseMs = 50;
/** How often it is tried to be the first. */
const mostTries = 20;
/** Seconds that nobody is told to come back in less. */
const shortestWait = 1;

export function createPacer(options: PacerOptions): Pacer {
  const { quota, ledger, clock, log, metrics } = options;
  const elapsed = options.elapsed ?? (() => performance.now());
  const patienceMs = { ...patience, ...options.patienceMs };
  const part = partMs(quota);
  const waiting = new Set<Waiting>();
  const loans = new Map<OperationName, Lent>();
  /** What the ledger does not know yet, in order. */
  let untold: ((state: QuotaState) => QuotaState)[] = [];
  /** As the ledger had it last, and with `untold`; each was so at a moment of `elapsed`. */
  let kept: Known | undefined;
  let known: Known | undefined;
  let version: number | undefined;
  let isAsking = false;
  let isAskedAgain = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;

  /** As it is by now. By this process's own time: a clock that is set neither makes room nor takes any. */
  const aged = ({ state, moment }: Known): Known => {
    const now = elapsed();
    return { state: later(state, quota, state.at + (now - moment)), moment: now };
  };

  async function readLedger(): Promise<Known> {
    const found = await ledger.read();
    const { state, writtenAt } = readQuota(found?.text ?? '');
    version = found?.version;
    // Who has just begun does not know how long nobody wrote: the quota takes it that no time has passed.
    const at = known === undefined ? state.at : aged(known).state.at;
    const sinceMs = writtenAt === undefined ? 0 : clock.now() - writtenAt;
    return { state: asOf(state, quota, { before: kept?.state, at, sinceMs }), moment: elapsed() };
  }

  /** Changes what is kept, whoever else does at the same time; `change` may run more than once. */
  async function update<T>(change: (now: QuotaState) => { state: QuotaState; result: T }): Promise<T> {
    for (let tries = 1; tries <= mostTries; tries += 1) {
      const { state, moment } = kept === undefined || tries > 1 ? await readLedger() : aged(kept);
      const told = untold.length;
      const changed = change(untold.reduce((now, each) => each(now), state));
      const next = await ledger.keep(writeQuota({ state: changed.state, writtenAt: clock.now() }), version);
      if (next === undefined) continue;
      version = next;
      kept = { state: changed.state, moment };
      untold = untold.slice(told);
      // What was found out while it was kept.
      known = { state: untold.reduce((now, each) => each(now), changed.state), moment };
      return changed.result;
    }
    throw new Problem('store-unavailable', { cause: new Error('others were always first') });
  }

  /** Known here at once, and to all with the next word to the ledger. */
  function tell(change: (now: QuotaState) => QuotaState): void {
    untold.push(change);
    if (known === undefined) return;
    const { state, moment } = aged(known);
    known = { state: change(state), moment };
  }

  /** Who waits, by what for, the most urgent first. */
  function groups(among: Iterable<Waiting> = waiting): Group[] {
    const found = new Map<string, Group>();
    for (const one of among) {
      const key = `${one.endpoint} ${one.priority}`;
      const group = found.get(key);
      if (group === undefined) found.set(key, { ...one, all: [one] });
      else group.all.push(one);
    }
    const all = [...found.values()];
    return priorities.flatMap((priority) => all.filter((group) => group.priority === priority));
  }

  /** Lets go whom there is room for. */
  async function ask(): Promise<void> {
    isAsking = true;
    isAskedAgain = false;
    askedAt = elapsed();
    try {
      const asked = [...waiting];
      const { going, lent, away } = await update((now) => grant(now, asked));
      for (const loan of lent) loans.set(loan.endpoint, { loan, made: [] });
      for (const one of going) if (waiting.has(one)) one.admit();
      for (const { all } of groups()) for (const one of all) if (fromLoan(one)) one.admit();
      for (const one of asked) one.wasInVain = true;
      for (const { one, waitMs } of away) if (waiting.has(one)) sendAway(one, waitMs);
    } catch (fault) {
      for (const one of [...waiting]) one.reject(fault);
    } finally {
      isAsking = false;
    }
    if (isAskedAgain) askSoon();
    else if (waiting.size > 0) askLater(Math.max(pauseMs, nextRoom()));
    else if (untold.length > 0) askLater(part);
  }

  function grant(before: QuotaState, asked: readonly Waiting[]) {
    let state = before;
    const going: Waiting[] = [];
    const lent: Loan[] = [];
    const away: { readonly one: Waiting; readonly waitMs: number }[] = [];
    for (const { endpoint, priority, all } of groups(asked)) {
      const [singles, pairs] = [
        all.filter(({ calls }) => calls === 1),
        all.filter(({ calls }) => calls === 2),
      ];
      while (pairs[0] !== undefined && isRoomForPair(state, quota, endpoint)) {
        state = takenPair(state, quota, endpoint);
        going.push(pairs[0]);
        pairs.shift();
      }
      const kept = pairs.length > 0 ? callsOfPair(state, quota, endpoint) : 0;
      const calls = Math.min(singles.length, Math.max(0, roomFor(state, quota, endpoint, priority) - kept));
      state = taken(state, quota, endpoint, { priority, calls });
      going.push(...singles.splice(0, calls));
      const left = [...pairs, ...singles];
      if (left.length === 0) continue;
      state = waitedFor(state, quota, endpoint, priority);
      const roomIn = untilRoom(state, quota, endpoint, priority);
      const inVain = left.filter(({ leavesAt }) => roomIn > leavesAt - elapsed());
      // Here, so that no two nodes promise the same.
      const promised = promise(state, inVain);
      state = promised.state;
      away.push(...promised.away);
    }
    for (const endpoint of new Set(going.map((one) => one.endpoint))) {
      if (loans.has(endpoint)) continue;
      const more = lend(state, quota, endpoint);
      state = more.state;
      if (more.calls > 0) lent.push({ endpoint, calls: more.calls, until: more.until });
    }
    return { state, result: { going, lent, away } };
  }

  /** When those of one endpoint and priority who find no room may come back. */
  function promise(before: QuotaState, inVain: readonly Waiting[]) {
    const [first] = inVain;
    if (first === undefined) return { state: before, away: [] };
    const { endpoint, priority } = first;
    const callsOf = (one: Waiting) => (one.calls === 1 ? 1 : callsOfPair(before, quota, endpoint));
    const calls = inVain.reduce((sum, one) => sum + callsOf(one), 0);
    const { state, waitsMs } = queued(before, quota, endpoint, { priority, calls });
    let turns = 0;
    let left = state;
    const away = inVain.map((one) => {
      const fromMs = waitsMs[turns] ?? part;
      turns += callsOf(one);
      const waitMs = waitsMs[turns - 1] ?? part;
      if (one.calls === 2) left = pairWaits(left, quota, endpoint, { fromMs, untilMs: waitMs });
      return { one, waitMs };
    });
    return { state: left, away };
  }

  /** Milliseconds until there is room for somebody who waits. */
  function nextRoom(): number {
    if (known === undefined) return part;
    const { state } = aged(known);
    return Math.min(...groups().map(({ endpoint, priority }) => untilRoom(state, quota, endpoint, priority)));
  }

  function sendAway(one: Waiting, waitMs: number): void {
    metrics?.paced?.(one.endpoint, one.priority, 'refused');
    one.reject(new Problem('quota-used-up', { retryAfter: Math.max(shortestWait, waitMs / 1_000) }));
  }

  /** Waited for room that others were given. */
  function giveUp(one: Waiting): void {
    if (known === undefined || !one.wasInVain) return;
    const [told] = promise(aged(known).state, [one]).away;
    tell((now) => promise(now, [one]).state);
    sendAway(one, told?.waitMs ?? part);
    askLater(part);
  }

  function askLater(milliseconds: number): void {
    if (isClosed) return;
    const at = elapsed() + milliseconds;
    if (timer !== undefined && timerAt <= at) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(() => {
      timer = undefined;
      timerAt = Number.POSITIVE_INFINITY;
      if (isAsking) askLater(1);
      else void ask();
    }, milliseconds);
    timer.unref();
  }

  /** At once where nobody asked lately. */
  function askSoon(): void {
    if (isAsking) {
      isAskedAgain = true;
      return;
    }
    const since = elapsed() - askedAt;
    if (waiting.size <= 1 || since >= pauseMs) void ask();
    else askLater(pauseMs - since);
  }

  /** From what was lent: without asking anybody. */
  function fromLoan({ endpoint, calls }: Pick<Waiting, 'endpoint' | 'calls'>): boolean {
    const lent = loans.get(endpoint);
    if (lent === undefined || known === undefined) return false;
    const { moment, state } = known;
    const at = state.at + (elapsed() - moment);
    if (at < lent.loan.until && lent.made.length + calls <= lent.loan.calls) {
      for (let call = 0; call < calls; call += 1) lent.made.push(at);
      return true;
    }
    giveBack(endpoint);
    return false;
  }

  function giveBack(endpoint: OperationName): void {
    const lent = loans.get(endpoint);
    if (lent === undefined) return;
    loans.delete(endpoint);
    tell((now) => settled(now, quota, endpoint, lent));
  }

  return {
    admit(endpoint, { priority: asked, calls = 1, signal }) {
      const priority = calls === 2 ? 'withdrawal' : asked;
      if (fromLoan({ endpoint, calls })) return elapsed();
      return new Promise((resolve, reject) => {
        const startedAt = elapsed();
        const leavesAt = startedAt + patienceMs[priority];
        const leave = () => {
          clearTimeout(limit);
          waiting.delete(one);
          signal.removeEventListener('abort', abort);
        };
        const one: Waiting = {
          endpoint,
          priority,
          calls,
          leavesAt,
          wasInVain: false,
          admit() {
            leave();
            if (elapsed() - startedAt > part / 2) metrics?.paced?.(endpoint, priority, 'waited');
            resolve(elapsed());
          },
          reject(fault) {
            leave();
            reject(fault);
          },
        };
        const abort = () =>
          one.reject(new Problem('platform-slow', { cause: new Error('waited for the quota') }));
        const limit = setTimeout(() => giveUp(one), patienceMs[priority]);
        waiting.add(one);
        signal.addEventListener('abort', abort, { once: true });
        if (signal.aborted) abort();
        else askSoon();
      });
    },
    isFresh: (admittedAt) => elapsed() - admittedAt < part / 2,
    hear(endpoint, said) {
      if (known === undefined || !isNews(aged(known).state, quota, endpoint, said)) return;
      for (const each of said.period === 'HOUR' ? [...loans.keys()] : [endpoint]) giveBack(each);
      tell((now) => heard(now, quota, endpoint, said));
      log?.warn('platform quota', {
        operation: endpoint,
        ...(said.period === undefined ? {} : { period: said.period }),
        ...(said.allowed === undefined ? {} : { allowed: said.allowed }),
        ...(said.made === undefined ? {} : { made: said.made }),
      });
      askLater(0);
    },
    look() {
      if (known === undefined) return undefined;
      const { state } = aged(known);
      const names = Object.keys(state.endpoints);
      return {
        account: leftOf(state, quota, undefined),
        endpoints: new Map(names.map((name) => [name, leftOf(state, quota, name)])),
      };
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const one of [...waiting]) one.reject(new Problem('draining'));
    },
  };
}
