import { readDay, readInstant } from './clock.ts';
import { badRequest } from './refusal.ts';

/** Reads a date of the query; undefined when absent. A date without time means midnight UTC. Throws 400. */
export function readQueryDate(query: URLSearchParams, name: string): Date | undefined {
  const given = query.get(name);
  if (given === null || given === '') return undefined;
  const isBare = /^\d{4}-\d{2}-\d{2}$/.test(given);
  const isFull = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(given);
  const date = isBare ? readDay(given) : isFull ? readInstant(given) : undefined;
  if (date === undefined) throw badRequest(`${name} must be yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss, not ${given}`);
  return date;
}
