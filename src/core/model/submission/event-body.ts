import type { CenterEvent, KeptEvent } from './center-event.ts';

/** The JSON body of an event, the same for push and pull (docs/events.md, What an event says). */
export function eventBody(event: KeptEvent): object {
  const { type, at, ...ofRoot } = event;
  const data = event.type === 'root.signed' ? ofRoot : ofSubmission(event);
  return { type, timestamp: new Date(at).toISOString(), data };
}

function ofSubmission({ subject: identifier, ...event }: CenterEvent) {
  const { id, center, reference, channel, change, outcome, purpose, topics, options } = event;
  return { id, center, identifier, reference, channel, change, outcome, purpose, topics, options };
}
