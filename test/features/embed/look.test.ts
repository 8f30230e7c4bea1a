import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { productOf } from '../../kit/for-suite.ts';
import { readForm, save } from '../../kit/form.ts';
import { carryOut, planMoves } from '../../kit/moves.ts';
import { books as center } from '../../kit/sandbox-ids.ts';
import { host, linkKeys, signed } from '../../kit/shop.ts';
import { type Answer, createVisitor } from '../../kit/visitor.ts';

const common = { center, embedOrigins: [host], linkKeys };
const product = productOf({
  centers: [
    { ...common, address: 'shop' },
    {
      ...common,
      address: 'night',
      center: 'ba4c0000-0000-4000-8000-000000000001',
      brand: { name: 'Night', scheme: 'dark' },
    },
  ],
});

/** Opens a frame; `asked` is appended to its address. */
async function enter(asked: string, { subject = 'anna@example.org', audience = 'shop' } = {}) {
  const ticket = await signed(subject, { aud: audience });
  const visitor = createVisitor(product.url, { 'sec-fetch-dest': 'iframe', 'accept-language': 'en' });
  return { visitor, page: await visitor.open(`/embed/${audience}?ticket=${ticket}${asked}`) };
}

interface Look {
  readonly scheme: string | undefined;
  readonly brand: boolean;
  readonly identity: boolean;
  readonly record: boolean;
}

function lookOf({ text }: Pick<Answer, 'text'>): Look {
  return {
    scheme: /data-scheme="(\w+)"/.exec(text)?.[1],
    brand: text.includes('class="brand"'),
    identity: text.includes('a•••@example.org'),
    record: /href="[^"]*\/record[?"]/.test(text),
  };
}

const usual: Look = { scheme: 'auto', brand: false, identity: true, record: true };

