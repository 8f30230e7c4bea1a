import { type RequestHandler, Router } from 'express';
import { jsonBody } from './body.ts';
import { createMemoryCounters } from './client-rates.ts';
import type { Logger } from './log.ts';
import { reportPath } from './security.ts';

/** The most reports that are logged in a minute. More say nothing new, and anyone may send them. */
const mostAMinute = 20;

/**
 * Logs the browser's reports about the content security policy: directive and origin, never the page's
 * address. It stands before the cross-origin check, because browsers send reports without an origin.
 */
export function reportRoutes({ log, clock }: { log: Logger; clock: { now(): number } }): Router {
  const router = Router();
  const body = jsonBody({
    right: 'anyone',
    types: ['application/csp-report', 'application/reports+json'],
    bytes: 16 * 1_024,
  });
  const counters = createMemoryCounters(clock);

  const take: RequestHandler = ({ body }, response) => {
    for (const report of readReports(body))
      if (counters.count('reports', '', { most: mostAMinute, withinMs: 60_000 }).kind === 'counted')
        log.warn(report, 'stopped by the content security policy');
    response.status(204).end();
  };

  router.post(reportPath, body, take);
  return router;
}

/** Reads both formats: `report-uri` sends one `csp-report`, `report-to` a list. */
function readReports(body: unknown) {
  const list = Array.isArray(body) ? body.slice(0, mostAMinute) : [body];
  return list.flatMap((entry) => {
    const report = member(entry, 'csp-report') ?? member(entry, 'body');
    const directive = member(report, 'effective-directive') ?? member(report, 'effectiveDirective');
    const blocked = member(report, 'blocked-uri') ?? member(report, 'blockedURL');
    if (typeof directive !== 'string' || typeof blocked !== 'string') return [];
    return [{ directive: directive.replaceAll(/[^a-z-]/g, '').slice(0, 40), blocked: originOf(blocked) }];
  });
}

/** An origin, or a word such as `inline`, `eval`, `data`, `blob`. */
function originOf(blocked: string): string {
  if (URL.canParse(blocked)) {
    const { origin, protocol } = new URL(blocked);
    return origin === 'null' ? protocol : origin;
  }
  return /^[a-z-]{1,20}$/.test(blocked) ? blocked : 'unknown';
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
