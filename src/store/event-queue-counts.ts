import type { EventQueueCounts } from '../ports/events.ts';

/** Of a row that both stores give alike. */
export function queueCountsOf(receiver: string, row: Readonly<Record<string, unknown>>): EventQueueCounts {
  const optional = (name: string) => (row[name] === null ? undefined : Number(row[name]));
  return {
    receiver,
    waiting: Number(row['waiting']),
    held: Number(row['held']),
    oldestAt: optional('oldest'),
    stoppedAt: optional('stopped'),
    problem: row['problem'] === null ? undefined : String(row['problem']),
  };
}
