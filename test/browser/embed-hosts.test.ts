import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { times } from '../chaos/dice.ts';
import { shoot } from './browser.ts';
import { type FramedSites, frameBox, frameIn, openFramedSites, settled } from './framed.ts';

let sites: FramedSites;
before(async () => {
  sites = await openFramedSites();
});
after(async () => {
  await sites?.close();
});

const jumps = `jumped = 0; new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) jumped += value;
}).observe({ type: 'layout-shift', buffered: true })`;

interface Host {
  /** Around the element. */
  readonly before: string;
  readonly after?: string;
  readonly width?: number;
  /** How much of the window's upper edge the site keeps for itself. */
  readonly header?: number;
  readonly policy?: string;
}

const room =
  '<style>sayso-preferences { display: block } sayso-preferences:empty { min-block-size: 100vh }</style>';
const below = '<p style="block-size: 900px">Below</p>';
const header = (height: number) =>
  `<header style="position: sticky; top: 0; z-index: 9; height: ${height}px; background: #123">A shop</header>`;
const hosts: Readonly<Record<string, Host>> = {
  ...times<Readonly<Record<string, Host>>>(
    {},
    {
      'in light': { before: '<body style="background: #fff">' },
      'under a sticky header of 64 pixels': { before: `<body>${header(64)}`, header: 64 },
      'in a grid': {
        before:
          '<body style="display: grid; grid-template-columns: 1fr minmax(0, 2fr)"><nav>A shop</nav><main>',
        after: '</main>',
      },
      'in a transformed parent': { before: '<body><main style="transform: scale(0.9)">', after: '</main>' },
    },
  ),
  'in dark, without a word on it': { before: '<body style="background: #101418; color: #fff">' },
  'under a sticky header of 120 pixels': { before: `<body>${header(120)}`, header: 120 },
  'under a sticky header, on a phone': { before: `<body>${header(64)}`, header: 64, width: 375 },
  'aside, 300 pixels wide': {
    before:
      '<body style="display: flex"><main style="flex: 1">A shop</main><aside style="inline-size: 300px">',
    after: '</aside>',
  },
  'in a part that scrolls': {
    before: '<body style="margin: 0"><main style="block-size: 600px; overflow: auto">',
    after: '</main>',
  },
  'under a strict policy': {
    before: '<body>',
    policy: `default-src 'none'; script-src {sayso}; frame-src {sayso}; style-src 'sha256-none'`,
  },
};

suite('In a foreign site', () => {
  for (const [where, host] of Object.entries(hosts)) {
    test(`a person changes, saves and reads the result ${where}, and nothing jumps.`, async () => {
      const page = await sites.open({ width: host.width ?? 1280, height: 800 });
      const faults: string[] = [];
      page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
      await page.addInitScript(jumps);
      const { before: start, after: end = '', policy } = host;
      const headers = policy && { 'Content-Security-Policy': policy.replaceAll('{sayso}', sites.sayso) };
      const html = `${policy ? '' : room}${start}${await sites.element('', 'jonas@example.org')}${policy ? '' : below}${end}`;
      await page.goto(sites.pageOf(html, headers || {}));
      const frame = await frameIn(page, 'input.switch');
      const isTall = (box: { readonly height: number }) => box.height > 1_000;
      await settled(page, () => frameBox(page), isTall);
      await page.waitForTimeout(300);
      const jumped = Number(await page.evaluate('jumped'));
      assert.ok(jumped <= 0.02, `layout shift ${jumped}`);

      await frame.locator('input.switch:not(:disabled)').nth(1).press('Space');
      await frame.locator('.unsaved:not(:empty)').waitFor();
      const bar = () => inWindow(page, '.actions');
      const isSeen = ({ top, bottom }: Box) => top >= (host.header ?? 0) && bottom <= 801;
      const seen = await settled(page, bar, isSeen, 20_000);
      assert.ok(isSeen(seen), `the bar is in sight: ${JSON.stringify(seen)}`);
      await shoot(page, `host ${where}`);

      await frame.locator('button[value="save"]').press('Enter');
      await frameIn(page, '#result');
      const heading = () => inWindow(page, '#result .saved');
      const isRead = ({ top, bottom }: Box) => top >= (host.header ?? 0) - 1 && bottom <= 801;
      const read = await settled(page, heading, isRead, 20_000);
      assert.ok(isRead(read), `the result is in sight: ${JSON.stringify(read)}`);
      assert.deepEqual(faults, []);
    });
  }
});

interface Box {
  readonly top: number;
  readonly bottom: number;
}

/** Where something of the frame is in the window of the site, which may be scaled: Playwright’s own boxes are not. */
async function inWindow(page: Page, selector: string): Promise<Box> {
  const frame = await frameIn(page, selector);
  const inFrame = (await frame.evaluate(`(() => {
    const { top, bottom } = document.querySelector('${selector}').getBoundingClientRect();
    return { top, bottom };
  })()`)) as Box;
  const { top, scale } = (await page.evaluate(`(() => {
    const frame = document.querySelector('iframe');
    const { top, height } = frame.getBoundingClientRect();
    return { top, scale: height / frame.offsetHeight };
  })()`)) as { top: number; scale: number };
  return { top: top + inFrame.top * scale, bottom: top + inFrame.bottom * scale };
}
