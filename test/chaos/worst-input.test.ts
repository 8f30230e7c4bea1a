import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { suite } from 'node:test';
import { type Dispatcher, request as send } from 'undici';
import { readForm } from '../kit/form.ts';
import { cookieOf, createVisitor, type Visitor } from '../kit/visitor.ts';
import { times } from './dice.ts';
import { probed, probing } from './probed.ts';
import { books } from './rig.ts';

const isLong = times(false, true);
const kilobyte = 1_024;
const bodyBytes = 512 * kilobyte - 16;
const questionBytes = 640 * kilobyte - 16;
const apiKey = 'sayso-key-of-asker-0123456789abcdef';

function fill(piece: string | ((index: number) => string), bytes: number): string {
  if (typeof piece === 'string') return piece.repeat(Math.floor(bytes / piece.length));
  const pieces: string[] = [];
  let length = 0;
  for (let index = 0; length < bytes; index += 1) {
    const next = piece(index);
    length += next.length;
    if (length <= bytes) pieces.push(next);
  }
  return pieces.join('');
}

/** The status of the answer, which is read to its end. */
async function ask(
  url: string,
  options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>,
): Promise<number> {
  const { statusCode, body } = await send(url, { ...options, headersTimeout: 60_000, bodyTimeout: 60_000 });
  await body.dump({ limit: 100_000_000 });
  return statusCode;
}

