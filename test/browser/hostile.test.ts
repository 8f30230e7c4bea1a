import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { times } from '../chaos/dice.ts';
import { productOf } from '../kit/for-suite.ts';
import { readHtml } from '../kit/html.ts';
import { browserOf, openContext } from './browser.ts';
import { type HostileCenter, hostileFolder } from './hostile-folder.ts';
import { payloads, plainPayloads } from './payloads.ts';

const folder = hostileFolder(times(2, 16));
const fewest = times(200, 900);

interface Witness {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Numbers of the payloads that ran. */
  readonly ran: ReadonlySet<number>;
}

suite('Scripts in the platform’s texts', () => {
  const browser = browserOf();
  const files = Object.entries(folder.files).map(([path, text]) => [`seed/${path}`, text]);
  const product = productOf({ env: { SANDBOX_DATA: '{home}/seed' }, files: Object.fromEntries(files) });

  test('Every text of every kind of center has every payload', () => {
    assert.ok(new Set(payloads.map(({ text }) => text)).size >= fewest);
    assert.ok(folder.places.size >= 60, `${folder.places.size} places`);
    for (const [place, numbers] of folder.places) assert.equal(numbers.size, payloads.length, place);
  });

  test('Many payloads run in a page that inserts them as markup', async () => {
    const { context, page, ran } = await witness({ withoutPolicy: true });
    for (let at = 0; at < plainPayloads.length; at += 15) {
      const frames = plainPayloads.slice(at, at + 15).map(({ text }) => {
        const call = '<script>window.ran = (number) => parent.ran(number)</script>';
        const source = `<!doctype html>${call}<body>${text}`
          .replaceAll('&', '&amp;')
          .replaceAll('"', '&quot;');
        return `<iframe srcdoc="${source}"></iframe>`;
      });
      await page.setContent(frames.join(''));
      await page.waitForTimeout(200);
    }
    await context.close();
    assert.ok(ran.size >= 35, `${ran.size} of ${plainPayloads.length} ran`);
  });

  test('No payload runs, loads or becomes markup on any page, even without the policy', async () => {
    const strangers = new Set<string>();
    const seen = new Set<number>();
    const visited: string[] = [];

    async function inspect({ page, ran }: Witness, where: string): Promise<void> {
      visited.push(where);
      assert.deepEqual(await page.evaluate(leftovers), [], where);
      await page.evaluate(provocation);
      for (const number of (await page.evaluate(shownNumbers)) as readonly number[]) seen.add(number);
      assert.deepEqual(
        [...ran].map((number) => payloads[number]),
        [],
        where,
      );
    }

    const first = await witness({ withoutPolicy: true, strangers });
    const links = await openStart(first.page);
    await inspect(first, 'start');
    await first.context.close();
    // Centers run in parallel, because a save mostly waits for the platform; each has its own context.
    const visits = folder.centers.map(async (center) => {
      const one = await witness({ withoutPolicy: true, strangers });
      const { page } = one;
      for (const [index, address] of (await pagesOf(page, center, links)).entries()) {
        await open(page, address);
        await inspect(one, `${center.id} ${new URL(address).pathname}`);
        // All pages of a center have the same kind of result.
        if (index >= times(1, Infinity)) continue;
        await save(page, 'untick-one');
        await inspect(one, `${center.id} result`);
        await open(page, address);
        await save(page, 'tick-all');
        await inspect(one, `${center.id} mistakes or result`);
      }
      await open(page, `${product.url}/centers/${center.id}/unsubscribe`);
      await inspect(one, `${center.id} unsubscribe`);
      await press(page, 'main form button');
      await inspect(one, `${center.id} unsubscribed`);
      await open(page, `${product.url}/centers/${center.id}/nowhere`, 404);
      await inspect(one, `${center.id} not found`);
      await one.context.close();
    });
    await Promise.all(visits);
    assert.deepEqual([...strangers], [], 'no other site was called');
    assert.ok(visited.length >= folder.centers.length * 4, `${visited.length} pages`);
    assert.ok(seen.size >= fewest, `${seen.size} payloads were shown as text`);
  });

  test('No payload violates the policy', async () => {
    const { context, page, ran } = await witness({});
    const offences: string[] = [];
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) offences.push(`${page.url()}: ${message.text()}`);
    });
    const links = await openStart(page);
    // Only rounds without title images, because the policy must refuse an image from a foreign address.
    const withoutImages = folder.centers.filter((_, index) => index % 2 === 1).slice(0, 9);
    for (const center of withoutImages)
      for (const address of await pagesOf(page, center, links)) await open(page, address);
    await context.close();
    assert.deepEqual(offences, []);
    assert.deepEqual([...ran], []);
  });

  /** Opens a browser with scripts that records the payloads that run, and calls to other sites. */
  async function witness({
    withoutPolicy = false,
    strangers = new Set<string>(),
  }: {
    readonly withoutPolicy?: boolean;
    readonly strangers?: Set<string>;
  }): Promise<Witness> {
    // A small window takes less CPU.
    const context = await openContext(browser, { script: true, phone: true, withoutPolicy });
    const ran = new Set<number>();
    await context.exposeFunction('ran', (number: number) => void ran.add(number));
    // The visitor confirms to leave unsaved changes.
    context.on('dialog', (dialog) => {
      void (dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss());
    });
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin !== product.url || !/^\/($|centers\/|assets\/|brands?\/|favicon)/.test(url.pathname))
        strangers.add(request.url());
    });
    return { context, page: await context.newPage(), ran };
  }

  async function open(page: Page, address: string, status = 200): Promise<void> {
    const answer = await page.goto(address);
    assert.equal(answer?.status(), status, address);
  }

  /** Returns a link for each hostile center. */
  async function openStart(page: Page): Promise<ReadonlyMap<string, string>> {
    await open(page, product.url);
    const links = new Map<string, string>();
    for (const { center, identifier } of await product.sandbox.people()) {
      const isWanted = folder.centers.some(
        (hostile) => hostile.id === center && hostile.identifier === identifier,
      );
      if (isWanted) links.set(center, await product.link({ center, identifier }));
    }
    return links;
  }

  /** Opens a center by its link, and returns the addresses of its pages. */
  async function pagesOf(
    page: Page,
    { id }: HostileCenter,
    links: ReadonlyMap<string, string>,
  ): Promise<string[]> {
    await open(page, links.get(id) ?? '');
    const addresses: string[] = [];
    let isWithin = false;
    for (const piece of readHtml(await page.content())) {
      if (piece.kind !== 'text' && piece.tag === 'nav') isWithin = piece.kind === 'open';
      if (isWithin && piece.kind === 'open' && piece.tag === 'a')
        addresses.push(new URL(piece.attributes['href'] ?? '', page.url()).href);
    }
    return addresses.length === 0 ? [page.url()] : [...new Set(addresses)];
  }

  async function save(page: Page, how: 'untick-one' | 'tick-all'): Promise<void> {
    const boxes = `[...document.querySelectorAll('input[name=purpose]:not(:disabled)')]`;
    await page.evaluate(
      how === 'tick-all'
        ? `${boxes}.forEach((box) => { box.checked = true; })`
        : `${boxes}.filter((box) => box.checked).slice(0, 1).forEach((box) => { box.checked = false; })`,
    );
    await press(page, 'button[name=action][value=save]');
  }

  async function press(page: Page, button: string): Promise<void> {
    const [answer] = await Promise.all([
      page.waitForNavigation(),
      page.evaluate(`document.querySelector('${button}').click()`),
    ]);
    assert.ok([200, 422].includes(answer?.status() ?? 0), `${answer?.status()} after saving ${page.url()}`);
  }
});

