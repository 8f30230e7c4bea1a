import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import { shoot } from './browser.ts';
import { assertStill, frameIn, openFramedSites, settled, switchesIn, tallFrame, turn } from './framed.ts';
import { type Box, headersOf, hosts, htmlOf, inWindow } from './hosts.ts';

const sites = forSuite(openFramedSites, (sites) => sites.close());

suite('In a foreign site', () => {
  for (const [where, host] of Object.entries(hosts)) {
    test(`a visitor changes, saves and reads the result ${where}, and nothing moves`, async () => {
      const page = await sites.open({ width: host.width ?? 1280, height: 800 });
      const faults: string[] = [];
      page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
      const element = await sites.element('', 'jonas@example.org');
      await page.goto(sites.pageOf(htmlOf(host, element), headersOf(host, sites.sayso)));
      const frame = await frameIn(page, 'input.switch');
      await tallFrame(page);
      await assertStill(page);

      const boxOf = async (selector: string) => {
        const within = await frameIn(page, selector);
        return inWindow(
          selector,
          (expression) => within.evaluate(expression),
          (expression) => page.evaluate(expression),
        );
      };
      const comesInSight = async (selector: string, least: number) => {
        const isSeen = ({ top, bottom }: Box) => top >= least && bottom <= 801;
        const seen = await settled(page, () => boxOf(selector), isSeen, 20_000);
        assert.ok(isSeen(seen), `${selector} is in sight: ${JSON.stringify(seen)}`);
      };
      const { header = 0 } = host;
      await turn(frame, switchesIn(frame).nth(1));
      await comesInSight('.actions', header);
      await shoot(page, `host ${where}`);

      await frame.locator('button[value="save"]').press('Enter');
      const saved = await frameIn(page, '#result');
      const focus = () => saved.evaluate('document.hasFocus() && document.activeElement.id');
      assert.equal(await settled(page, focus, (id) => id === 'result', 20_000), 'result');
      await comesInSight('#result .saved', header - 1);
      const [title, result] = [await boxOf('h1'), await boxOf('#result')];
      assert.ok(title.top - result.bottom > 24, 'the result is no part of the title below');
      assert.deepEqual(faults, []);
    });
  }
});
