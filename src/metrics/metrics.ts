import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Submission } from '../core/model/submission/submission.ts';
import type { Journal } from '../ports/journal.ts';
import type { CallPriority } from '../ports/platform.ts';
import type { TracedAnswer } from './tracing.ts';

export type Metrics = ReturnType<typeof createMetrics>;

export interface QuotaLeft {
  readonly account: { readonly allowed: number; readonly left: number };
  readonly endpoints: ReadonlyMap<string, { readonly allowed: number; readonly left: number }>;
}

interface Watched {
  readonly journal: Pick<Journal, 'counts'>;
  readonly clock: { now(): number };
  /** The delay of the event loop in milliseconds. */
  readonly loopDelay: () => number;
  readonly inFlight: () => number;
}

type Sample = readonly [value: number, labels?: Readonly<Record<string, string>>];
type Samples = readonly Sample[];

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const secondsOfEvents = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

const stuckOutcomes = ['made', 'refused', 'lost', 'closed'] as const;
const messageOutcomes = ['sent', 'none', 'refused'] as const;
const pacedOutcomes = ['waited', 'refused'] as const;
const priorities: readonly CallPriority[] = ['withdrawal', 'person', 'background'];
const states: readonly Submission['state'][] = ['pending', 'done', 'failed'];
const breakerValue = { closed: 0, 'half-open': 1, open: 2 } as const;

/**
 * Metrics of the process. Their labels are names, classes, patterns and states only, never data of a person.
 */