/** Code for the page: returns elements, handlers, addresses and styles that only foreign markup can have. */
const leftovers = `(() => {
  const foreign = 'script:not([src^="/assets/"]), iframe, frame, frameset, object, embed, applet, base, style, template,'
    + ' svg, math, audio, video, marquee, xmp, plaintext, main link, main meta, noscript *';
  const isOwnRefresh = (element) => element.matches('head > noscript > meta');
  const found = [...document.querySelectorAll(foreign)].filter((element) => !isOwnRefresh(element))
    .map((element) => element.outerHTML.slice(0, 200));
  for (const element of document.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      // app.js sets this style: room for the words beside the switches.
      const isOwnRoom = element.matches('form[data-on]') && /^--state-room: \\d+ch;$/.test(value);
      if (/^on/i.test(name) || (name === 'style' && !isOwnRoom) || name === 'srcdoc') found.push(name + '=' + value);
      if (!/^(href|src|action|formaction|data|poster|background|xlink:href|ping|srcset)$/i.test(name)) continue;
      const protocol = URL.canParse(value, location.href) ? new URL(value, location.href).protocol : 'unreadable:';
      if (!/^(https?|mailto|tel):$/.test(protocol)) found.push(name + '=' + value);
    }
  }
  return found;
})()`;

/** Code for the page: returns the numbers of the payloads that it shows as text. */
const shownNumbers = String.raw`[...new Set(
  [...document.documentElement.outerHTML.matchAll(/ran\((\d+)\)/g)].map(([, number]) => Number(number)),
)]`;

/** Code for the page: fires all events that a person can cause without leaving the page. */
const provocation = `(() => {
  const events = ['mouseover', 'mouseenter', 'mousemove', 'mousedown', 'focus', 'blur', 'toggle', 'error', 'load',
    'animationstart', 'transitionend', 'scroll', 'wheel', 'copy', 'paste', 'drag', 'pointerover', 'auxclick',
    'beforetoggle', 'keydown', 'change', 'invalid', 'beforeinput'];
  for (const element of document.querySelectorAll('*'))
    for (const type of events) element.dispatchEvent(new Event(type, { cancelable: true }));
})()`;
