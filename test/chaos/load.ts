import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';

export interface Hit {
  readonly kind: string;
  /** 0: no answer. */
  readonly status: number;
  readonly ms: number;
  readonly retryAfter: string | undefined;
}

export interface Shot {
  readonly kind: string;
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | null;
}

/** So many keep-alive connections, as a proxy in front has them. What finds none free waits for one. */
export function createGun(origin: string, connections: number) {
  const pool = new Pool(origin, { connections });
  return {
    async fire({ kind, url, method = 'GET', headers = {}, body = null }: Shot): Promise<Hit> {
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

/** So many at a time, each as soon as the one before it is answered, for so long. */
export async function closedLoop(
  { clients, ms }: { clients: number; ms: number },
  shoot: (index: number) => Promise<Hit>,
): Promise<Hit[]> {
  const hits: Hit[] = [];
  const last = performance.now() + ms;
  let index = 0;
  const client = async () => {
    while (performance.now() < last) {
      index += 1;
      hits.push(await shoot(index));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return hits;
}

/** So many a second, whatever becomes of those before; `unanswered` were so when the last was sent. */
export async function openLoop(
  { perSecond, ms }: { perSecond: number; ms: number },
  shoot: (index: number) => Promise<Hit>,
): Promise<{ readonly hits: readonly Hit[]; readonly unanswered: number }> {
  const flying: Promise<Hit>[] = [];
  let answered = 0;
  const began = performance.now();
  for (;;) {
    const now = performance.now() - began;
    if (now >= ms) break;
    const due = Math.floor((now / 1_000) * perSecond);
    while (flying.length < due)
      flying.push(
        shoot(flying.length).finally(() => {
          answered += 1;
        }),
      );
    await pause(2);
  }
  const unanswered = flying.length - answered;
  return { hits: await Promise.all(flying), unanswered };
}

/** `share` 0.99 is the p99. */
export function percentile(hits: readonly Pick<Hit, 'ms'>[], share: number): number {
  const sorted = hits.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
