/**
 * A mailing at a tenant's quota: one-clicks in the first minute and visitors over ten, on nodes that share
 * one store, over a sandbox that has the quota. The sandbox's log of calls tells when each call came.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { sealOneClick } from '../../src/features/unsubscribe/token.ts';
import { createSeal } from '../../src/store/seal.ts';
import { startNodes } from '../chaos/nodes.ts';
import { readForms } from '../kit/form.ts';
import { postgres } from '../kit/postgres.ts';
import type { SandboxClient } from '../kit/sandbox-client.ts';
import { books } from '../kit/sandbox-ids.ts';
import { createVisitor } from '../kit/visitor.ts';

export interface Mailing {
  readonly nodes: number;
  /** The store that the nodes share: one database, or one folder. */
  readonly store: 'postgres' | 'files';
  readonly perMinute: number;
  readonly perHour: number;
  readonly clicks: number;
  /** Seconds over which the clicks come. */
  readonly clickSeconds: number;
  readonly visitors: number;
  readonly visitSeconds: number;
  /** One in so many visitors who have to wait unsubscribes from everything at once. */
  readonly leaveEvery: number;
  /** Seconds of the nodes and the platform that pass in a real one; `env` has the settings for it. */
  readonly pace?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Seconds after which the run ends, whatever still waits. */
  readonly longestSeconds: number;
  readonly say?: (line: string) => void;
}

/** The outcome of a mailing. Times are milliseconds since its beginning, by the sandbox's clock. */
export interface Run {
  readonly mailing: Mailing;
  /** The times of calls, by operation. */
  readonly calls: Readonly<Record<string, readonly number[]>>;
  /** The number of calls that the platform answered with 429. */
  readonly refused: number;
  /** The times at which withdrawals were taken. */
  readonly taken: readonly number[];
  /** The times at which withdrawals were applied on the platform. */
  readonly carriedOut: readonly number[];
  readonly pages: readonly number[];
  readonly waitingPages: readonly number[];
  /** Real milliseconds until each visitor had the page or the waiting page. */
  readonly answers: readonly number[];
  /** Answers that were neither a page, nor a waiting page, nor an accepted withdrawal. */
  readonly odd: readonly string[];
  /** The number of visitors who never got in, nor left. */
  readonly unopened: number;
  /**
   * People whose withdrawal was taken but not applied, each with their diary; then the end of each node's
   * log.
   */
  readonly missing: readonly string[];
}

const operations = ['read-subject', 'withdraw-subject', 'update-subject'];

