import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { type Dispatcher, request } from 'undici';
import { createSeal } from '../../src/store/seal.ts';
import { times } from '../chaos/dice.ts';
import { startProduct } from '../kit/product.ts';
import { books } from '../kit/sandbox-ids.ts';
import { host, shop, signed } from '../kit/shop.ts';
import { type Answer, cookieOf, createVisitor, type Visitor } from '../kit/visitor.ts';
import { type PostRule, type RouteRule, routes } from '../routes.ts';
import { enter } from './staff/fixture.ts';
import { createIssuer, type Issuer } from './staff/issuer.ts';

const operatorToken = '5qcdUVu3pxTqFE8zctbeDOyvCv0s38SWfr2LxbdgvaM';
const anna = 'anna@example.org';
const apiKey = 'sayso-key-of-a-program-0123456789abcdef';

let product: Awaited<ReturnType<typeof startProduct>>;
let origin: string;
let person: Visitor;
let staff: Visitor;
/** Query `v=…` of a visit in a frame. */
let visit: string;
/** The sign-in of staff, which makes all their routes exist. */
let issuer: Issuer;

before(async () => {
  issuer = await createIssuer({});
  const sha256 = createHash('sha256').update(apiKey).digest('hex');
  product = await startProduct({
    store: 'files',
    centers: [{ ...shop, apiKeys: [{ name: 'asker', scopes: ['may-send'], sha256 }] }],
    env: { LOG_LEVEL: 'silent', METRICS_PORT: '', METRICS_TOKEN: operatorToken, ...issuer.env },
  });
  origin = product.url;
  await issuer.open(product);
  person = createVisitor(origin);
  const opened = await person.open(await product.link({ center: 'shop', identifier: anna }));
  assert.equal(opened.status, 200);
  staff = await enter(product);
  const framed = await person.get(`/embed/shop?ticket=${await signed(anna)}`);
  visit = new URL(framed.location ?? '').search.slice(1);
});

after(async () => {
  await product?.[Symbol.asyncDispose]();
  issuer?.close();
});

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  readonly rawPath: string;
  readonly handle: { readonly stack?: readonly Layer[] };
}

