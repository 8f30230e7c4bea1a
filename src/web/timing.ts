import { AsyncLocalStorage } from 'node:async_hooks';
import type { Request, RequestHandler } from 'express';
import { isProbe } from './health.ts';
import type { ClassOf } from './load-shedder.ts';
import { type Answer, whenAnswered } from './log.ts';

export interface Answered extends Answer {
  readonly requestClass: string;
  readonly method: string;
}

type Tell = (answered: Answered) => void;

/** Reports every answer, for metrics. */
export function observeAnswers(classOf: ClassOf, tell: Tell): RequestHandler {
  return (request, response, next) => {
    const about = aboutOf(request, classOf);
    whenAnswered(request, response, (answer) => tell({ ...about, ...answer }));
    next();
  };
}

/** Runs each request in a span. `begin` returns the function that receives the answer. */
export function traceAnswers(classOf: ClassOf, begin: (handle: () => void) => Tell): RequestHandler {
  return (request, response, next) => {
    if (isProbe(request)) return next();
    const about = aboutOf(request, classOf);
    const tell = begin(next);
    whenAnswered(request, response, (answer) => tell({ ...about, ...answer }));
  };
}

function aboutOf(request: Request, classOf: ClassOf): Omit<Answered, keyof Answer> {
  return {
    requestClass: classOf(request),
    method: methods.has(request.method) ? request.method : 'other',
  };
}

const methods = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/**
 * Adds the header `Server-Timing` (W3C) for operators: the time of an answer by its parts. It tells nothing
 * about the data.
 */
export function createServerTiming() {
  const current = new AsyncLocalStorage<Map<string, number>>();
  const middleware: RequestHandler = (_request, response, next) => {
    const from = performance.now();
    const entries = new Map<string, number>();
    const { writeHead } = response;
    const timed = (...args: Parameters<typeof writeHead>) => {
      const all = [...entries, ['total', performance.now() - from] as const];
      response.setHeader('Server-Timing', all.map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`).join(', '));
      return writeHead.apply(response, args);
    };
    Object.defineProperty(response, 'writeHead', { value: timed });
    current.run(entries, next);
  };
  return {
    middleware,
    /** Adds time to an entry of the current request; `name` such as `read-subject`. */
    add(name: string, ms: number): void {
      const entries = current.getStore();
      entries?.set(name, (entries.get(name) ?? 0) + ms);
    },
  };
}
