import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { productOf } from '../../kit/for-suite.ts';
import { save } from '../../kit/form.ts';
import { carryOut, planMoves, standing } from '../../kit/moves.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { host, linkKeys, type Signing, sign } from '../../kit/shop.ts';
import { type Answer, createVisitor } from '../../kit/visitor.ts';

const bankCenter = { center: bank, embedOrigins: ['https://bank.example'], signIn: { mail: false } };
const product = productOf({
  centers: [
    { address: 'shop', center: books, embedOrigins: [host, 'https://www.shop.example'], linkKeys },
    { address: 'bank', ...bankCenter, linkKeys },
  ],
});

type Claims = Signing['claims'];

const ticket = ({ claims, ...by }: Signing = {}) => {
  const [jti, exp] = [randomUUID(), Math.floor(Date.now() / 1000) + 120];
  return sign({ claims: { jti, sub: 'anna@example.org', exp, ...claims }, ...by });
};

/** A browser in a cross-site frame that blocks third-party cookies. */
const framed = (headers = {}) => createVisitor(product.url, { 'sec-fetch-dest': 'iframe', ...headers });

async function enter(claims: Claims = {}, headers = {}) {
  const visitor = framed(headers);
  const page = await visitor.open(`/embed/${claims['aud'] ?? 'shop'}?ticket=${await ticket({ claims })}`);
  return { visitor, page };
}

function ancestors({ headers }: Pick<Answer, 'headers'>): string | undefined {
  return /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
}

suite('A ticket', () => {
  test('a ticket opens the page of the person, names the allowed origins, and needs no cookie', async () => {
    const { visitor, page } = await enter();
    assert.equal(page.status, 200);
    assert.match(page.url, /\/embed\/shop\?v=[\w-]+$/, 'the ticket is gone from the address');
    assert.equal(visitor.cookies.size, 0);
    assert.match(
      page.text,
      /data-frame="embedded" data-origins="https:\/\/shop\.example https:\/\/www\.shop\.example"/,
    );
    assert.equal(ancestors(page), 'https://shop.example https://www.shop.example');
    assert.equal(page.headers['x-frame-options'], undefined);
    assert.ok(!page.text.includes('/sign-out'));
  });

  test('a used ticket opens nothing in another spelling of its signature, and nothing as a link', async () => {
    for (const jti of [randomUUID(), undefined]) {
      const used = await ticket({ claims: { jti, sub: 'jonas@example.org' } });
      assert.equal((await framed().get(`/embed/shop?ticket=${used}`)).status, 303);
      const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      // The two lowest bits of the last letter encode no byte.
      const same = used.slice(0, -1) + letters[letters.indexOf(used.at(-1) ?? '') ^ 1];
      assert.equal((await framed().get(`/embed/shop?ticket=${same}`)).status, 401);
      assert.equal((await createVisitor(product.url).get(`/centers/shop?t=${used}`)).status, 410);
    }
  });

  test('a HEAD request does not use up a ticket', async () => {
    const path = `/embed/shop?ticket=${await ticket()}`;
    const head = await request(product.url + path, { method: 'HEAD' });
    assert.equal(head.statusCode, 200);
    await head.body.dump();
    assert.equal((await framed().get(path)).status, 303);
  });

  test('the token of a link is not a ticket', async () => {
    const link = new URL(await product.link({ center: 'shop', identifier: 'anna@example.org' }));
    const answer = await framed().get(`/embed/shop?ticket=${link.searchParams.get('t')}`);
    assert.equal(answer.status, 400);
    assert.match(answer.text, /data-event="error" data-reference="[0-9a-f]{10}"/);
  });
});

