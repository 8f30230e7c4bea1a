import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of messages about changes. */
export interface MessageMetrics {
  sent(outcome: string): void;
  /** Shows how many messages wait. */
  watch(read: () => Promise<readonly { readonly state: 'waiting' | 'held'; readonly count: number }[]>): void;
}

export function messageMetrics(registers: Registry[]): MessageMetrics {
  const sent = new Counter({
    name: 'sayso_messages_total',
    help: 'Messages about changes by outcome: ok, or why the mail server took none.',
    labelNames: ['outcome'],
    registers,
  });
  sent.inc({ outcome: 'ok' }, 0);
  return {
    sent: (outcome) => sent.inc({ outcome }),
    watch(read) {
      new Gauge({
        name: 'sayso_messages',
        help: 'Messages about changes: not sent yet, or held after three days; at most 10,000 are counted. Shared: of all nodes.',
        labelNames: ['state'],
        registers,
        async collect() {
          const found = await read().catch(() => []);
          this.reset();
          for (const { state, count } of found) this.set({ state }, count);
        },
      });
    },
  };
}
