import { Agent, request } from 'undici';
import type { HttpCall } from '../ports/http-call.ts';

/** The longest answer of another host, in bytes. */
const longest = 512 * 1024;
/** The longest duration of a call, in milliseconds. */
const deadline = 3_000;

/** Calls hosts other than the platform: a customer's keys, an issuer of identities. Follows no redirect. */
export function createPlainHttp(): { readonly call: HttpCall; close(): Promise<void> } {
  const agent = new Agent({ connect: { timeout: deadline }, maxResponseSize: longest, pipelining: 1 });
  return {
    async call({ url, method, headers, body }) {
      const answer = await request(url, {
        method,
        headers: { ...headers },
        ...(body === undefined ? {} : { body }),
        dispatcher: agent,
        signal: AbortSignal.timeout(deadline),
      });
      const plain = Object.entries(answer.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
      );
      return {
        status: answer.statusCode,
        headers: Object.fromEntries(plain),
        body: await answer.body.text(),
      };
    },
    close: () => agent.close(),
  };
}
