import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Submission } from '../core/model/submission/submission.ts';
import type { Journal } from '../ports/journal.ts';
import type { CallPriority } from '../ports/platform.ts';
import type { DatabaseWatch } from './database.ts';
import { eventMetrics } from './events.ts';
import type { InternalErrors } from './internal-errors.ts';
import { messageMetrics } from './messages.ts';

export type Metrics = ReturnType<typeof createMetrics>;

interface Answered {
  readonly requestClass: string;
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly ms: number;
}

export interface QuotaLeft {
  readonly account: { readonly allowed: number; readonly left: number };
  readonly endpoints: ReadonlyMap<string, { readonly allowed: number; readonly left: number }>;
}

export interface Watched {
  /** Version of the program, and its machine. */
  readonly build: { readonly version: string; readonly host: string };
  /** Labels known at the start: Prometheus sees no rise of a counter that begins at 1. */
  readonly known: { readonly classes: readonly string[]; readonly operations: readonly string[] };
  /** undefined: the store is files of this machine. */
  readonly database: Pick<DatabaseWatch, 'isAway' | 'statements'> | undefined;
  readonly internalErrors: Pick<InternalErrors, 'counts'>;
  readonly journal: Pick<Journal, 'counts'>;
  readonly clock: { now(): number };
  /** Milliseconds. */
  readonly loopDelay: () => number;
  readonly inFlight: () => number;
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Labels are names, classes, patterns and states only, never anything of a person. */
export function createMetrics(watched: Watched) {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, labelNames: readonly Label[], help: string) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, labelNames: readonly Label[], help: string) =>
    new Histogram({ name, help, labelNames, buckets: seconds, registers });
  const requests = histogram(
    'sayso_request_seconds',
    ['class', 'route', 'method', 'status'],
    'Answers by class, route pattern, method and status.',
  );
  const loadShedder = counter(
    'sayso_shed_total',
    ['class'],
    'Requests turned away under overload, by class.',
  );
  const calls = histogram(
    'sayso_platform_call_seconds',
    ['operation', 'outcome'],
    'Calls to the platform by operation and outcome (ok or a problem code).',
  );
  const breakers = new Gauge({
    name: 'sayso_platform_breaker',
    help: 'Circuit breakers by operation: 0 closed, 1 half open, 2 open.',
    labelNames: ['operation'],
    registers,
  });
  const dropped = counter(
    'sayso_dropped_items_total',
    ['center'],
    "Items of a center's schema or records that could not be read.",
  );
  const paced = counter(
    'sayso_platform_paced_total',
    ['operation', 'priority', 'outcome'],
    "Calls that found no room in the platform's quota, by operation and priority: waited for some, or refused and not sent.",
  );
  const wrongPasscodes = counter('sayso_wrong_passcodes_total', [], 'Passcodes that were tried and wrong.');
  const signInMessages = counter(
    'sayso_sign_in_messages_total',
    ['outcome'],
    'Messages asked for at the sign-in page: sent, none (the last one still counts), or refused by a bound.',
  );
  const missing = counter(
    'sayso_no_such_purpose_total',
    ['center'],
    'Withdrawals that named a purpose which is neither in their center nor on record.',
  );
  const stuck = counter(
    'sayso_stuck_tasks_total',
    ['outcome'],
    'Tasks for withdrawals that could not be carried out: made, refused (tried again), lost (it is not known whether there is one), closed.',
  );
  for (const outcome of stuckOutcomes) stuck.inc({ outcome }, 0);
  const events = eventMetrics(registers);
  const messages = messageMetrics(registers);
  for (const shed of watched.known.classes) loadShedder.inc({ class: shed }, 0);
  for (const outcome of messageOutcomes) signInMessages.inc({ outcome }, 0);
  showBuild(watched.build, registers);
  watchJournal(watched, registers);
  if (watched.database !== undefined) showDatabase(watched.database, registers);
  showInternalErrors(watched.internalErrors, registers);
  gauge('sayso_requests_in_flight', 'Requests begun and not answered.', watched.inFlight, registers);
  gauge(
    'sayso_event_loop_delay_seconds',
    'Usual delay of the event loop over the last moment.',
    () => watched.loopDelay() / 1_000,
    registers,
  );
  gauge('sayso_memory_bytes', 'Resident memory of the process.', () => process.memoryUsage.rss(), registers);
  gauge('sayso_uptime_seconds', 'Since the process started.', () => process.uptime(), registers);

  return {
    /** `route`: its pattern, never an address. */
    request({ requestClass, route, method, status, ms }: Answered): void {
      requests.observe({ class: requestClass, route, method, status: String(status) }, ms / 1_000);
    },
    loadShedder: (requestClass: string) => loadShedder.inc({ class: requestClass }),
    /** Calls to the platform, as its adapter reports them. */
    platform: {
      call: (operation: string, outcome: string, ms: number) =>
        calls.observe({ operation, outcome }, ms / 1_000),
      breaker: (operation: string, state: keyof typeof breakerValue) =>
        breakers.set({ operation }, breakerValue[state]),
      dropped: (center: string, count: number) => dropped.inc({ center }, count),
      /** The center is served: its counters begin at 0. */
      listed(center: string): void {
        dropped.inc({ center }, 0);
        missing.inc({ center }, 0);
      },
      paced: (operation: string, priority: string, outcome: (typeof pacedOutcomes)[number]) =>
        paced.inc({ operation, priority, outcome }),
      /** Shows what is left of the platform's quota, once that is known. */
      watchQuota(read: () => QuotaLeft | undefined): void {
        for (const operation of watched.known.operations)
          for (const priority of priorities)
            for (const outcome of pacedOutcomes) paced.inc({ operation, priority, outcome }, 0);
        showQuota(read, registers);
      },
    },
    /** Signing in by message. */
    signIn: {
      wrongPasscode: () => wrongPasscodes.inc(),
      message: (outcome: (typeof messageOutcomes)[number]) => signInMessages.inc({ outcome }),
      /** Shows whether passcodes are longer now, because many wrong ones are tried. */
      watch(isUnderAttack: () => Promise<boolean>): void {
        const help = '1 while passcodes have 8 digits, because many wrong ones are tried.';
        gauge('sayso_passcodes_under_attack', help, async () => Number(await isUnderAttack()), registers);
      },
    },
    events,
    messages,
    delivery: {
      /** A withdrawal named a purpose that its center does not have. */
      noSuchPurpose: (center: string) => missing.inc({ center }),
      /** Outcomes of tasks for stuck withdrawals. */
      stuckTask: (outcome: (typeof stuckOutcomes)[number], times: number) => stuck.inc({ outcome }, times),
    },
    /** In the text format of Prometheus. */
    print: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

const stuckOutcomes = ['made', 'refused', 'lost', 'closed'] as const;
const messageOutcomes = ['sent', 'none', 'refused'] as const;
const pacedOutcomes = ['waited', 'refused'] as const;
const priorities: readonly CallPriority[] = ['withdrawal', 'person', 'background'];
const states: readonly Submission['state'][] = ['pending', 'done', 'failed'];

function showBuild(build: Watched['build'], registers: Registry[]): void {
  const labels = { ...build, node: process.versions.node };
  const info = new Gauge({
    name: 'sayso_build_info',
    help: 'Always 1: which version runs, on which Node and which host.',
    labelNames: Object.keys(labels),
    registers,
  });
  info.set(labels, 1);
}

const breakerValue = { closed: 0, 'half-open': 1, open: 2 } as const;

function watchJournal({ journal, clock }: Watched, registers: Registry[]): void {
  let counts: Promise<Awaited<ReturnType<typeof journal.counts>> | undefined> = Promise.resolve(undefined);
  // Gauges are collected in the order of creation: the first one reads for both.
  new Gauge({
    name: 'sayso_journal_submissions',
    help: 'Submissions in the journal by state; absent while the journal cannot be read. Shared: of all nodes.',
    labelNames: ['state'],
    registers,
    async collect() {
      counts = journal.counts().catch(() => undefined);
      const found = await counts;
      this.reset();
      if (found === undefined) return;
      // An empty journal shows 0, not absence.
      for (const state of states) this.set({ state }, 0);
      for (const { state, count } of found) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'sayso_journal_oldest_seconds',
    help: 'Age of the oldest submission that waits. Shared: of all nodes.',
    labelNames: ['state'],
    registers,
    async collect() {
      const found = await counts;
      this.reset();
      for (const { state, oldestAt } of found ?? []) {
        if (oldestAt !== undefined) this.set({ state }, Math.max(0, clock.now() - oldestAt) / 1_000);
      }
    },
  });
}

function showDatabase(database: Pick<DatabaseWatch, 'isAway' | 'statements'>, registers: Registry[]): void {
  const help = '1 while the database answers this node, 0 while it is away.';
  gauge('sayso_database_available', help, () => Number(!database.isAway()), registers);
  new Counter({
    name: 'sayso_database_statements_total',
    help: 'Statements that this node sent to the database.',
    registers,
    collect() {
      this.reset();
      this.inc(database.statements());
    },
  });
}

function showInternalErrors({ counts }: Pick<InternalErrors, 'counts'>, registers: Registry[]): void {
  new Counter({
    name: 'sayso_internal_errors_total',
    help: "Faults of Sayso's own that were logged, by name or SQLSTATE: there should be none.",
    labelNames: ['error'],
    registers,
    collect() {
      this.reset();
      for (const [error, count] of counts()) this.inc({ error }, count);
    },
  });
}

function showQuota(read: () => QuotaLeft | undefined, registers: Registry[]): void {
  const show = (name: string, help: string, which: 'allowed' | 'left') =>
    new Gauge({
      name,
      help,
      labelNames: ['period', 'operation'],
      registers,
      collect() {
        this.reset();
        const quota = read();
        if (quota === undefined) return;
        this.set({ period: 'hour', operation: 'all' }, quota.account[which]);
        for (const [operation, of] of quota.endpoints) this.set({ period: 'minute', operation }, of[which]);
      },
    });
  const whose = 'Shared: of all nodes, as this one knew it last.';
  show(
    'sayso_platform_quota_allowed',
    `Calls that the platform allows in a minute or hour. ${whose}`,
    'allowed',
  );
  show('sayso_platform_quota_left', `How many of them are left. ${whose}`, 'left');
}

function gauge(
  name: string,
  help: string,
  read: () => number | Promise<number>,
  registers: Registry[],
): void {
  new Gauge({
    name,
    help,
    registers,
    async collect() {
      this.set(await read());
    },
  });
}
