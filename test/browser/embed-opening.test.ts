import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { forSuite } from '../kit/for-suite.ts';
import {
  assertStill,
  center,
  frameBox,
  frameIn,
  heardOn,
  openFramedSites,
  settled,
  waitForHeard,
} from './framed.ts';

const sites = forSuite(openFramedSites, (sites) => sites.close());

/** Collects the tickets that the page sends to the preference center. */
function ticketsOf(page: Page): string[] {
  const tickets: string[] = [];
  page.on('request', (request) => {
    const ticket = new URL(request.url()).searchParams.get('ticket');
    if (ticket !== null) tickets.push(ticket);
  });
  return tickets;
}

suite('One ticket is used once', () => {
  const attributes = `const element = document.createElement('sayso-preferences');
    const set = (name, value) => element.setAttribute(name, value);`;
  const attributesWith = (ticket: string) =>
    [
      ['center', center],
      ['ticket', ticket],
      ['scheme', 'light'],
      ['hide', 'brand record'],
      ['label', 'Mine'],
      ['lang', 'fr'],
    ] as const;
  const ways: Readonly<Record<string, (ticket: string) => string>> = {
    'attributes that are set one by one in the page': (ticket) =>
      `document.body.append(element);
      ${attributesWith(ticket)
        .map(([name, value]) => `set('${name}', '${value}');`)
        .join('')}`,
    'attributes that are set in separate tasks': (ticket) =>
      `document.body.append(element); const all = ${JSON.stringify(attributesWith(ticket))};
      const next = () => { const [name, value] = all.shift() ?? []; if (name) { set(name, value); setTimeout(next, 60); } };
      next();`,
    'a language that is set after the page has loaded': (ticket) =>
      `document.addEventListener('sayso-ready', () => set('lang', 'fr'), { once: true });
      document.body.append(element); set('center', '${center}'); set('ticket', '${ticket}');`,
    'an element that is moved at once': (ticket) =>
      `document.body.append(element); set('center', '${center}'); set('lang', 'fr'); set('ticket', '${ticket}');
      const main = document.createElement('main'); document.body.append(main); main.append(element);`,
  };
  for (const [name, way] of Object.entries(ways)) {
    test(`one ticket is used once with ${name}`, async () => {
      const page = await sites.open();
      const tickets = ticketsOf(page);
      const ticket = await sites.ticket();
      const script = `${attributes} ${way(ticket)}`;
      await page.goto(
        sites.pageOf(`<script src="${sites.sayso}/embed.js"></script><body><script>${script}</script>`),
      );
      await frameIn(page, 'html[lang="fr"] input.switch');
      const isReady = () => heardOn(page, 'ready', 'expired', 'error');
      const heard = await settled(page, isReady, ({ length }) => length > 0);
      assert.deepEqual(tickets, [ticket]);
      assert.deepEqual([...new Set(heard.map(([name]) => name))], ['ready']);
    });
  }

  test('a new ticket opens the frame again, even after an invalid ticket', async () => {
    const page = await sites.open();
    const tickets = ticketsOf(page);
    await page.goto(sites.pageOf(`<body>${await sites.element()}`));
    await waitForHeard(page, 1);
    const setTicket = (ticket: string) =>
      page.evaluate(`document.querySelector('sayso-preferences').setAttribute('ticket', '${ticket}')`);
    await setTicket('made.up.ticket');
    await waitForHeard(page, 2);
    const [, detail] = (await heardOn(page, 'error'))[0] ?? assert.fail();
    assert.match(String(detail['reference']), /^[0-9a-f]{10}$/);
    const fresh = await sites.ticket('emil@example.org');
    await setTicket(fresh);
    assert.deepEqual(await waitForHeard(page, 3), ['ready', 'error', 'ready']);
    assert.equal(await page.locator('iframe').count(), 1);
    const frame = await frameIn(page, 'input.switch');
    assert.match((await frame.locator('.who').textContent()) ?? '', /e•••@example\.org/);
    assert.deepEqual([tickets.length, tickets[2]], [3, fresh]);
  });

  // test/browser/embed-docs tests a module with an element after it.
  test('the script works as a module, with data attributes and imported', async () => {
    const page = await sites.open();
    const attributesOf = async (prefix: string) =>
      `${prefix}center="${center}" ${prefix}ticket="${await sites.ticket()}"`;
    const script = `${sites.sayso}/embed.js`;
    for (const html of [
      `<script type="module" src="${script}" ${await attributesOf('data-')}></script>`,
      `<script type="module">import '${script}'</script><sayso-preferences ${await attributesOf('')}></sayso-preferences>`,
    ]) {
      await page.goto(sites.pageOf(`<body>${html}`));
      await frameIn(page, 'input.switch');
      assert.equal(await page.locator('iframe').count(), 1);
    }
  });
});

