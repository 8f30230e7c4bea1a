import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { forSuite } from '../kit/for-suite.ts';
import { center, frameBox, frameIn, openFramedSites } from './framed.ts';

const sites = forSuite(openFramedSites, (sites) => sites.close());

const hears = `<script>heard = []; jumped = 0;
  for (const name of ['ready', 'expired', 'error'])
    document.addEventListener('sayso-' + name, ({ detail }) => { heard.push(name); told = detail; });
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) jumped += value; })
    .observe({ type: 'layout-shift', buffered: true });</script>`;

/** The tickets that were brought to the preference center. */
function ticketsOf(page: Page): string[] {
  const brought: string[] = [];
  page.on('request', (request) => {
    const ticket = new URL(request.url()).searchParams.get('ticket');
    if (ticket !== null) brought.push(ticket);
  });
  return brought;
}

suite('One ticket is used once', () => {
  const attributes = `const element = document.createElement('sayso-preferences');
    const set = (name, value) => element.setAttribute(name, value);`;
  const said = (ticket: string) =>
    [
      ['center', center],
      ['ticket', ticket],
      ['scheme', 'light'],
      ['hide', 'brand record'],
      ['label', 'Mine'],
      ['lang', 'fr'],
    ] as const;
  const ways: Readonly<Record<string, (ticket: string) => string>> = {
    'attributes that are set one by one when it is there': (ticket) =>
      `document.body.append(element);
      ${said(ticket)
        .map(([name, value]) => `set('${name}', '${value}');`)
        .join('')}`,
    'attributes of which each is set in a task of its own': (ticket) =>
      `document.body.append(element); const all = ${JSON.stringify(said(ticket))};
      const next = () => { const [name, value] = all.shift() ?? []; if (name) { set(name, value); setTimeout(next, 60); } };
      next();`,
    'a language that is set when the page has come': (ticket) =>
      `document.addEventListener('sayso-ready', () => set('lang', 'fr'), { once: true });
      document.body.append(element); set('center', '${center}'); set('ticket', '${ticket}');`,
    'an element that is put elsewhere at once': (ticket) =>
      `document.body.append(element); set('center', '${center}'); set('lang', 'fr'); set('ticket', '${ticket}');
      const main = document.createElement('main'); document.body.append(main); main.append(element);`,
  };
  for (const [what, way] of Object.entries(ways)) {
    test(`by ${what}.`, async () => {
      const page = await sites.open();
      const brought = ticketsOf(page);
      const ticket = await sites.ticket();
      const script = `${attributes} ${way(ticket)}`;
      await page.goto(
        sites.pageOf(
          `${hears}<script src="${sites.sayso}/embed.js"></script><body><script>${script}</script>`,
        ),
      );
      await frameIn(page, 'html[lang="fr"] input.switch');
      await page.waitForFunction('heard.length > 0');
      assert.deepEqual(brought, [ticket]);
      const heard = (await page.evaluate('heard')) as string[];
      assert.deepEqual([...new Set(heard)], ['ready']);
    });
  }

  test('while everything about its looks changes, and what was chosen stays.', async () => {
    const page = await sites.open();
    const brought = ticketsOf(page);
    await page.goto(sites.pageOf(`${hears}<body>${await sites.element()}`));
    const frame = await frameIn(page, 'input.switch');
    const first = frame.locator('input.switch:not(:disabled)').first();
    await first.press('Space');
    const isOn = await first.isChecked();
    for (const change of [
      `setAttribute('scheme', 'dark')`,
      `setAttribute('label', 'Mine')`,
      `setAttribute('height', '900')`,
      `style.setProperty('--sayso-accent', '#8fb0ff')`,
    ]) {
      await page.evaluate(`document.querySelector('sayso-preferences').${change}`);
      await page.waitForTimeout(100);
    }
    await frame.locator('html[data-scheme="dark"]').waitFor();
    assert.equal(await first.isChecked(), isOn);
    assert.equal(await page.locator('iframe').getAttribute('title'), 'Mine');
    assert.equal(brought.length, 1);
  });

  test('and a fresh one begins anew, also after one that was made up.', async () => {
    const page = await sites.open();
    const brought = ticketsOf(page);
    await page.goto(sites.pageOf(`${hears}<body>${await sites.element()}`));
    await page.waitForFunction('heard.length === 1');
    const setTicket = (ticket: string) =>
      page.evaluate(`document.querySelector('sayso-preferences').setAttribute('ticket', '${ticket}')`);
    await setTicket('made.up.ticket');
    await page.waitForFunction('heard.length === 2');
    assert.match(String(await page.evaluate('told.reference')), /^[0-9a-f]{10}$/);
    const fresh = await sites.ticket('emil@example.org');
    await setTicket(fresh);
    await page.waitForFunction('heard.length === 3');
    assert.deepEqual(await page.evaluate('heard'), ['ready', 'error', 'ready']);
    assert.equal(await page.locator('iframe').count(), 1);
    const frame = await frameIn(page, 'input.switch');
    assert.match((await frame.locator('.who').textContent()) ?? '', /e•••@example\.org/);
    assert.deepEqual([brought.length, brought[2]], [3, fresh]);
  });

  test('by the script as a module, with an element and by itself.', async () => {
    const page = await sites.open();
    const element = `<sayso-preferences center="${center}" ticket="${await sites.ticket()}"></sayso-preferences>`;
    const source = `type="module" src="${sites.sayso}/embed.js"`;
    const itself = `<script ${source} data-center="${center}" data-ticket="${await sites.ticket()}"></script>`;
    const imported = `<script type="module">import '${sites.sayso}/embed.js'</script>${element.replace(/ticket="[^"]*"/, `ticket="${await sites.ticket()}"`)}`;
    for (const what of [`<script ${source}></script>${element}`, itself, imported]) {
      await page.goto(sites.pageOf(`${hears}<body>${what}`));
      await frameIn(page, 'input.switch');
      assert.equal(await page.locator('iframe').count(), 1);
    }
  });
});