/** All routes of the router; a mounted router adds its path. */
function registered(stack: readonly Layer[], mount = ''): readonly string[] {
  return stack.flatMap(({ route, rawPath, handle }) => {
    if (route !== undefined) {
      const path = `${mount}${route.path}`.replace(/(?<=.)\/$/, '');
      return Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${path}`);
    }
    return handle.stack === undefined
      ? []
      : registered(handle.stack, mount + (rawPath === '/' ? '' : rawPath));
  });
}

function typeOf({ path }: PostRule): string {
  if (path === '/reports/csp') return 'application/csp-report';
  if (path === '/verify') return 'multipart/form-data; boundary=x';
  return path.startsWith('/api/') ? 'application/json' : 'application/x-www-form-urlencoded';
}

const nameOf = ({ method, path }: RouteRule) => `${method} ${path}`;

/** A path that matches the pattern, in a served center. */
function exampleOf({ path }: RouteRule): string {
  const plain = path
    .replace(':center', 'shop')
    .replace('{/:page}', '')
    .replace('{/*rest}', '/somewhere')
    .replace(/:\w+/g, 'b00c5000-0000-4000-8000-0000000000ff');
  return plain.startsWith('/embed/') ? `${plain}?${visit}` : plain;
}

async function send(
  method: Dispatcher.HttpMethod,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Omit<Answer, 'url' | 'location'>> {
  const body = method === 'POST' ? 'token=x' : undefined;
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await request(origin + path, {
    method,
    headers: { accept: 'text/html', ...(body === undefined ? {} : type), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

const cookie = (visitor = person) => ({ cookie: cookieOf(visitor) });

/** The token in the address of a form, sealed like the product does. */
function addressToken(path: string): string | undefined {
  const seal = createSeal([product.env['SECRET'] ?? '']);
  const at = Date.now();
  const claims = { center: books, subject: anna, at };
  const [, last = ''] = /^(?:\/centers\/:center\/sign-in)?\/(\w+)$/.exec(path) ?? [];
  const kinds: Readonly<Record<string, () => string>> = {
    passcode: () => seal.seal('sign-in asked', { ...claims, id: 'x', digits: 6 }),
    resend: () => seal.seal('sign-in asked', { ...claims, id: 'x', digits: 6 }),
    verify: () => seal.seal('verify form', { at }),
    fresh: () => seal.seal('fresh link', claims),
    // Expired, but sent once.
    link: () => `${'x'.repeat(24)}.${seal.seal('mailed to', claims)}`,
    switch: () => seal.seal('switch link', { center: books, token: 'x' }),
  };
  return kinds[last]?.();
}

/** The address and the headers of a sender with the right. */
function rightTo(rule: PostRule): { readonly path: string; readonly headers: Record<string, string> } {
  const path = exampleOf(rule);
  const token = addressToken(rule.path);
  if (token !== undefined) return { path: `${path}?k=${encodeURIComponent(token)}`, headers: {} };
  const headers = {
    person: rule.path.startsWith('/embed') ? {} : cookie(),
    manager: cookie(),
    staff: cookie(staff),
    key: { authorization: `Bearer ${apiKey}` },
    anyone: {},
    token: {},
    operator: {},
  }[rule.who];
  return { path, headers };
}

/** The status of the answer to a head; no byte of the announced body is sent. */
async function statusOfHead(path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  const lines = Object.entries({
    host: new URL(origin).host,
    'sec-fetch-site': 'same-origin',
    accept: 'text/html',
    'content-length': '7',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  try {
    for await (const chunk of socket) return Number(String(chunk).slice(9, 12));
    return 0;
  } finally {
    socket.destroy();
  }
}

/** Checks the headers that every answer has. */
function assertHeaders(rule: Pick<RouteRule, 'cache' | 'framing'>, { headers }: Pick<Answer, 'headers'>) {
  const isStatic = rule.cache === 'static' && String(headers['content-type']).startsWith('text/javascript');
  assert.match(String(headers['cache-control']), isStatic ? /^public, max-age=\d+/ : /^no-store$/);
  const ancestors = /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
  assert.equal(ancestors, rule.framing === 'listed' ? host : "'none'");
  assert.equal(headers['x-frame-options'], rule.framing === 'listed' ? undefined : 'DENY');
  assert.equal(headers['x-content-type-options'], 'nosniff');
}

suite('The table of routes', () => {
  test('the table has a line for every route of the product, and no other', () => {
    const stack = Reflect.get(
      Object(Reflect.get(Object(product.app), 'router')),
      'stack',
    ) as readonly Layer[];
    const found = new Set(registered(stack));
    const lines = new Set(routes.map(nameOf));
    assert.ok(found.size > 50, `${found.size} routes`);
    const missing = [...found.difference(lines)].map((route) => `${route} has no line in test/routes.ts`);
    const gone = [...lines.difference(found)].map(
      (line) => `test/routes.ts has ${line}, the product does not`,
    );
    assert.deepEqual([...missing, ...gone], []);
  });

  test('no route changes state by a GET, and only open routes accept other sites', () => {
    for (const rule of routes) {
      if (rule.method === 'GET') assert.equal(rule.changes, 'nothing', nameOf(rule));
      if (rule.crossSite === 'open') assert.match(rule.path, /^\/(u|unsubscribe|reports|api)\//);
      else assert.equal(rule.crossSite, rule.method === 'POST' ? 'refused' : 'reads', nameOf(rule));
    }
  });
});

const elsewhere: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  'a sibling site': { 'sec-fetch-site': 'same-site', origin: 'http://evil.localhost' },
  'another site, in an old browser': { origin: 'https://evil.example' },
  'another port': { origin: 'http://localhost:1' },
  'nowhere (a null origin)': { origin: 'null' },
  'nowhere, in a browser that knows it': { 'sec-fetch-site': 'cross-site', origin: 'null' },
  'a sender without headers': {},
  'another site with our origin': { 'sec-fetch-site': 'cross-site' },
};

for (const rule of routes) {
  suite(nameOf(rule), () => {
    const signedIn = () => (rule.path.startsWith('/centers') ? cookie() : {});
    const own = () => ({ 'sec-fetch-site': 'same-origin', origin });
    const usual = () => (rule.method === 'POST' ? own() : {});

    test('the answer is not cached, and framed only where allowed', async () => {
      const asked: [method: Dispatcher.HttpMethod, headers: Readonly<Record<string, string>>][] = [
        [rule.method, usual()],
        [rule.method, { ...usual(), ...signedIn() }],
        ['OPTIONS', {}],
      ];
      if (rule.method === 'GET') asked.push(['HEAD', signedIn()]);
      for (const [method, headers] of asked) {
        const answer = await send(method, exampleOf(rule), headers);
        assertHeaders(rule, answer);
        assert.ok(answer.status < 500, `${method}: ${answer.status}`);
        if (method === 'HEAD') assert.equal(answer.text, '');
      }
    });

    if (rule.crossSite === 'refused') {
      test('a post from another site is refused', async () => {
        const everywhere = Object.entries(elsewhere);
        // test/web/cross-origin.test.ts holds which senders are foreign; this test checks that the route
        // asks.
        for (const [where, headers] of times(everywhere.slice(-3), everywhere)) {
          // A browser that reports cross-site is believed although the Origin is ours.
          const forged = where.endsWith('our origin') ? { origin } : {};
          const answer = await send('POST', exampleOf(rule), { ...headers, ...forged, ...signedIn() });
          assert.equal(answer.status, 403, where);
          assertHeaders(rule, answer);
        }
        const { status } = await send('POST', exampleOf(rule), { ...own(), ...signedIn() });
        assert.notEqual(status, 403, 'our own page');
      });
    }

    if (rule.who === 'person' || rule.who === 'manager') {
      test('the route needs a session of its center', async () => {
        const bare = exampleOf(rule).split('?')[0] ?? '';
        const stranger = await send(rule.method, bare, usual());
        const isLed = stranger.status === 303 && String(stranger.headers['location']).includes('/sign-in');
        assert.ok(stranger.status === 401 || isLed, `${stranger.status}`);
        assert.equal(stranger.headers['set-cookie'], undefined);
        const allowed = await send(rule.method, exampleOf(rule), { ...usual(), ...signedIn() });
        assert.notEqual(allowed.status, 401);
      });
    }

    if (rule.who === 'token') {
      test('a made-up token does nothing', async () => {
        const [path = '', query = ''] = exampleOf(rule).split('?');
        const made = `t=made&k=made&ticket=made&state=made&code=made${query === '' ? '' : `&${query}`}`;
        const answer = await send(rule.method, `${path}?${made}`, usual());
        const isLed = answer.status === 303 && String(answer.headers['location']).includes('/sign-in');
        assert.ok(isLed || (answer.status >= 400 && answer.status < 500), `${answer.status}`);
        assert.equal(answer.headers['set-cookie'], undefined);
      });
    }

    if (rule.method === 'POST' && rule.who !== 'anyone') {
      test('a sender without the right is refused before the body', async () => {
        const [bare = ''] = exampleOf(rule).split('?');
        for (const more of [{}, { 'content-encoding': 'gzip' }, { 'content-length': '99000000' }]) {
          const status = await statusOfHead(bare, { 'content-type': typeOf(rule), ...more });
          assert.ok([400, 401, 403, 404].includes(status), `${status} ${JSON.stringify(more)}`);
        }
      });
    }

    if (rule.method === 'POST' && rule.body !== 'unread') {
      const { most } = rule.body;
      test(`an encoded body, or one larger than ${most} bytes, is refused by its head`, async () => {
        const { path, headers } = rightTo(rule);
        const type = { 'content-type': typeOf(rule) };
        const encoded = { ...headers, ...type, 'content-encoding': 'gzip' };
        assert.equal(await statusOfHead(path, encoded), 415);
        const large = { ...headers, ...type, 'content-length': String(most + 1) };
        assert.equal(await statusOfHead(path, large), 413);
        if (rule.who === 'anyone') assert.ok(most <= 16 * 1_024, 'anyone may send this');
      });
    }

    if (rule.who === 'operator') {
      test('the route needs the token of the operator, and answers 404 without it', async () => {
        const authorization = `Bearer ${operatorToken}`;
        assert.equal((await send('GET', exampleOf(rule), { authorization })).status, 200);
        for (const headers of [{}, { authorization: `${authorization}x` }, cookie()]) {
          assert.equal((await send('GET', exampleOf(rule), headers)).status, 404);
        }
      });
    }

    if (rule.who === 'key') {
      test('the route needs a key of the center, and accepts no session', async () => {
        for (const credentials of [
          {},
          cookie(),
          { authorization: 'Bearer made-up' },
          { authorization: 'Basic YTpi' },
        ]) {
          const answer = await send(rule.method, exampleOf(rule), { ...own(), ...credentials });
          assert.equal(answer.status, 401);
          assert.equal(answer.headers['set-cookie'], undefined);
          assert.match(answer.text, /^{"error":"not-signed-in"/);
        }
      });
    }

    if (rule.who === 'staff') {
      test('the route needs a session of staff, and accepts no session of a person', async () => {
        for (const credentials of [{}, cookie()]) {
          const answer = await send(rule.method, exampleOf(rule), { ...usual(), ...credentials });
          assert.equal(answer.status, 401);
        }
      });
    }
  });
}

suite('Beside the routes', () => {
  const errors: readonly (readonly [
    title: string,
    method: 'GET' | 'POST',
    path: string,
    framing: RouteRule['framing'],
  ])[] = [
    ['nothing', 'GET', '/nowhere', 'nobody'],
    ['an unknown center', 'GET', '/centers/nowhere', 'nobody'],
    ['a framed unknown center', 'GET', '/embed/nowhere', 'nobody'],
    ['a page that its center does not have', 'GET', '/embed/shop/nowhere', 'listed'],
    ['a framed page without a visit', 'GET', '/embed/shop', 'listed'],
    ['a forged ticket', 'GET', '/embed/shop?ticket=a.b.c', 'listed'],
    ['an address that cannot be read', 'GET', '/embed/%E0%A4%A', 'nobody'],
    ['a one-click address that was made up', 'POST', '/unsubscribe/nothing', 'nobody'],
    ['a forged framed post', 'POST', '/embed/shop', 'listed'],
    ['a post to nowhere', 'POST', '/nowhere', 'nobody'],
  ];
  test('an error has the headers of every answer', async () => {
    for (const [title, method, path, framing] of errors)
      for (const accept of ['text/html', 'application/json', 'text/plain']) {
        const answer = await send(method, path, { accept });
        assert.ok(answer.status >= 400 && answer.status < 500, `${title}: ${answer.status}`);
        assertHeaders({ cache: 'never', framing }, answer);
        if (accept === 'text/html') assert.match(answer.text, /<a class="button primary" href="\/[^"]*"/);
      }
  });

  test('other methods change nothing and find nothing', async () => {
    const methods: readonly Dispatcher.HttpMethod[] = ['PUT', 'DELETE', 'PATCH'];
    for (const [at, rule] of routes.entries()) {
      for (const method of times(methods.slice(at % 3, (at % 3) + 1), methods)) {
        const answer = await send(method, exampleOf(rule), { 'sec-fetch-site': 'same-origin', ...cookie() });
        assert.ok([401, 403, 404].includes(answer.status), `${method} ${rule.path}: ${answer.status}`);
      }
    }
  });

  test('a post without a body or with another type is no server error', async () => {
    const types = ['text/plain', 'application/json', 'multipart/form-data; boundary=x'];
    for (const [at, rule] of routes.filter(({ method }) => method === 'POST').entries()) {
      for (const type of times(types.slice(at % 3, (at % 3) + 1), types)) {
        const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin', ...cookie() };
        const answer = await send('POST', exampleOf(rule), headers);
        assert.ok(answer.status < 500, `${nameOf(rule)} ${type}: ${answer.status}`);
      }
    }
  });

  test('no request of these tests changed a record', async () => {
    const writing = (await product.sandbox.calls()).filter(({ method }) => method !== 'GET');
    assert.deepEqual(
      writing.filter(({ path }) => path.includes('/datasubjects/')),
      [],
    );
  });

  test('staff are redirected to their organization, with a cookie for the sign-in', async () => {
    const { status, headers } = await send('GET', '/staff/sign-in', {});
    assert.equal(status, 303);
    assert.equal(new URL(String(headers['location'])).origin, issuer.url);
    const cookie = String(headers['set-cookie']);
    assert.match(cookie, /^sayso-staff-way=[^;]+; Max-Age=600; Path=\/;.* HttpOnly; SameSite=Lax$/);
  });
});