suite('The look that the surrounding site asks for', () => {
  const cases: readonly (readonly [asked: string, look: Partial<Look>])[] = [
    ['', {}],
    ['&scheme=dark', { scheme: 'dark' }],
    ['&scheme=light', { scheme: 'light' }],
    ['&hide=', { brand: true }],
    ['&hide=identity', { brand: true, identity: false }],
    ['&hide=brand,identity%20record', { identity: false, record: false }],
    ['&scheme=sepia', {}],
    ['&scheme=dark&scheme=light', {}],
    ['&scheme=%22%3E%3Cscript%3E&hide=%22%3E%3Cscript%3E', { brand: true }],
    ['&hide=brand+purposes+save+IDENTITY+withdraw', {}],
    ['&hide=record&hide=identity', {}],
  ];
  test('a known look is applied, and an unknown one is ignored', async () => {
    for (const [asked, look] of cases) {
      const { page } = await enter(asked);
      assert.equal(page.status, 200, asked);
      assert.deepEqual(lookOf(page), { ...usual, ...look }, asked);
      assert.doesNotMatch(page.text + page.url, /sepia|<script>|purposes%20save|IDENTITY/);
    }
  });

  test('valid accent, radius, font and ground stay in the address, others do not', async () => {
    const kept = async (asked: string) => new URL((await enter(asked)).page.url).searchParams;
    const all = { ground: 'own', accent: '663399', radius: '5.333333', font: 'Georgia, "Times New Roman"' };
    const query = await kept(`&${new URLSearchParams(all)}`);
    for (const [name, value] of Object.entries(all)) assert.equal(query.get(name), value);
    const { page } = await enter(`&${new URLSearchParams(all)}`);
    for (const [, href = ''] of page.text.matchAll(/(?:href|action)="(\/embed\/[^"]*)"/g))
      assert.match(href, /accent=663399/);
    const wrong = ['ground=none', 'accent=red', 'accent=12345g', 'radius=33', 'radius=1e1', 'radius=-1'];
    for (const asked of [...wrong, 'font=a;color:red', 'font=url(x)', 'accent=663399&accent=663399'])
      assert.deepEqual([...(await kept(`&${asked}`)).keys()], ['v'], asked);
  });

  test('the frame has its own ground unless the site names a scheme', async () => {
    const ground = async (asked: string) => /data-own-ground/.test((await enter(asked)).page.text);
    assert.equal(await ground(''), true);
    assert.equal(await ground('&scheme=dark'), false);
    assert.equal(await ground('&scheme=dark&ground=own'), true);
  });

  test('the scheme of the site replaces the one of the brand', async () => {
    const look = async (asked: string) => lookOf((await enter(asked, { audience: 'night' })).page).scheme;
    assert.deepEqual(await Promise.all(['', '&scheme=light', '&scheme=auto', '&scheme=no'].map(look)), [
      'dark',
      'light',
      'auto',
      'dark',
    ]);
  });

  test('the look stays in every link, form, result and problem of the visit', async () => {
    const { visitor, page } = await enter('&scheme=dark&hide=identity+record&lang=en');
    const asked: Look = { scheme: 'dark', brand: true, identity: false, record: false };
    const links = [...page.text.matchAll(/(?:href|action)="(\/embed\/[^"]*)"/g)].map(([, href = '']) => href);
    assert.ok(links.length > 4);
    for (const href of links)
      assert.match(href, /scheme=dark&amp;hide=identity%20record|scheme=dark&#?\w*;?hide=/);

    const result = await visitor.submit(page, (form) => carryOut(planMoves(form), form), save);
    assert.match(result.url, /\/results\//);
    assert.deepEqual(lookOf(result), asked);
    const undone = await visitor.submit(result, () => undefined);
    assert.deepEqual(lookOf(undone), asked);

    const { search } = new URL(page.url);
    for (const path of ['', '/unsubscribe', '/nowhere', '/results/nothing']) {
      assert.deepEqual(lookOf(await visitor.get(`/embed/shop${path}${search}`)), asked, path);
    }
    const record = await visitor.get(`/embed/shop/record${search}`);
    assert.equal(lookOf(record).scheme, 'dark');
    const lost = await visitor.get(`/embed/shop/nowhere${search}`);
    const [, back = ''] = /<a class="button primary" href="([^"]*)">/.exec(lost.text) ?? [];
    assert.deepEqual(lookOf(await visitor.get(back.replaceAll('&amp;', '&'))), asked);
    const over = await visitor.get('/embed/shop?v=AAAA&scheme=dark&hide=identity+record');
    assert.equal(over.status, 401);
    assert.deepEqual(lookOf(over), asked);
    const mistaken = await visitor.post(`/embed/shop${search}`, [['token', 'made up']]);
    assert.deepEqual(lookOf(mistaken), asked);
  });

  test('the look is ignored outside a frame', async () => {
    const visitor = createVisitor(product.url, { 'accept-language': 'en' });
    await visitor.open(await product.link({ center: 'shop', identifier: 'anna@example.org' }));
    const page = await visitor.get('/centers/shop?scheme=dark&hide=brand+identity+record');
    assert.deepEqual(lookOf(page), { ...usual, brand: true });
  });
});

suite('After a save in a frame', () => {
  test('the address leads to the result, which takes the focus; outside a frame it does not', async () => {
    const { visitor, page } = await enter('', { subject: 'jonas@example.org' });
    const form = readForm(page.text);
    const { action, fields } = carryOut(planMoves(form), form).press(save);
    const saved = await visitor.post(action, fields);
    assert.match(saved.location ?? '', /\/embed\/shop\/results\/[\w-]+\?v=[\w-]+#result$/);
    const result = await visitor.open(saved.location ?? '');
    assert.match(result.text, /<div [^>]*id="result" tabindex="-1"/);

    const owner = createVisitor(product.url);
    const top = await owner.open(await product.link({ center: 'shop', identifier: 'salma@example.org' }));
    const own = readForm(top.text);
    const pressed = carryOut(planMoves(own), own).press(save);
    const atTop = await owner.post(pressed.action, pressed.fields);
    assert.match(atTop.location ?? '', /\/centers\/shop\/results\/[\w-]+$/);
  });
});
