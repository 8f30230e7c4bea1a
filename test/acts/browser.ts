import type { Answer, Visitor } from '../kit/visitor.ts';

interface More {
  readonly fields?: [string, string][] | undefined;
  readonly headers?: Record<string, string>;
}

/**
 * Sends one request; redirects are left to the caller. undefined: the connection broke before the last byte
 * of the answer, so that the result of the request is unknown. Never rejects.
 */
export function ask(
  visitor: Visitor,
  [method, url]: readonly [method: 'GET' | 'POST', url: URL],
  { fields = [], headers }: More = {},
): Promise<Answer | undefined> {
  const asked = method === 'GET' ? visitor.get(url.href, headers) : visitor.post(url.href, fields, headers);
  return asked.catch(() => undefined);
}
