import { request } from 'undici';

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Where a redirect leads. */
  readonly location: URL | undefined;
}

/** A browser without script, which keeps its cookies, and whose person lives with broken connections. */
export interface Browser {
  /**
   * One request to the process at that address; redirects are left to the caller. undefined: the connection broke before
   * the last byte of the answer, so that nobody knows whether what was asked has been done. Never rejects.
   */
  go(
    method: 'GET' | 'POST',
    url: URL,
    more?: { readonly fields?: [string, string][]; readonly headers?: Record<string, string> },
  ): Promise<Answer | undefined>;
}

/** `origin`: the address that it believes to be at. */
export function createBrowser(origin: string): Browser {
  const cookies = new Map<string, string>();

  function keep(lines: string | string[] | undefined): void {
    for (const line of [lines ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
  }

  return {
    async go(method, url, { fields, headers = {} } = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      try {
        const answer = await request(url, {
          method,
          headers: {
            accept: 'text/html',
            'accept-language': 'en-US',
            'sec-fetch-site': method === 'GET' ? 'none' : 'same-origin',
            'sec-fetch-mode': 'navigate',
            'sec-fetch-dest': 'document',
            ...(cookie === '' ? {} : { cookie }),
            ...(method === 'POST' ? { origin, 'content-type': 'application/x-www-form-urlencoded' } : {}),
            ...headers,
          },
          ...(fields === undefined ? {} : { body: new URLSearchParams(fields).toString() }),
        });
        keep(answer.headers['set-cookie']);
        const to = answer.headers['location'];
        return {
          status: answer.statusCode,
          text: await answer.body.text(),
          location: typeof to === 'string' ? new URL(to, origin) : undefined,
        };
      } catch {
        return undefined;
      }
    },
  };
}