export function createMetrics(known: {
  /** Version of the program, and name of its machine. */
  readonly build: { readonly version: string; readonly host: string };
  /**
   * Labels known at the start. Their counters begin at 0, because Prometheus sees no rise of a counter that
   * begins at 1.
   */
  readonly classes: readonly string[];
  readonly operations: readonly string[];
  /** True if the store is a database; else it is files of this machine. */
  readonly hasDatabase: boolean;
}) {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, labelNames: readonly Label[], help: string) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    labelNames: readonly Label[],
    help: string,
    buckets = seconds,
  ) => new Histogram({ name, help, labelNames, buckets, registers });
  /**
   * Makes a gauge that is read at each scrape. A value that cannot be read is absent. Samples with the same
   * labels are added up.
   */
  const gauge = (
    name: string,
    labelNames: readonly string[],
    help: string,
    read: () => Samples | Promise<Samples>,
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const samples = await Promise.resolve()
          .then(read)
          .catch(() => []);
        this.reset();
        for (const [value, labels = {}] of samples) this.inc(labels, value);
      },
    });
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
  const wrongKeys = counter(
    'sayso_wrong_api_keys_total',
    [],
    'Requests of other systems with an unknown key.',
  );
  const eventCalls = histogram(
    'sayso_event_call_seconds',
    ['center', 'outcome'],
    'Calls to receivers of events by center and outcome (ok, status-500, timeout, …).',
    secondsOfEvents,
  );
  const messages = counter(
    'sayso_messages_total',
    ['outcome'],
    'Messages about changes by outcome: ok, or why the mail server took none.',
  );
  const internalErrors = counter(
    'sayso_internal_errors_total',
    ['error'],
    "Faults of Sayso's own that were logged, by name or SQLSTATE: there should be none.",
  );
  for (const outcome of stuckOutcomes) stuck.inc({ outcome }, 0);
  for (const shed of known.classes) loadShedder.inc({ class: shed }, 0);
  for (const outcome of messageOutcomes) signInMessages.inc({ outcome }, 0);
  messages.inc({ outcome: 'ok' }, 0);
  const build = { ...known.build, node: process.versions.node };
  gauge(
    'sayso_build_info',
    Object.keys(build),
    'Always 1: which version runs, on which Node and which host.',
    () => [[1, build]],
  );
  gauge('sayso_memory_bytes', [], 'Resident memory of the process.', () => [[process.memoryUsage.rss()]]);
  gauge('sayso_uptime_seconds', [], 'Since the process started.', () => [[process.uptime()]]);

  return {
    /** Counts an answer. `route`: pattern of the route, never an address. */
    request({ requestClass, route, method, status, ms }: TracedAnswer & { readonly ms: number }): void {
      requests.observe({ class: requestClass, route, method, status: String(status) }, ms / 1_000);
    },
    loadShedder: (requestClass: string) => loadShedder.inc({ class: requestClass }),
    /** Counts an error of the product itself, by name or code. */
    internalError: (error: string) => internalErrors.inc({ error }),
    /** Metrics of the database that the nodes share. */
    database: known.hasDatabase ? databaseMetrics() : undefined,
    /** Shows the process and its journal. */
    watch({ journal, clock, loopDelay, inFlight }: Watched): void {
      gauge('sayso_requests_in_flight', [], 'Requests begun and not answered.', () => [[inFlight()]]);
      gauge(
        'sayso_event_loop_delay_seconds',
        [],
        'Usual delay of the event loop over the last moment.',
        () => [[loopDelay() / 1_000]],
      );
      // Gauges are collected in the order of creation: the first one reads for both.
      let counts = Promise.resolve<Awaited<ReturnType<typeof journal.counts>>>([]);
      gauge(
        'sayso_journal_submissions',
        ['state'],
        'Submissions in the journal by state; absent while the journal cannot be read. Shared: of all nodes.',
        async () => {
          counts = journal.counts();
          const found = await counts;
          // An empty journal shows 0, not absence.
          return states.map((state) => [found.find((one) => one.state === state)?.count ?? 0, { state }]);
        },
      );
      gauge(
        'sayso_journal_oldest_seconds',
        ['state'],
        'Age of the oldest submission that waits. Shared: of all nodes.',
        async () =>
          (await counts).flatMap(({ state, oldestAt }) =>
            oldestAt === undefined ? [] : [[Math.max(0, clock.now() - oldestAt) / 1_000, { state }] as const],
          ),
      );
    },
    /** Calls to the platform, as its adapter reports them. */
    platform: {
      call: (operation: string, outcome: string, ms: number) =>
        calls.observe({ operation, outcome }, ms / 1_000),
      breaker: (operation: string, state: keyof typeof breakerValue) =>
        breakers.set({ operation }, breakerValue[state]),
      dropped: (center: string, count: number) => dropped.inc({ center }, count),
      /** Begins the counters of a listed center at 0. */
      listed(center: string): void {
        dropped.inc({ center }, 0);
        missing.inc({ center }, 0);
      },
      paced: (operation: string, priority: string, outcome: (typeof pacedOutcomes)[number]) =>
        paced.inc({ operation, priority, outcome }),
      /** Shows what is left of the platform's quota, once that is known. */
      watchQuota(read: () => QuotaLeft | undefined): void {
        for (const operation of known.operations)
          for (const priority of priorities)
            for (const outcome of pacedOutcomes) paced.inc({ operation, priority, outcome }, 0);
        const scope = 'Shared: of all nodes, as this one knew it last.';
        for (const [which, help] of [
          ['allowed', `Calls that the platform allows in a minute or hour. ${scope}`],
          ['left', `How many of them are left. ${scope}`],
        ] as const)
          gauge(`sayso_platform_quota_${which}`, ['period', 'operation'], help, () => {
            const quota = read();
            if (quota === undefined) return [];
            const samples: Sample[] = [[quota.account[which], { period: 'hour', operation: 'all' }]];
            for (const [operation, endpoint] of quota.endpoints)
              samples.push([endpoint[which], { period: 'minute', operation }]);
            return samples;
          });
      },
    },
    /** Signing in by message. */
    signIn: {
      wrongPasscode: () => wrongPasscodes.inc(),
      message: (outcome: (typeof messageOutcomes)[number]) => signInMessages.inc({ outcome }),
      /** Shows whether passcodes are longer now, because many wrong ones are tried. */
      watch(isUnderAttack: () => Promise<boolean>): void {
        const help = '1 while passcodes have 8 digits, because many wrong ones are tried.';
        gauge('sayso_passcodes_under_attack', [], help, async () => [[Number(await isUnderAttack())]]);
      },
    },
    events: {
      wrongApiKey: () => wrongKeys.inc(),
      /** Counts a call to a receiver. `outcome`: ok, or the problem. */
      sent: (center: string, outcome: string, ms: number) =>
        eventCalls.observe({ center, outcome }, ms / 1_000),
      /** Shows waiting events by center, and by state: waiting, held, stopped. */
      watch(read: () => Promise<Samples>): void {
        gauge(
          'sayso_events',
          ['center', 'state'],
          'Events not sent yet, people whose first event is held, receivers that were stopped; at most 10,000 are counted. Shared: of all nodes.',
          read,
        );
      },
    },
    messages: {
      sent: (outcome: string) => messages.inc({ outcome }),
      /** Shows how many messages wait. */
      watch(read: () => Promise<readonly { readonly state: string; readonly count: number }[]>): void {
        gauge(
          'sayso_messages',
          ['state'],
          'Messages about changes: not sent yet, or held after three days; at most 10,000 are counted. Shared: of all nodes.',
          async () => (await read()).map(({ state, count }) => [count, { state }]),
        );
      },
    },
    delivery: {
      /** Counts a withdrawal that named a purpose which its center does not have. */
      noSuchPurpose: (center: string) => missing.inc({ center }),
      /** Counts outcomes of tasks for stuck withdrawals. */
      stuckTask: (outcome: (typeof stuckOutcomes)[number], times: number) => stuck.inc({ outcome }, times),
    },
    /** Prints all metrics in the text format of Prometheus. */
    print: () => registry.metrics(),
    contentType: registry.contentType,
  };

  function databaseMetrics() {
    const statements = counter(
      'sayso_database_statements_total',
      [],
      'Statements that this node sent to the database.',
    );
    let isAway = false;
    gauge(
      'sayso_database_available',
      [],
      '1 while the database answers this node, 0 while it is away.',
      () => [[Number(!isAway)]],
    );
    return {
      statement: () => statements.inc(),
      available: (state: 'away' | 'back') => {
        isAway = state === 'away';
      },
    };
  }
}