suite('A frame that is loading', () => {
  test('the element is busy until its frame is there, in its later height, and nothing moves', async () => {
    const page = await sites.open();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/embed/**', async (route) => {
      await held;
      await route.continue();
    });
    const style = '<style>sayso-preferences { display: block } p { margin: 0 }</style>';
    await page.goto(sites.pageOf(`${style}<body>${await sites.element()}<p>Below</p>`), {
      waitUntil: 'commit',
    });
    await page.locator('sayso-preferences[aria-busy="true"] > div > div').waitFor();
    assert.equal(await page.locator('iframe').isVisible(), false);
    const { height, window } = await frameBox(page);
    assert.ok(height >= window - 20);
    release();
    await page.locator('sayso-preferences[aria-busy="false"]').waitFor();
    assert.equal(await page.locator('iframe').isVisible(), true);
    assert.equal(await page.locator('sayso-preferences > div > div').count(), 0);
    await assertStill(page);
  });
});

suite('A frame that fails', () => {
  type Answer = Parameters<Parameters<Page['route']>[1]>[0];
  const held: Answer[] = [];
  const nothing = async (route: Answer) => {
    held.push(route);
  };
  const faults: Readonly<Record<string, (route: Answer) => Promise<void>>> = {
    'is never answered': nothing,
    'is refused': (route) => route.abort('connectionrefused'),
    'is stopped by a proxy': (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }),
  };
  let page: Page;
  before(async () => {
    page = await sites.open({ height: 600 });
    await page.clock.install();
  });
  for (const [fault, answer] of Object.entries(faults)) {
    test(`a frame that ${fault} is reported to visitor and site, and can be tried again`, async () => {
      await page.route('**/embed/**', answer);
      const element = (await sites.element()).replace('/embed.js', '/embed.js?lang=de');
      await page.goto(sites.pageOf(`<body>${element}`), { waitUntil: 'commit' });
      await page.locator('sayso-preferences[aria-busy="true"]').waitFor();
      const alert = page.getByRole('alert');
      for (let tries = 0; tries < 22 && (await alert.count()) === 0; tries++) {
        assert.equal(await page.locator('iframe').isVisible(), false);
        await page.clock.runFor(500);
        await page.waitForTimeout(50);
      }
      await alert.waitFor();
      assert.match((await alert.textContent()) ?? '', /^Ihre Einstellungen konnten nicht geladen werden\./);
      assert.equal(await page.locator('iframe').isVisible(), false);
      assert.deepEqual(await waitForHeard(page, 1), ['error']);
      assert.match((await alert.locator('a').getAttribute('href')) ?? '', /\/embed\/.*ticket=/);
      for (const route of held.splice(0)) await route.abort().catch(() => undefined);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await alert.getByRole('button').click();
      await page.clock.runFor(100);
      await frameIn(page, 'input.switch');
      await page.locator('sayso-preferences[aria-busy="false"]').waitFor();
      assert.equal(await alert.count(), 0);
    });
  }

  test('a frame that fails at its next page is reported, too, and the browser’s error page is hidden', async () => {
    const { page, frame } = await sites.openFrame(`<body>${await sites.element('', 'salma@example.org')}`);
    await waitForHeard(page, 1);
    await page.waitForLoadState('load');
    await page.waitForTimeout(300);
    await page.route('**/embed/**', (route) => route.abort('connectionrefused'));
    await frame.locator('a[href*="/unsubscribe?"]').press('Enter');
    await page.getByRole('alert').waitFor();
    assert.equal(await page.locator('iframe').isVisible(), false);
    assert.deepEqual(await waitForHeard(page, 2), ['ready', 'error']);
  });
});