suite('The worst requests of each kind', () => {
  let visitor: Visitor;
  let token = '';
  /** Tokens of the forms of other pages, by path: without its token nothing else of a form is read. */
  const tokens = new Map<string, string>();
  let oneClick = '';
  const { check, product } = probing(async () => {
    const apiKeys = [
      { name: 'asker', scopes: ['may-send'], sha256: createHash('sha256').update(apiKey).digest('hex') },
    ];
    const centers = [{ address: books, center: books, apiKeys, signIn: { mail: true } }];
    const running = await probed({}, centers);
    const { product } = running;
    visitor = createVisitor(product.url);
    const page = await visitor.open(await product.link({ center: books, identifier: 'anna@example.org' }));
    token = /name="token" value="([\w-]+)"/.exec(page.text.slice(page.text.indexOf('<main')))?.[1] ?? '';
    assert.ok(token.length > 100);
    const stranger = createVisitor(product.url);
    const signIn = readForm((await stranger.open(`/centers/${books}/sign-in`)).text, 'email');
    const { fields } = signIn.type('email', 'cara@example.org').press();
    tokens.set('/sign-in', String(new Map(fields).get('token')));
    const { location = '' } = await stranger.post(`/centers/${books}/sign-in`, fields);
    tokens.set('/sign-in/passcode', String(new URL(location).searchParams.get('k')));
    const leaving = readForm((await visitor.open(`/centers/${books}/unsubscribe`)).text);
    tokens.set('/unsubscribe', String(new Map(leaving.press().fields).get('token')));
    oneClick = await product.link({ center: books, identifier: 'ben@example.org', flags: ['--one-click'] });
    return running;
  });

  type Headers = Readonly<Record<string, string>>;
  const look = (path: string, headers: Headers = { accept: 'text/html' }) =>
    ask(product().url + path, { method: 'GET', headers });
  const post = (path: string, headers: Headers, body: string | Buffer) =>
    ask(path.startsWith('/') ? product().url + path : path, { method: 'POST', headers, body });
  /** The headers of a form of our own pages. */
  const own = (type: string) => ({
    'content-type': type,
    origin: product().url,
    'sec-fetch-site': 'same-origin',
  });

  const form = 'application/x-www-form-urlencoded';
  const fields: Readonly<Record<string, (bytes: number) => string>> = {
    'one name of dots': (bytes) => `option.${fill('a.', bytes)}=x`,
    'many names of dots': (bytes) => fill((index) => `option.${'a.'.repeat(50)}${index}=x&`, bytes),
    'many short names': (bytes) => fill((index) => `${index.toString(36)}&`, bytes),
    '4,900 topics': () => fill((index) => `topic.${index}=a&`, 4_900 * 12).slice(0, 50_000),
    'one name, many times': (bytes) => fill('purpose=x&', bytes),
    'one name, 4,900 times': () => 'purpose=b00c5000-0000-4001-8000-000000000001&'.repeat(4_900),
    'one topic, 4,900 times': () => 'topic.b00c5000-0000-4001-8000-000000000001=a&'.repeat(4_900),
    'nothing but separators': (bytes) => '&'.repeat(bytes),
    'nothing but equals': (bytes) => '='.repeat(bytes),
    'escapes cut short': (bytes) => fill('%', bytes),
    'escapes that are none': (bytes) => fill('%zz=%zz&', bytes),
    'deep brackets': (bytes) => `a${fill('[a]', bytes)}=x`,
    'many brackets': (bytes) => fill((index) => `a[${index}]=x&`, bytes),
    'an element of blanks': (bytes) => `element.e=${fill('+', bytes)}x`,
    'an element of line ends': (bytes) => `element.e=${fill('%0D%0A', bytes)}`,
    'a long token': (bytes) => `token=${fill('A', bytes - 10)}&`,
    'a language of hyphens': (bytes) => `keep-language=${fill('a-', bytes)}`,
    'an address of dots': (bytes) => `email=a@${fill('a.', bytes)}`,
    'an address of ats': (bytes) => `email=${fill('@', bytes)}`,
    'a code of blanks': (bytes) => `code=${fill('+', bytes)}`,
    'a reason of blanks': (bytes) => `reason-text=${fill('%0D', bytes)}`,
    'many reasons': () => 'reason=x&reason-text=y&'.repeat(2_400),
    prototypes: (bytes) => fill('__proto__=a&constructor=b&', bytes),
  };
  const ofSignIn = ['/sign-in', '/sign-in/passcode', '/sign-in/link', '/sign-in/fresh'];
  const posts = ['', '/unsubscribe', '/objection', '/devices', ...ofSignIn];
  /** Paths of forms with few fields, whose limit is small. */
  const buttons = new Set(['/objection', '/devices', '/sign-in', '/sign-in/link']);
  const few = ['', '/sign-in', '/unsubscribe', '/sign-in/passcode'];
  for (const [index, [name, make]] of Object.entries(fields).entries()) {
    check(`a form: ${name}`, async () => {
      const paths = isLong ? posts : few.slice(index % 4, (index % 4) + 1);
      for (const path of paths) {
        const known = `token=${tokens.get(path) ?? token}&`;
        const most = buttons.has(path) ? 16 * kilobyte : bodyBytes;
        const body = known + make(most - known.length);
        assert.ok(body.length <= 512 * kilobyte);
        // These forms also have the token in their address: without it the body is not read.
        const query = tokens.has(path) ? `?k=${tokens.get(path)}` : '';
        const headers = { ...own(form), accept: 'text/html', cookie: cookieOf(visitor) };
        const status = await post(`/centers/${books}${path}${query}`, headers, body);
        assert.ok(status < 500, `${path}: ${status}`);
      }
    });
  }

  const bodies: Readonly<Record<string, readonly [type: string, body: () => string]>> = {
    'parts without end': ['multipart/form-data; boundary=x', () => fill('--x\r\n\r\n\r\n', bodyBytes)],
    'one part of boundaries': [
      'multipart/form-data; boundary=x',
      () => `--x\r\n\r\n${fill('\r\n--', bodyBytes - 20)}`,
    ],
    'a boundary of dashes': [`multipart/form-data; boundary=${'-'.repeat(70)}`, () => fill('-', bodyBytes)],
    'a form': [form, () => fill((index) => `${index}&`, bodyBytes)],
    'deep JSON': ['application/json', () => fill('[', bodyBytes)],
  };
  for (const [name, [type, body]] of Object.entries(bodies)) {
    check(`one click with ${name}`, async () => {
      const status = await post(oneClick, { 'content-type': type }, body());
      assert.equal(status, 200);
    });
    check(`a page’s form with ${name}`, async () => {
      const sent = post(`/centers/${books}/sign-in`, own(type), body());
      // The post is refused by its head and closed, so that the rest of the body cannot be written.
      await sent.catch(({ code }) => assert.match(code, /^(EPIPE|ECONNRESET|UND_ERR_SOCKET)$/));
    });
    check(`a report of the browser with ${name}`, async () => {
      const report = name === 'deep JSON' ? '[{"body":'.repeat(1_700) : body().slice(0, 16 * kilobyte - 10);
      for (const kind of ['application/csp-report', 'application/reports+json'])
        await post('/reports/csp', { 'content-type': kind }, report);
    });
  }

  const question = (identifiers: string) =>
    `{"purpose":"b00c5000-0000-4001-8000-000000000001","identifiers":[${identifiers}]}`;
  const thousand = (identifier: (index: number) => string) =>
    question(Array.from({ length: 1_000 }, (_, index) => JSON.stringify(identifier(index))).join());
  const questions: Readonly<Record<string, () => string | Buffer>> = {
    'long identifiers': () => thousand((index) => String(index).padEnd(512, 'a')),
    'marks that combine': () => thousand((index) => `${index}a${'\u0323\u0307'.repeat(120)}`),
    'marks out of order': () => thousand((index) => `a${'\u0307\u0323'.repeat(120)}${index}`),
    'blanks within': () => thousand((index) => `a${' '.repeat(500)}${index}`),
    'letters of parts': () => thousand((index) => `${'\u1100\u1161\u11a8'.repeat(50)}${index}`),
    'lists in lists': () => question('['.repeat(300_000) + ']'.repeat(300_000)),
    'lists without end': () => '['.repeat(questionBytes),
    'lists without end, apart': () => '[ '.repeat(questionBytes / 2),
    'one number': () => question('9'.repeat(600_000)),
    'too many': () => question(fill('1,', 600_000).slice(0, -1)),
    'no text': () => Buffer.alloc(questionBytes, 0xff),
  };
  for (const [name, body] of Object.entries(questions)) {
    check(`a question of a program with ${name}`, async () => {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      const status = await post('/api/may-send', headers, body());
      assert.ok(status === 200 || status === 400, String(status));
    });
  }

  const longText = 15 * kilobyte;
  /** Parts of lists, quoted texts, weights, addresses, escapes, brackets and tokens. */
  const pieces = [
    ...['a,', ' ', 'a-', ';q=0.1,', '"', '\\"', '*/*,', 'a/b;c="', '1.', '::1,', '%25', '(', '[', '<'],
    ...['sayso=s%3A.', 'fr-FR,', 'x@', 'eyJ.', 'A', '\t'],
  ];
  const headerNames = [
    ...['cookie', 'accept-language', 'accept-encoding', 'accept', 'authorization', 'referer', 'origin'],
    ...['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'user-agent', 'content-type'],
    ...['if-none-match', 'if-modified-since', 'range', 'cache-control', 'traceparent', 'sec-fetch-site'],
  ];
  for (const name of headerNames) {
    check(`a header ${name}`, async () => {
      for (const piece of isLong ? pieces : pieces.filter((_, index) => index % 7 === name.length % 7)) {
        const value = fill(piece, longText).trim();
        const headers = { accept: 'text/html', [name]: value };
        if (name === 'content-type')
          await post(`/centers/${books}/sign-in`, { origin: product().url, ...headers }, 'a=b');
        else await look('/', headers);
        if (name.startsWith('accept')) await look('/nowhere', headers);
      }
    });
  }

  check('an address and its query', async () => {
    for (const piece of isLong ? pieces : pieces.filter((_, index) => index % 7 === 0)) {
      const value = encodeURIComponent(fill(piece, 4 * kilobyte));
      const raw = fill(piece, longText - 200).replaceAll(/[^\x21-\x7e]|[#"<>\\{}]/g, '+');
      for (const path of [
        `/centers/${value}`,
        `/u/${value}`,
        `/centers/${books}?t=${value}`,
        `/centers/${books}?lang=${value}`,
        `/embed/${books}?ticket=${value}`,
        `/embed/${books}?v=${value}`,
        `/centers/${books}/sign-in/link?k=${value}`,
        `/staff?key=${value}`,
        `/?${raw}`,
        `/${raw}`,
        `/centers/${books}?t=${raw}`,
      ])
        await look(path);
    }
  });

  check('a query of many names', async () => {
    for (const piece of [(index: number) => `${index}&`, 't=a&', 'a[b]'])
      await look(`/centers/${books}?${fill(piece, longText)}`);
  });

  check('tokens that look like JWTs', async () => {
    const base64 = (text: string) => Buffer.from(text).toString('base64url');
    const header = base64(JSON.stringify({ alg: 'HS256', kid: 'a'.repeat(2_000) }));
    const claims = base64(
      JSON.stringify({ iss: 'x', aud: Array(500).fill('a'), sub: 'a'.repeat(4_000), exp: 9e12 }),
    );
    const deep = base64(`${'['.repeat(4_000)}${']'.repeat(4_000)}`);
    for (const jwt of [
      `${header}.${claims}.${'A'.repeat(1_000)}`,
      `${deep}.${deep}.a`,
      `${'.'.repeat(15_000)}`,
      `${header}.${deep}.`,
      `${randomBytes(9_000).toString('base64url')}`,
      `eyJhbGciOiJub25lIn0.${claims}.`,
    ]) {
      for (const path of [`/centers/${books}?t=${jwt}`, `/embed/${books}?ticket=${jwt}`, `/u/${jwt}`]) {
        const status = await look(path);
        assert.ok(status < 500, `${path.slice(0, 30)}: ${status}`);
      }
    }
  });
});