suite('While a frame is on its way', () => {
  test('the element shows that it is busy, as high as it will be, and nothing jumps.', async () => {
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
    await page.goto(sites.pageOf(`${hears}${style}<body>${await sites.element()}<p>Below</p>`), {
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
    await page.waitForTimeout(300);
    assert.ok(Number(await page.evaluate('jumped')) <= 0.02);
  });
});

suite('A frame that does not come', () => {
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
  for (const [what, answer] of Object.entries(faults)) {
    test(`because it ${what} is told to its reader and to the site, and can be tried again.`, async () => {
      const page = await sites.open({ height: 600 });
      await page.clock.install();
      await page.route('**/embed/**', answer);
      const element = (await sites.element()).replace('/embed.js', '/embed.js?lang=de');
      await page.goto(sites.pageOf(`${hears}<body>${element}`), { waitUntil: 'commit' });
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
      assert.deepEqual(await page.evaluate('heard'), ['error']);
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

  test('after a form was sent is told, too, and the browser’s page about it is never seen.', async () => {
    const page = await sites.open();
    await page.goto(sites.pageOf(`${hears}<body>${await sites.element('', 'salma@example.org')}`));
    const frame = await frameIn(page, 'a[href*="/unsubscribe?"]');
    await page.waitForFunction('heard.length === 1');
    await page.waitForLoadState('load');
    await page.waitForTimeout(300);
    await page.route('**/embed/**', (route) => route.abort('connectionrefused'));
    await frame.locator('a[href*="/unsubscribe?"]').press('Enter');
    await page.getByRole('alert').waitFor();
    assert.equal(await page.locator('iframe').isVisible(), false);
    assert.deepEqual(await page.evaluate('heard'), ['ready', 'error']);
  });
});
