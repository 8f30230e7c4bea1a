import { request } from 'undici';
import { type Form, readForm } from './form.ts';

/** An answer; `url` is its address, after any redirects. */
export interface Answer {
  readonly status: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The absolute address that a redirect leads to, which was not followed. */
  readonly location: string | undefined;
  readonly text: string;
}

/**
 * A browser without script: it keeps cookies, follows redirects and sends the Sec-Fetch headers of browsers.
 */
export interface Visitor {
  readonly cookies: Map<string, string>;
  /** Sends one GET; redirects are left to the caller. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Sends a GET, and follows every redirect. */
  open(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Sends one POST of a form; redirects are left to the caller. */
  post(
    path: string,
    fields: Iterable<readonly [string, string]>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** Posts a form by its button; redirects are left to the caller. */
  press(form: Form, button?: { name: string; value: string }): Promise<Answer>;
  /** Posts a form by its button, and follows every redirect. */
  send(form: Form, button?: { name: string; value: string }): Promise<Answer>;
  /** Fills the page's form, posts it by the button, and follows every redirect. */
  submit(
    page: Answer,
    fill: (form: Form) => unknown,
    button?: { name: string; value: string },
  ): Promise<Answer>;
}

export function createVisitor(origin: string, always: Readonly<Record<string, string>> = {}): Visitor {
  const cookies = new Map<string, string>();

  async function go(
    method: 'GET' | 'POST',
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<Answer> {
    const url = new URL(path, origin).href;
    const cookie = cookieOf({ cookies });
    const sent = { accept: 'text/html,*/*', ...(cookie === '' ? {} : { cookie }), ...always, ...headers };
    const answer = await request(url, { method, headers: sent, ...(body === undefined ? {} : { body }) });
    keepCookies(answer.headers['set-cookie']);
    const target = answer.headers['location'];
    return {
      status: answer.statusCode,
      url,
      headers: answer.headers,
      location: typeof target === 'string' ? new URL(target, url).href : undefined,
      text: await answer.body.text(),
    };
  }

  function keepCookies(lines: string | string[] | undefined): void {
    for (const line of [lines ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /;\s*max-age=0/i.test(line) || /;\s*expires=Thu, 01 Jan 1970/i.test(line))
        cookies.delete(name);
      else cookies.set(name, value);
    }
  }

  async function follow(first: Answer): Promise<Answer> {
    let answer = first;
    for (let hops = 0; answer.location !== undefined; hops++) {
      if (hops > 10) throw new Error(`too many redirects: ${answer.url}`);
      answer = await go('GET', answer.location, navigation('same-origin'));
    }
    return answer;
  }

  const visitor: Visitor = {
    cookies,
    get: (path, headers = {}) => go('GET', path, { ...navigation('none'), ...headers }),
    open: async (path, headers = {}) => follow(await go('GET', path, { ...navigation('none'), ...headers })),
    post(path, fields, headers = {}) {
      const body = new URLSearchParams(
        [...fields].map(([name, value]): [string, string] => [name, value]),
      ).toString();
      const form = {
        origin,
        'content-type': 'application/x-www-form-urlencoded',
        ...navigation('same-origin'),
      };
      return go('POST', path, { ...form, ...headers }, body);
    },
    press(form, button) {
      const { action, fields } = form.press(button);
      return visitor.post(action, fields);
    },
    send: async (form, button) => follow(await visitor.press(form, button)),
    submit(page, fill, button) {
      const form = readForm(page.text);
      fill(form);
      return visitor.send(form, button);
    },
  };
  return visitor;
}

/** The Cookie header of the visitor's browser, for a request of another client. */
export function cookieOf({ cookies }: Pick<Visitor, 'cookies'>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

function navigation(site: 'none' | 'same-origin'): Record<string, string> {
  return { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
}
