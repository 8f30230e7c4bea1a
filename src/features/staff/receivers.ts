import { Problem } from '../../core/model/problem.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Events } from '../../ports/events.ts';
import type { Call, GuardedRouter } from './guarded-router.ts';
import type { CenterNames } from './pages/names.ts';
import { buildReceiversPage } from './pages/receivers.ts';

export interface ReceiverParts {
  readonly events: Pick<Events, 'queuesOf' | 'sendAgain'>;
  readonly receivers: readonly { readonly id: string; readonly center: string; readonly host: string }[];
  readonly centerNames: () => Promise<CenterNames>;
  readonly clock: Clock;
}

const mostCounted = 10_000;

/** Who is called when people withdraw: what waits for them, and sending it again. */
export function addReceivers(guarded: GuardedRouter, parts: ReceiverParts): void {
  const { events, centerNames, clock } = parts;

  async function show(call: Call, sentTo: string | undefined): Promise<void> {
    const queues = await events.queuesOf(
      parts.receivers.map(({ id }) => id),
      mostCounted,
    );
    const receivers = parts.receivers.map(({ id, center, host }, index) => {
      const { waiting = 0, held = 0, oldestAt, stoppedAt, problem } = queues[index] ?? {};
      return { id, center, host, waiting, held, oldestAt, stoppedAt, problem };
    });
    const centers = await centerNames();
    const page = { receivers, centers, sentTo, token: call.token(), most: mostCounted };
    await call.show(buildReceiversPage(call.pageContext, page));
  }

  guarded.get('/receivers', 'viewer', 'looked at the receivers of events', (call) =>
    show(call, call.query('sent')),
  );

  guarded.post('/receivers', 'editor', 'sent events again', async (call) => {
    const [id] = call.form['receiver'] ?? [];
    const receiver = parts.receivers.find((one) => one.id === id);
    if (receiver === undefined) throw new Problem('not-found');
    call.about(`${receiver.center} ${receiver.host}`);
    await events.sendAgain(receiver.id, clock.now());
    call.response.redirect(303, `/staff/receivers?sent=${encodeURIComponent(receiver.id)}`);
  });
}
