import type { KeptEvent } from './center-event.ts';

/** The body of an event, pushed and pulled alike: docs/events.md, What an event says. */
export function eventBody(event: KeptEvent): object {
  if (event.type === 'root.signed') {
    const { type, at, ...data } = event;
    return { type, timestamp: new Date(at).toISOString(), data };
  }
  const { id, type, at, center, subject, reference, purpose, change, outcome, channel } = event;
  const { topics, options } = event;
  return {
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      ...{ id, center, identifier: subject, reference, channel, change, outcome },
      ...(purpose === undefined ? {} : { purpose }),
      ...(topics === undefined ? {} : { topics }),
      ...(options === undefined ? {} : { options }),
    },
  };
}
