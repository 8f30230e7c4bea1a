import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { times } from '../chaos/dice.ts';
import { forSuite } from '../kit/for-suite.ts';
import { openFirefox, skip, type Window } from './firefox.ts';
import { openFramedSites } from './framed.ts';
import { type Box, headersOf, hosts, htmlOf, inWindow } from './hosts.ts';

const isThere = `document.querySelector('sayso-preferences')?.ariaBusy === 'false' &&
  document.querySelector('[role=alert]') === null`;
/** Hosts of the short form, because Firefox takes three times as long as Chromium. */
const few = ['under a sticky header, on a phone', 'under a strict policy'];
const reader = 'jonas@example.org';
const isFrameSeen = `document.querySelector('iframe').checkVisibility({ visibilityProperty: true })`;
/** Shortens all timers to a tenth, because Firefox has no clock of the test. */
const shortTimeouts =
  '<script>{ const later = setTimeout; setTimeout = (work, ms) => later(work, ms / 10); }</script>';

suite('In a foreign site in Firefox', { skip }, () => {
  const firefox = forSuite(
    () => openFirefox({ script: true }),
    (opened) => opened.close(),
  );
  const sites = forSuite(openFramedSites, (opened) => opened.close());

  async function openHost(html: string, headers = {}, width = 1280): Promise<Window> {
    const window = await firefox.open('en', { width, height: 800 });
    await window.goto(sites.pageOf(html, headers));
    await window.until(isThere);
    await window.enterFrame();
    await window.until(`document.querySelectorAll('input.switch').length > 3`);
    return window;
  }

  for (const where of times(few, Object.keys(hosts))) {
    const host = hosts[where];
    assert.ok(host);
    test(`a visitor in Firefox changes, saves and reads the result ${where}`, async () => {
      const element = await sites.element('', reader);
      const { width, header = 0 } = host;
      const window = await openHost(htmlOf(host, element), headersOf(host, sites.sayso), width);
      const isSeen = ({ top, bottom }: Box) => top >= header - 1 && bottom <= 801;
      const inPage = async (expression: string) => {
        window.leaveFrame();
        const read = await window.read(expression);
        await window.enterFrame();
        return read;
      };
      const comesInSight = async (selector: string) => {
        let box = await inWindow(selector, window.read, inPage);
        for (let tries = 0; tries < 200 && !isSeen(box); tries++) {
          await pause(100);
          box = await inWindow(selector, window.read, inPage);
        }
        assert.ok(isSeen(box), `${selector} is in sight: ${JSON.stringify(box)}`);
      };
      await window.click('label[for="purpose-b00c5000-0000-4001-8000-000000000002"]');
      await window.until(`document.querySelector('.unsaved:not(:empty)') !== null`);
      await comesInSight('.actions');
      await window.follow('button[value="save"]');
      await window.until(`document.querySelector('#result .saved') !== null`);
      await comesInSight('#result .saved');
      const [post, ...more] = window.posts();
      assert.deepEqual([post?.['origin'], post?.['sec-fetch-site'], more], [sites.sayso, 'same-origin', []]);
    });
  }

  test('the frame follows a site that turns dark', async () => {
    const style = '<style>.night { background: #101418; color: #fff }</style>';
    const window = await openHost(`${style}<body>${await sites.element()}`);
    const isIn = (scheme: string) =>
      window.until(`getComputedStyle(document.documentElement).colorScheme === '${scheme}'`);
    await isIn('light');
    window.leaveFrame();
    await window.read(`document.body.className = 'night'`);
    await window.enterFrame();
    await isIn('dark');
  });

  test('a visitor sees that the product does not answer, and can try again', async () => {
    const window = await firefox.open('en', { width: 1280, height: 800 });
    await window.goto(sites.pageOf(`<body>${shortTimeouts}<script src="${sites.broken}/embed.js"></script>`));
    // With the frame in its HTML, the page would never finish to load.
    const element = `<sayso-preferences center="dead" ticket="t"></sayso-preferences>`;
    await window.read(`document.body.insertAdjacentHTML('beforeend', '${element}')`);
    const isTold = `document.querySelector('[role=alert]:not(.seen) button')?.textContent === 'Try again'`;
    await window.until(isTold);
    assert.equal(await window.read(isFrameSeen), false, 'the error page of the browser is hidden');
    await window.read(`document.querySelector('[role=alert]').className = 'seen'`);
    await window.click('[role=alert] button');
    await window.until(isTold);
  });

  test('a visitor sees that the site’s policy refuses the frame', async () => {
    const headers = { 'Content-Security-Policy': `frame-src 'none'` };
    const window = await firefox.open('en', { width: 1280, height: 800 });
    const element = (await sites.element()).replace('/embed.js', '/embed.js?lang=de');
    await window.goto(sites.pageOf(`<body>${shortTimeouts}${element}`, headers));
    await window.until(
      `document.querySelector('[role=alert]')?.textContent.startsWith('Ihre Einstellungen konnten nicht')`,
    );
    assert.equal(await window.read(isFrameSeen), false);
  });
});
