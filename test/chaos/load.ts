import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';

export interface LoadAnswer {
  readonly kind: string;
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  readonly ms: number;
  readonly retryAfter: string | undefined;
}

export interface LoadRequest {
  readonly kind: string;
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | null;
}

/**
 * A client with keep-alive connections, as a proxy in front has them. A request waits for a free connection.
 */
export function createClient(origin: string, connections: number) {
  const pool = new Pool(origin, { connections });
  return {
    async send({ kind, url, method = 'GET', headers = {}, body = null }: LoadRequest): Promise<LoadAnswer> {
      const { pathname, search } = new URL(url);
      const began = performance.now();
      const asked = { path: pathname + search, method, headers: { accept: 'text/html', ...headers }, body };
      const answer = await pool.request(asked).catch(() => undefined);
      await answer?.body.dump({ limit: 10_000_000 }).catch(() => undefined);
      const { 'retry-after': retryAfter } = answer?.headers ?? {};
      const ms = performance.now() - began;
      return { kind, status: answer?.statusCode ?? 0, ms, retryAfter: retryAfter?.toString() };
    },
    close: () => pool.destroy(),
  };
}

/** Lets `clients` send for `ms`: each sends a request as soon as its last one is answered. */
export async function closedLoop(
  { clients, ms }: { clients: number; ms: number },
  send: (index: number) => Promise<LoadAnswer>,
): Promise<LoadAnswer[]> {
  const answers: LoadAnswer[] = [];
  const last = performance.now() + ms;
  let index = 0;
  const client = async () => {
    while (performance.now() < last) {
      index += 1;
      answers.push(await send(index));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return answers;
}

/**
 * Sends `perSecond` for `ms`, answered or not; `unanswered` counts the requests open when the last was sent.
 */
export async function openLoop(
  { perSecond, ms }: { perSecond: number; ms: number },
  send: (index: number) => Promise<LoadAnswer>,
): Promise<{ readonly answers: readonly LoadAnswer[]; readonly unanswered: number }> {
  const sent: Promise<LoadAnswer>[] = [];
  let answered = 0;
  const began = performance.now();
  for (;;) {
    const now = performance.now() - began;
    if (now >= ms) break;
    const due = Math.floor((now / 1_000) * perSecond);
    while (sent.length < due)
      sent.push(
        send(sent.length).finally(() => {
          answered += 1;
        }),
      );
    await pause(2);
  }
  const unanswered = sent.length - answered;
  return { answers: await Promise.all(sent), unanswered };
}