export async function runMailing(mailing: Mailing): Promise<Run> {
  const { clicks, visitors, pace = 1, env = {}, say = () => undefined } = mailing;
  const shared = await share(mailing.store);
  const quota = {
    PLATFORM_REQUESTS_PER_MINUTE: String(mailing.perMinute),
    PLATFORM_REQUESTS_PER_HOUR: String(mailing.perHour),
  };
  await using running = await startNodes({
    databases: Array.from({ length: mailing.nodes }, () => shared.url),
    env: { ...quota, ...shared.env, LOG_LEVEL: 'warn', ...env },
    platformEnv: env,
  });
  const { sandbox, front } = running;
  const clicker = (index: number) => `click.${index}@example.org`;
  const visitorOf = (index: number) => `visit.${index}@example.org`;
  await makeAllKnown(sandbox, [
    ...Array.from({ length: clicks }, (_, index) => clicker(index)),
    ...Array.from({ length: visitors }, (_, index) => visitorOf(index)),
  ]);
  say(`${clicks + visitors} people are known`);
  // These requests make each node read the schema, as it has before any mailing.
  const link = (identifier: string) =>
    (running.nodes[0] as (typeof running.nodes)[number]).link({ center: books, identifier });
  for (const node of running.nodes) await createVisitor(node.url).get(`/centers/${books}/sign-in`);
  await createVisitor(front.url).open(await link(visitorOf(0)));
  await sandbox.clearCalls();
  await sandbox.allow({ perMinute: mailing.perMinute, perHour: mailing.perHour });

  const began = performance.now();
  const beganAt = Date.now();
  const origin = Number(env['SCALED_CLOCK_ORIGIN'] ?? beganAt);
  const begunThere = origin + (beganAt - origin) * pace;
  const now = () => (performance.now() - began) * pace;
  const until = async (at: number) => pause(Math.max(0, (at - now()) / pace));
  /** The events of each person, for a failure's message. */
  const diary = new Map<string, string[]>();
  const note = (identifier: string, event: string, at = now()) =>
    diary.set(identifier, [...(diary.get(identifier) ?? []), `${(at / 1_000).toFixed(1)} s ${event}`]);
  const log = createLog(sandbox, begunThere, note);
  const taken: number[] = [];
  const pages: number[] = [];
  const waitingPages: number[] = [];
  const answers: number[] = [];
  const odd: string[] = [];
  let inHand = 0;
  let waiters = 0;
  /** People whose withdrawal was taken. */
  const leavers = new Set<string>();

  async function click(index: number): Promise<void> {
    const made = {
      center: books,
      subject: clicker(index) as SubjectId,
      purpose: undefined,
      madeAt: begunThere,
    };
    const answer = await fetch(`${front.url}/u/${sealOneClick(seal, made)}`, {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
    });
    await answer.body?.cancel();
    if (answer.status === 200) {
      taken.push(now());
      leavers.add(clicker(index));
    } else odd.push(`a click: ${answer.status}`);
  }

  async function visit(index: number): Promise<void> {
    const visitor = createVisitor(front.url);
    const path = new URL(await link(visitorOf(index)));
    let address = (await visitor.get(path.pathname + path.search)).location ?? '';
    for (let isFirst = true; ; isFirst = false) {
      const asked = performance.now();
      const answer = await visitor.get(address);
      if (isFirst) answers.push(performance.now() - asked);
      note(visitorOf(index), `a page: ${answer.status}, again after ${answer.headers['refresh']} s`);
      if (answer.status === 200) return void pages.push(now());
      const seconds = Number(answer.headers['refresh']);
      if (answer.status !== 503 || !(seconds > 0)) {
        odd.push(`a page: ${answer.status}`);
        return;
      }
      waitingPages.push(now());
      waiters += 1;
      const form = readForms(answer.text).find(({ action }) => action.includes('/unsubscribe'));
      if (waiters % mailing.leaveEvery === 0 && form !== undefined) {
        const left = await visitor.post(form.action, [['token', form.valueOf('token') ?? '']]);
        note(visitorOf(index), `leaving: ${left.status}`);
        if (left.status === 303) {
          taken.push(now());
          leavers.add(visitorOf(index));
        } else odd.push(`leaving: ${left.status}`);
        return;
      }
      address = answer.url;
      await pause((seconds * 1_000) / pace);
    }
  }

  const seal = createSeal([front.env['SECRET'] ?? '']);
  const start = async (count: number, seconds: number, act: (index: number) => Promise<void>) => {
    for (let index = 0; index < count; index += 1) {
      await until((index * seconds * 1_000) / count);
      inHand += 1;
      void act(index)
        .catch((fault: unknown) => odd.push(String(fault)))
        .finally(() => (inHand -= 1));
    }
  };
  const coming = Promise.all([
    start(clicks, mailing.clickSeconds, click),
    start(visitors, mailing.visitSeconds, visit),
  ]);
  const awaited = () => [...leavers].filter((identifier) => !log.carriedOut.has(identifier));
  let isOver = false;
  void coming.then(() => (isOver = true));
  for (;;) {
    await pause(10_000 / Math.max(1, pace));
    await log.read();
    say(
      `${(now() / 1_000).toFixed(0)} s: ${taken.length} taken, ${log.carriedOut.size} carried out, ${pages.length} pages, ${waitingPages.length} waiting pages, ${log.refused()} × 429, ${inHand} in hand`,
    );
    if (isOver && inHand === 0 && awaited().length === 0) break;
    if (now() > mailing.longestSeconds * 1_000) break;
  }
  const unopened = inHand;
  await log.read();
  const missing = awaited().map((identifier) => `${identifier}: ${diary.get(identifier)?.join(', ')}`);
  if (missing.length > 0) missing.push(...running.nodes.map((node) => node.output().slice(-2_000)));
  for (const node of running.nodes) await node.stop();
  await shared.end();
  return {
    mailing,
    calls: log.calls,
    refused: log.refused(),
    taken,
    carriedOut: [...log.carriedOut.values()],
    pages,
    waitingPages,
    answers,
    odd,
    unopened,
    missing,
  };
}

