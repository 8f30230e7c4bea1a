import { eventBody } from '../core/model/submission/event-body.ts';
import type { Events, QueuedEvent, WebhookSender } from '../ports/events.ts';
import { type Receiver, type ReceiversOptions, sendToReceivers } from '../queue/receivers.ts';

export interface EventReceiver extends Receiver {
  readonly center: string;
  readonly url: string;
  readonly secrets: readonly string[];
}

type EventOptions = Omit<ReceiversOptions<EventReceiver, QueuedEvent>, 'queue' | 'send' | 'words'> & {
  readonly events: Pick<Events, 'dueOf' | 'claim' | 'sent' | 'postpone' | 'stop' | 'makeDue' | 'hold'>;
  readonly sender: WebhookSender;
  readonly observer: { sent(center: string, outcome: string, ms: number): void };
};

/** Sends events to receivers; one event at a time for each person. */
export function sendEvents({ events, sender, observer, ...options }: EventOptions) {
  const { clock } = options;
  return sendToReceivers({
    ...options,
    queue: events,
    words: { queued: 'events', receiver: 'a receiver of events' },
    async send({ center, url, secrets }, { event }) {
      if (event === undefined) return undefined;
      const began = clock.now();
      const body = JSON.stringify(eventBody(event));
      const result = await sender.send({ url, secrets, id: event.id, body });
      observer.sent(center, result.kind === 'taken' ? 'ok' : result.problem, clock.now() - began);
      return result;
    },
  });
}
