import { createHmac } from 'node:crypto';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import type { Clock } from '../ports/clock.ts';
import type { WebhookSender } from '../ports/events.ts';
import type { SendResult } from '../ports/leased-queue.ts';
import { isPublicAddress, isReceiverAddress } from './address.ts';

export interface SenderOptions {
  readonly clock: Clock;
  /** Allowed addresses besides those of the public internet. */
  readonly allows: 'nothing-else' | 'loopback' | 'private-networks';
  /** Milliseconds for one call with its whole answer. */
  readonly timeoutMs?: number | undefined;
  /** Resolves a name. */
  readonly resolve?: ((host: string) => Promise<readonly string[]>) | undefined;
}

/** Bytes of an answer that are read and dropped. */
const mostRead = 16_384;
/** Connections to one receiver. */
const connections = 8;
const longestWaitMs = 3_600_000;
const loopbacks: Readonly<Record<string, readonly string[]>> = {
  localhost: ['127.0.0.1', '::1'],
  '127.0.0.1': ['127.0.0.1'],
  '::1': ['::1'],
};

class Refused extends Error {
  override readonly name = 'Refused';
  readonly code = 'ADDRESS_REFUSED';
}

/**
 * Sends webhooks. The address is checked when the connection is made, so a name that changed since cannot
 * lead elsewhere. No redirect is followed; only the status of the answer counts.
 */
export function createWebhookSender(options: SenderOptions): WebhookSender {
  const { clock, allows, timeoutMs = 15_000 } = options;
  const resolve = options.resolve ?? (allows === 'private-networks' ? resolveAsSystem : resolveByDns());
  const closing = new AbortController();

  async function addressesOf(host: string): Promise<readonly string[]> {
    const own = allows === 'loopback' ? loopbacks[host] : undefined;
    if (own !== undefined) return own;
    const addresses = isIP(host) === 0 ? await resolve(host) : [host];
    const isAllowed = addresses.every(allows === 'private-networks' ? isReceiverAddress : isPublicAddress);
    // No address at all would be an uncaught fault of the socket.
    if (addresses.length === 0 || !isAllowed) throw new Refused();
    return addresses;
  }

  const checked: LookupFunction = (host, { family, all }, found) => {
    addressesOf(host).then(
      (addresses) => {
        const each = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = each.filter((one) => family === 0 || family === undefined || one.family === family);
        if (all === true) found(null, each);
        else if (first === undefined) found(new Refused(), '');
        else found(null, first.address, first.family);
      },
      (fault: NodeJS.ErrnoException) => found(fault, ''),
    );
  };
  const agent = new Agent({
    connections,
    pipelining: 1,
    keepAliveTimeout: 20_000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { lookup: checked, timeout: Math.min(5_000, timeoutMs) },
  });

  return {
    async send(message) {
      const { url, body } = message;
      const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), closing.signal]);
      try {
        // undici does not look up a host that is an IP address.
        const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
        if (isIP(host) !== 0) await addressesOf(host);
        const answer = await request(url, {
          method: 'POST',
          body,
          signal,
          dispatcher: agent,
          headers: {
            'content-type': 'application/json',
            'user-agent': 'Sayso',
            ...signedHeaders(message, clock.now()),
          },
        });
        await answer.body.dump({ limit: mostRead, signal }).catch(() => undefined);
        return resultOf(answer.statusCode, answer.headers['retry-after'], clock.now());
      } catch (fault) {
        return { kind: 'not-taken', problem: problemOf(fault, signal), retryAfterMs: 0 };
      }
    },
    async close() {
      closing.abort();
      await agent.destroy();
    },
  };
}

/** The headers of Standard Webhooks. `at`: epoch milliseconds. */
function signedHeaders({ id, body, secrets }: Parameters<WebhookSender['send']>[0], at: number) {
  const timestamp = String(Math.floor(at / 1000));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${id}.${timestamp}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

function resultOf(status: number, retryAfter: string | string[] | undefined, now: number): SendResult {
  if (status >= 200 && status < 300) return { kind: 'taken' };
  if (status === 410) return { kind: 'gone', problem: 'status-410' };
  const isRedirect = status >= 300 && status < 400;
  const retryAfterMs = status === 429 || status === 503 ? waitOf(String(retryAfter ?? ''), now) : 0;
  return { kind: 'not-taken', problem: isRedirect ? 'redirect' : `status-${status}`, retryAfterMs };
}

function waitOf(text: string, now: number): number {
  const waitMs = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(waitMs) ? Math.min(longestWaitMs, Math.max(0, waitMs)) : 0;
}

/** One of a few words, so that a receiver cannot invent others. */
function problemOf(fault: unknown, signal: AbortSignal): string {
  const code = codeOf(fault);
  if (code === 'ADDRESS_REFUSED') return 'address-refused';
  if (signal.aborted || /TIMEOUT|TIMEDOUT/.test(code)) return 'timeout';
  if (/ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED|ENONAME/.test(code)) return 'name-unknown';
  if (/CERT|TLS|SSL|SIGNED|SIGNATURE|ALTNAME/.test(code)) return 'certificate-refused';
  return 'unreachable';
}

function codeOf(fault: unknown): string {
  if (fault instanceof AggregateError) return codeOf(fault.errors[0]);
  return fault instanceof Error && 'code' in fault ? String(fault.code) : '';
}

/** Resolves by DNS alone, without a thread: a name that hangs holds up nothing else. */
function resolveByDns(): (host: string) => Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (host) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = [four, six].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
    if (addresses.length > 0) return addresses;
    throw four.status === 'rejected' ? four.reason : new Error('no address');
  };
}

/** Names of private networks may be in the hosts file. */
async function resolveAsSystem(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