interface Shared {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  end(): Promise<void>;
}

async function share(store: Mailing['store']): Promise<Shared> {
  if (store === 'postgres') {
    const { url, end } = await postgres.database();
    return { url, env: {}, end };
  }
  const folder = mkdtempSync(join(tmpdir(), 'sayso-mailing-'));
  return {
    url: '',
    env: { DATA_DIR: folder },
    end: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Collects the calls of the sandbox's log, which keeps only the last 2,000. */
function createLog(
  sandbox: SandboxClient,
  began: number,
  note: (identifier: string, event: string, at: number) => void,
) {
  const calls: Record<string, number[]> = Object.fromEntries(operations.map((name) => [name, []]));
  const carriedOut = new Map<string, number>();
  let last = 0;
  let refused = 0;
  return {
    calls,
    carriedOut,
    refused: () => refused,
    async read(): Promise<void> {
      const entries = await sandbox.calls();
      const fresh = entries.filter(({ number }) => number > last);
      if (last > 0 && (fresh[0]?.number ?? last + 1) !== last + 1) throw new Error('calls were forgotten');
      last = entries.at(-1)?.number ?? last;
      for (const { at, operation, identifier, status } of fresh) {
        const when = Date.parse(at) - began;
        calls[operation]?.push(when);
        if (identifier !== undefined) note(identifier, `${operation} ${status}`, when);
        if (status === 429) refused += 1;
        else if (operation === 'withdraw-subject' && status === 200 && identifier !== undefined) {
          if (!carriedOut.has(identifier)) carriedOut.set(identifier, when);
        }
      }
    },
  };
}

/** Gives each person the active purposes of Anna's record. */
export async function makeAllKnown(sandbox: SandboxClient, people: readonly string[]): Promise<void> {
  const { Purposes } = await sandbox.subject(books, 'anna@example.org');
  const active = Purposes.filter(({ TransactionStatus }) => TransactionStatus === 'ACTIVE');
  const given = active.map(({ Id }) => ({ Id, TransactionStatus: 'ACTIVE' }));
  const left = [...people];
  const work = async () => {
    for (let identifier = left.pop(); identifier !== undefined; identifier = left.pop())
      await sandbox.change({ center: books, identifier, Purposes: given });
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

/** The most times that lie within `lengthMs`. */
export function mostWithin(times: readonly number[], lengthMs: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  let first = 0;
  let most = 0;
  for (const [index, at] of sorted.entries()) {
    while ((sorted[first] ?? 0) <= at - lengthMs) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/**
 * The earliest time, in milliseconds, at which all could have been applied, with `perMinute` in any minute.
 */
export function bestOf(taken: readonly number[], perMinute: number): number {
  const sorted = [...taken].sort((a, b) => a - b);
  const gone: number[] = [];
  for (const [index, at] of sorted.entries()) {
    gone.push(Math.max(at, (gone[index - perMinute] ?? Number.NEGATIVE_INFINITY) + 60_000));
  }
  return gone.at(-1) ?? 0;
}
