import type { CenterEvent, KeptEvent } from './center-event.ts';

/** The body of an event as it is written in JSON, pushed and pulled alike: docs/events.md, What an event says. */
export function eventBody(event: KeptEvent): object {
  const { type, at, ...ofRoot } = event;
  const data = event.type === 'root.signed' ? ofRoot : ofSubmission(event);
  return { type, timestamp: new Date(at).toISOString(), data };
}

function ofSubmission({ subject: identifier, ...event }: CenterEvent) {
  const { id, center, reference, channel, change, outcome, purpose, topics, options } = event;
  return { id, center, identifier, reference, channel, change, outcome, purpose, topics, options };
}
