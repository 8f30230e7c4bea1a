import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface EventCount {
  readonly center: string;
  readonly state: 'waiting' | 'held' | 'stopped';
  readonly count: number;
}

const seconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Metrics of events. */
export function eventMetrics(registers: Registry[]) {
  const wrongKeys = new Counter({
    name: 'sayso_wrong_api_keys_total',
    help: 'Requests of other systems with an unknown key.',
    registers,
  });
  const sent = new Histogram({
    name: 'sayso_event_call_seconds',
    help: 'Calls to receivers of events by center and outcome (ok, status-500, timeout, …).',
    labelNames: ['center', 'outcome'],
    buckets: seconds,
    registers,
  });
  return {
    wrongApiKey: () => wrongKeys.inc(),
    /** `outcome`: ok, or the problem. */
    sent: (center: string, outcome: string, ms: number) => sent.observe({ center, outcome }, ms / 1_000),
    /** Shows waiting events by center and state. */
    watch(read: () => Promise<readonly EventCount[]>): void {
      new Gauge({
        name: 'sayso_events',
        help: 'Events not sent yet, people whose first event is held, receivers that were stopped; at most 10,000 are counted. Shared: of all nodes.',
        labelNames: ['center', 'state'],
        registers,
        async collect() {
          const found = await read().catch(() => []);
          this.reset();
          for (const { center, state, count } of found) this.inc({ center, state }, count);
        },
      });
    },
  };
}