suite('A person in a frame without cookies', () => {
  test('the person changes choices, sees the result, undoes it, and finds both in the record', async () => {
    const identifier = 'jonas@example.org';
    const { visitor, page } = await enter({ sub: identifier }, { 'accept-language': 'en' });
    const before = standing(await product.sandbox.subject(books, identifier));
    const result = await visitor.submit(page, (form) => carryOut(planMoves(form), form), save);
    assert.equal(result.status, 200);
    assert.match(result.url, /\/embed\/shop\/results\/[\w-]+\?v=/);
    assert.match(result.text, /<li class="saved"/);
    assert.equal(ancestors(result), ancestors(page));
    assert.notDeepEqual(standing(await product.sandbox.subject(books, identifier)), before);

    const undone = await visitor.submit(result, () => undefined);
    assert.equal(undone.status, 200);
    const after = standing(await product.sandbox.subject(books, identifier));
    const on = (each: typeof after) =>
      Object.keys(each.purposes).filter((id) => each.purposes[id]?.status === 'ON');
    assert.deepEqual(
      on(before).filter((id) => !on(after).includes(id)),
      [],
    );

    const [, recordHref = ''] = /href="([^"]*\/record\?[^"]*)"/.exec(undone.text) ?? [];
    const record = await visitor.get(recordHref.replaceAll('&amp;', '&'));
    assert.equal(record.status, 200);
    assert.equal(record.text.match(/Auf unserer Website/g)?.length, 2);
    assert.equal(visitor.cookies.size, 0);
  });

  test('a person who may only withdraw gets a link that opens outside the frame', async () => {
    const { visitor, page } = await enter({ sub: 'new.reader@example.org', scope: undefined });
    assert.equal(page.status, 200);
    const links = [...page.text.matchAll(/<a [^>]*href="\/centers\/[^"]*"[^>]*>/g)].map(([tag]) => tag);
    assert.ok(links.length > 0);
    for (const tag of links) assert.match(tag, /target="_blank" rel="noopener"/);
    const signInPage = await visitor.open('/centers/shop/sign-in');
    assert.equal(ancestors(signInPage), "'none'");
  });

  test('an ended visit offers a sign-in that opens outside the frame', async () => {
    for (const path of ['/embed/shop', '/embed/shop?v=AAAA', '/embed/shop/record?v=AAAA']) {
      const page = await framed({ 'accept-language': 'de' }).get(path);
      assert.equal(page.status, 401);
      assert.match(page.text, /<html lang="de"[^>]*data-frame="embedded"/);
      assert.match(page.text, /data-event="expired"/);
      assert.match(page.text, /<a [^>]*href="\/centers\/shop\/sign-in" target="_blank" rel="noopener"/);
    }
    const late = await framed({ 'accept-language': 'en' }).post('/embed/shop?v=AAAA', [['token', 'x']]);
    assert.equal(late.status, 401);
    assert.match(late.text, /Nothing has changed\./);
    const alone = await framed().get('/embed/bank');
    assert.doesNotMatch(alone.text, /sign-in/);
  });
});

suite('A visit in a frame', () => {
  test('a visit is valid for one center, opens no session, and a session opens no visit', async () => {
    const { visitor, page } = await enter();
    const { search } = new URL(page.url);
    assert.equal((await visitor.get(`/embed/bank${search}`)).status, 401);
    assert.ok([303, 401].includes((await framed().get(`/centers/shop${search}`)).status));
    const owner = createVisitor(product.url);
    await owner.open(await product.link({ center: 'shop', identifier: 'anna@example.org' }));
    assert.equal((await owner.get('/embed/shop')).status, 401);
  });
});

suite('The script for other sites', () => {
  test('the script has a stable address, is open to any site, and has at most 3.6 KB', async () => {
    const answer = await request(`${product.url}/embed.js`, { headers: { 'accept-encoding': 'gzip' } });
    const sent = Buffer.from(await answer.body.arrayBuffer());
    const text = gunzipSync(sent).toString();
    assert.equal(answer.statusCode, 200);
    assert.match(String(answer.headers['content-type']), /^text\/javascript/);
    assert.equal(answer.headers['cross-origin-resource-policy'], 'cross-origin');
    assert.match(String(answer.headers['cache-control']), /^public, max-age=3600$/);
    assert.equal(answer.headers['access-control-allow-origin'], '*', 'browsers request modules with CORS');
    assert.ok(sent.length <= 4_300, `${sent.length} bytes`);
    // Browsers request brotli over https.
    const brotli = await request(`${product.url}/embed.js`, { headers: { 'accept-encoding': 'gzip, br' } });
    const bytes = (await brotli.body.arrayBuffer()).byteLength;
    assert.ok(bytes <= 3_700, `${bytes} bytes`);
    assert.doesNotMatch(text, /\bimport\b|postMessage\([^)]*'\*'/);
  });

  test('the script has the texts of the requested language or of the browser', async () => {
    for (const [wanted, query, asked] of [
      ['["de","ltr","Ihre Einstellungen', '', 'de-CH, fr;q=0.5'],
      ['["ar","rtl","', '?lang=ar', 'de'],
      ['["en","ltr","', '', 'fi'],
    ] as const) {
      const headers = { 'accept-language': asked };
      const answer = await request(`${product.url}/embed.js${query}`, { headers });
      assert.match(String(answer.headers['vary']), /Accept-Language/);
      const text = await answer.body.text();
      assert.ok(text.includes(`const words = ${wanted}`), text.slice(0, 600));
    }
  });
});
