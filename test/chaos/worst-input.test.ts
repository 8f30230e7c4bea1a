import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { type Dispatcher, request as send } from 'undici';
import type { Product } from '../kit/product.ts';
import { createVisitor, type Visitor } from '../kit/visitor.ts';
import { type ScriptedPlatform, startScripted } from '../upstream/scripted-platform.ts';
import { answerBytes, guid, longest, many, probed, realPurpose } from './probed.ts';
import { books, linkTo } from './rig.ts';

const isLong = process.env['SAYSO_LONG'] === '1';
const kilobyte = 1_024;
const bodyBytes = 512 * kilobyte - 16;

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

/** The answer's status; whatever came is read to its end. */
async function ask(
  url: string,
  options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>,
): Promise<number> {
  const { statusCode, body } = await send(url, { ...options, headersTimeout: 60_000, bodyTimeout: 60_000 });
  await body.dump({ limit: 100_000_000 });
  return statusCode;
}

suite('Whoever sends the worst of a kind', () => {
  let product: Product;
  let worst: Awaited<ReturnType<typeof probed>>['worst'];
  let visitor: Visitor;
  let token = '';
  let oneClick = '';
  const told: string[] = [];
  before(async () => {
    ({ product, worst } = await probed({}));
    visitor = createVisitor(product.url);
    const page = await visitor.open(await product.link({ center: books, identifier: 'anna@example.org' }));
    token = /name="token" value="([\w-]+)"/.exec(page.text.slice(page.text.indexOf('<main')))?.[1] ?? '';
    assert.ok(token.length > 100);
    oneClick = await product.link({
      center: books,
      identifier: 'ben@example.org',
      flags: ['--one-click'],
    });
  });
  after(async () => {
    process.stdout.write(`longest turns: ${told.join('; ')}\n`);
    await product?.[Symbol.asyncDispose]();
  });

  const check = (name: string, act: () => Promise<unknown>) =>
    test(name, async () => {
      const ms = await worst(act);
      told.push(`${name} ${ms.toFixed(0)} ms`);
      assert.ok(ms <= longest, `${name}: one turn took ${ms.toFixed(0)} ms`);
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
    'an address of dots': (bytes) => `address=a@${fill('a.', bytes)}`,
    'an address of ats': (bytes) => `address=${fill('@', bytes)}`,
    'a code of blanks': (bytes) => `passcode=${fill('+', bytes)}`,
    'a reason of blanks': (bytes) => `reason-text=${fill('%0D', bytes)}`,
    'many reasons': () => 'reason=x&reason-text=y&'.repeat(2_400),
    prototypes: (bytes) => fill('__proto__=a&constructor=b&', bytes),
  };
  const posts = [
    '',
    '/unsubscribe',
    '/objection',
    '/devices',
    '/sign-in',
    '/sign-in/passcode',
    '/sign-in/link',
    '/sign-in/fresh',
  ];
  for (const [name, make] of Object.entries(fields)) {
    check(`a form: ${name}`, async () => {
      const paths = isLong ? posts : ['', '/unsubscribe', '/sign-in', '/sign-in/passcode'];
      for (const path of paths) {
        const known = `token=${token}&`;
        const body = known + make(bodyBytes - known.length);
        assert.ok(body.length <= 512 * kilobyte);
        const headers = {
          'content-type': form,
          origin: product.url,
          'sec-fetch-site': 'same-origin',
          accept: 'text/html',
          cookie: [...visitor.cookies].map(([key, value]) => `${key}=${value}`).join('; '),
        };
        const status = await ask(`${product.url}/centers/${books}${path}`, { method: 'POST', headers, body });
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
      const status = await ask(oneClick, { method: 'POST', headers: { 'content-type': type }, body: body() });
      assert.equal(status, 200);
    });
    check(`a page’s form with ${name}`, async () => {
      const headers = { 'content-type': type, origin: product.url, 'sec-fetch-site': 'same-origin' };
      await ask(`${product.url}/centers/${books}/sign-in`, { method: 'POST', headers, body: body() });
    });
    check(`a report of the browser with ${name}`, async () => {
      for (const kind of ['application/csp-report', 'application/reports+json']) {
        await ask(`${product.url}/reports/csp`, {
          method: 'POST',
          headers: { 'content-type': kind },
          body: name === 'deep JSON' ? `${'[{"body":'.repeat(3_000)}` : body().slice(0, 32 * kilobyte - 10),
        });
      }
    });
  }

  const longText = 15 * kilobyte;
  const pieces = [
    'a,',
    'a;',
    ';',
    ',',
    ' ',
    'a-',
    '-',
    '_',
    'q=',
    ';q=0.1,',
    '=',
    '"',
    '\\"',
    '/',
    '*/*,',
    'a/b;c="',
    '.',
    '1.',
    ':',
    '::1,',
    '%',
    '%25',
    '&',
    '(',
    '[',
    '{',
    '<',
    'aA',
    'sayso=s%3A.',
    'gzip,',
    'fr-FR,',
    'x@',
    '@',
    'eyJ.',
    'A',
    '\t',
  ];
  const headerNames = [
    'cookie',
    'accept-language',
    'accept-encoding',
    'accept',
    'authorization',
    'referer',
    'origin',
    'forwarded',
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-forwarded-host',
    'user-agent',
    'content-type',
    'if-none-match',
    'if-modified-since',
    'range',
    'cache-control',
    'traceparent',
    'sec-fetch-site',
    'sec-gpc',
    'via',
  ];
  for (const name of headerNames) {
    check(`a header ${name}`, async () => {
      for (const piece of isLong ? pieces : pieces.filter((_, index) => index % 3 === name.length % 3)) {
        const value = fill(piece, longText).trim();
        const path = name === 'content-type' ? `/centers/${books}/sign-in` : '/';
        const method = name === 'content-type' ? 'POST' : 'GET';
        const headers = {
          accept: 'text/html',
          ...(method === 'POST' ? { origin: product.url } : {}),
          [name]: value,
        };
        await ask(product.url + path, { method, headers, ...(method === 'POST' ? { body: 'a=b' } : {}) });
        if (name.startsWith('accept')) await ask(`${product.url}/nowhere`, { method: 'GET', headers });
      }
    });
  }

  check('an address and its query', async () => {
    for (const piece of isLong ? pieces : pieces.filter((_, index) => index % 2 === 0)) {
      const value = encodeURIComponent(fill(piece, 4 * kilobyte));
      const raw = fill(piece, longText - 200).replaceAll(/[^\x21-\x7e]|[#"<>\\{}]/g, '+');
      for (const path of [
        `/centers/${value}`,
        `/unsubscribe/${value}`,
        `/centers/${books}?t=${value}`,
        `/centers/${books}?lang=${value}`,
        `/embed/${books}?ticket=${value}`,
        `/embed/${books}?v=${value}`,
        `/centers/${books}/sign-in/link?k=${value}`,
        `/staff?key=${value}`,
        `/?${raw}`,
        `/${raw}`,
        `/centers/${books}?t=${raw}`,
      ]) {
        await ask(product.url + path, { method: 'GET', headers: { accept: 'text/html' } });
      }
    }
  });

  check('a query of many names', async () => {
    for (const query of [
      fill((index) => `${index}&`, longText),
      fill('t=a&', longText),
      fill('a[b]', longText),
    ]) {
      await ask(`${product.url}/centers/${books}?${query}`, {
        method: 'GET',
        headers: { accept: 'text/html' },
      });
    }
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
      for (const path of [
        `/centers/${books}?t=${jwt}`,
        `/embed/${books}?ticket=${jwt}`,
        `/unsubscribe/${jwt}`,
      ]) {
        const status = await ask(product.url + path, { method: 'GET', headers: { accept: 'text/html' } });
        assert.ok(status < 500, `${path.slice(0, 30)}: ${status}`);
      }
    }
  });
});

const base = {
  Status: 200,
  Template: 'ORIGINAL',
  Language: 'en',
  Languages: ['en'],
  PortalSettings: {},
  ProfileSettings: {},
};
const welcome = (html: string) => ({
  ...base,
  Translations: Object.fromEntries(
    Array.from({ length: 104 }, (_, index) => [
      `aa-${index.toString(36)}`,
      { 'Consent.Ds.Portal.WelcomeMessage': html.repeat(19_900 / html.length) },
    ]),
  ),
});
const tag = (index: number) => `aa-${index.toString(36)}`;
const tiny = (index: number) => ({ Id: index.toString(36) });
const options = (make: unknown[]) => ({
  ...base,
  Purposes: [{ Id: 'a', CustomPreferences: [{ Id: 'p', Options: make }] }],
});

const schemas: Readonly<Record<string, () => unknown>> = {
  'what a page needs': () => ({ ...base, Purposes: [{ Id: 'a', Label: 'A', Status: 'ACTIVE' }] }),
  'empty purposes': () => ({ ...base, Purposes: many(() => ({})) }),
  'zeros for purposes': () => ({ ...base, Purposes: many(() => 0) }),
  'tiny purposes': () => ({ ...base, Purposes: many(tiny) }),
  '9,999 tiny purposes': () => ({
    ...base,
    Purposes: Array.from({ length: 9_999 }, (_, index) => tiny(index)),
  }),
  'real purposes': () => ({ ...base, Purposes: many(realPurpose) }),
  'purposes of one id': () => ({ ...base, Purposes: many(() => ({ Id: 'a', Label: 'x'.repeat(1_900) })) }),
  'long texts': () => ({
    ...base,
    Purposes: many((index) => ({ Id: `a${index}`, Description: 'x y <'.repeat(4_000) })),
  }),
  'topics of one purpose': () => ({ ...base, Purposes: [{ Id: 'a', Topics: many(tiny) }] }),
  '9,999 topics of one purpose': () => ({
    ...base,
    Purposes: [{ Id: 'a', Topics: Array.from({ length: 9_999 }, (_, index) => tiny(index)) }],
  }),
  'options of one preference': () => options(many((index) => ({ Id: `o${index}`, Label: 'x' }))),
  '9,999 options of one preference': () =>
    options(Array.from({ length: 9_999 }, (_, index) => ({ Id: `o${index}`, Label: 'x' }))),
  'empty translations': () => ({ ...base, Purposes: [{ Id: 'a', Languages: many(() => ({})) }] }),
  translations: () => ({
    ...base,
    Purposes: [{ Id: 'a', Languages: many((index) => ({ Language: tag(index), Name: 'x'.repeat(40) })) }],
  }),
  languages: () => ({ ...base, Languages: many(tag) }),
  'sets of labels': () => ({
    ...base,
    Translations: Object.fromEntries(many(tag, answerBytes / 2).map((each) => [each, {}])),
  }),
  'reasons for leaving': () => ({
    ...base,
    PortalSettings: {
      EnableReasons: true,
      UnsubscribeReasons: many((index) => `reason ${index} `.repeat(20)),
    },
  }),
  'data elements': () => ({
    ...base,
    ProfileSettings: {
      IsEnabled: true,
      DataElements: many((index) => ({ Id: `e${index}`, Label: `label ${index}`.repeat(20) })),
    },
  }),
  'options of a data element': () => ({
    ...base,
    ProfileSettings: {
      IsEnabled: true,
      DataElements: [
        {
          Id: 'a',
          Label: 'x',
          DataElementType: 'SELECTION',
          Languages: [
            {
              Language: 'fr',
              DataElementOptions: many(
                (index) => ({ Id: `k${index}`, Name: 'x'.repeat(60) }),
                answerBytes / 2,
              ),
            },
          ],
          DataElementOptions: many((index) => ({ Id: `k${index}`, Name: 'x'.repeat(60) }), answerBytes / 2),
        },
      ],
    },
  }),
  'welcome of signs': () => welcome('<'),
  'welcome of headings': () => welcome('<h1>'),
  'welcome of headings that never end': () => welcome('<h1 '),
  'welcome of paragraphs': () => welcome('<p>'),
  'welcome of entities': () => welcome('&'),
  'welcome of blanks': () => welcome('&nbsp; '),
  'deep lists': () => `${'['.repeat(90_000)}${']'.repeat(90_000)}`,
  'deep objects': () => `${'{"a":'.repeat(49_000)}1${'}'.repeat(49_000)}`,
  'one long string': () => ({ ...base, Template: 'x'.repeat(answerBytes - 200) }),
  'one long key': () => ({ ...base, ['x'.repeat(answerBytes - 200)]: 1 }),
};

const records: Readonly<Record<string, (subject: string) => unknown>> = {
  'tiny purposes': (DataSubjectId) => ({ DataSubjectId, Purposes: many(tiny, answerBytes - 100) }),
  'empty purposes': (DataSubjectId) => ({ DataSubjectId, Purposes: many(() => ({}), answerBytes - 100) }),
  'purposes with long labels': (DataSubjectId) => ({
    DataSubjectId,
    Purposes: many(
      (index) => ({ Id: guid(index), Label: 'x'.repeat(50), TransactionStatus: 'ACTIVE' }),
      answerBytes - 100,
    ),
  }),
  'one purpose again and again': (DataSubjectId) => ({
    DataSubjectId,
    Purposes: many(
      (index) => ({
        Id: 'a',
        TransactionStatus: 'ACTIVE',
        Topics: [{ Id: `t${index}` }],
        CustomPreferences: [{ Id: 'p', Options: [{ Id: `o${index}` }] }],
      }),
      answerBytes - 100,
    ),
  }),
  'topics of one purpose': (DataSubjectId) => ({
    DataSubjectId,
    Purposes: [
      {
        Id: 'a',
        TransactionStatus: 'ACTIVE',
        Topics: many((index) => ({ Id: guid(index) }), answerBytes - 200),
      },
    ],
  }),
  'data elements': (DataSubjectId) => ({
    DataSubjectId,
    Purposes: [],
    DsDataElements: Object.fromEntries(
      many((index) => `element ${index}`, answerBytes / 2).map((each) => [each, 'x']),
    ),
  }),
  'a long name': () => ({ DataSubjectId: 'A'.repeat(answerBytes - 100), Purposes: [] }),
};

suite('A platform that answers with the worst of a kind', () => {
  const names = Object.keys(schemas);
  let server: ScriptedPlatform;
  let product: Product;
  let worst: Awaited<ReturnType<typeof probed>>['worst'];
  let record: ((subject: string) => unknown) | undefined;
  const told: string[] = [];
  const bodies = new Map<string, string>();

  before(async () => {
    server = await startScripted(({ path, headers }) => {
      const subject = String(headers['identifier'] ?? '');
      if (path.includes('/datasubjects/')) {
        return {
          body: JSON.stringify(record?.(subject) ?? { Status: 200, DataSubjectId: subject, Purposes: [] }),
        };
      }
      const [index = ''] = /8000-0*(\d+)/.exec(path)?.slice(1) ?? [];
      const body = bodies.get(names[Number(index) % 100] ?? '');
      return body === undefined ? { status: 404 } : { body };
    });
    // The same center under several ids: each is read anew.
    const centers = names.flatMap((_, index) =>
      [0, 1, 2, 3, 4].map((turn) => ({ address: `c${index}-${turn}`, center: guid(turn * 100 + index) })),
    );
    ({ product, worst } = await probed(
      {
        PLATFORM_URL: server.url,
        PLATFORM_CLIENT_ID: 'id',
        PLATFORM_CLIENT_SECRET: 'secret',
        CENTERS_FILE: '{home}/centers.json',
      },
      { 'centers.json': JSON.stringify(centers) },
    ));
  });
  after(async () => {
    process.stdout.write(`longest turns: ${told.join('; ')}\n`);
    await product?.[Symbol.asyncDispose]();
    await server?.close();
  });

  async function check(name: string, act: (turn: number) => Promise<unknown>): Promise<void> {
    let turn = 0;
    const ms = await worst(() => act(turn++));
    told.push(`${name} ${ms.toFixed(0)} ms`);
    assert.ok(ms <= longest, `${name}: one turn took ${ms.toFixed(0)} ms`);
  }

  async function view(index: number, turn: number): Promise<number> {
    const center = guid(turn * 100 + index);
    const link = await linkTo(product, center, 'anna@example.org');
    const page = await createVisitor(product.url).open(link.replace(center, `c${index}-${turn}`));
    return page.status;
  }

  for (const [index, name] of names.entries()) {
    test(`a schema: ${name}`, async () => {
      const made = schemas[name]?.();
      const text = typeof made === 'string' ? made : JSON.stringify(made);
      assert.ok(Buffer.byteLength(text) <= 2 * 1_024 * kilobyte);
      bodies.set(name, text);
      await check(`schema ${name}`, async (turn) => {
        const status = await view(index, turn);
        assert.ok([200, 502].includes(status), `${status}`);
        if (turn === 0 && name === 'what a page needs') assert.equal(status, 200);
      });
    });
  }

  for (const [name, make] of Object.entries(records)) {
    test(`a record: ${name}`, async () => {
      bodies.set('what a page needs', JSON.stringify(schemas['what a page needs']?.()));
      record = make;
      assert.ok(JSON.stringify(make('anna@example.org')).length <= 2 * 1_024 * kilobyte);
      await check(`record ${name}`, async () => {
        const status = await view(0, 0);
        assert.ok([200, 502].includes(status), `${status}`);
      });
      record = undefined;
    });
  }
});
