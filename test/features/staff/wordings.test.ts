import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { startFixture } from '../centers/fixture.ts';
import { idOf, shop, singlePage } from '../centers/sample-centers.ts';
import { enter } from './fixture.ts';

const fixture = forSuite(startFixture);

/** The text of a page without its tags. */
function plain(html: string): string {
  return html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

test('staff see each wording of a purpose and how many agreed to it, and download it without the people', async () => {
  const { product, folder } = fixture;
  for (const change of ['tick', 'tick', 'untick'] as const) {
    const person = await fixture.person(shop, change === 'untick' ? { Letters: 'ACTIVE' } : {});
    await (await person.open())[change]('Letters').save();
  }
  await product.stop();
  const renamed = JSON.stringify(singlePage()).replaceAll('"Letters"', '"Letters from our 214 partners"');
  writeFileSync(join(folder, 'centers', shop, 'preferences.json'), renamed);
  await product.start();
  await (await (await fixture.person(shop, {})).open()).tick('Letters').save();

  const staff = await enter(product);
  const query = `?center=${shop}&purpose=${idOf('Letters')}`;
  const page = await staff.open(`/staff/wordings${query}`);
  const rows = page.text.split('<tr role="row">').slice(2).map(plain);
  assert.equal(rows.length, 2, 'each wording has its own line');
  assert.match(rows.find((row) => !row.includes('214')) ?? '', /Letters .* 2 1 0 .*en/);
  assert.match(rows.find((row) => row.includes('214')) ?? '', /Letters from our 214 partners .* 1 0 0 /);

  const csv = await staff.open(`/staff/wordings.csv${query}`);
  assert.match(String(csv.headers['content-disposition']), /evidence\.csv/);
  assert.equal(csv.text.trim().split('\r\n').length, 5);
  const lines = await staff.open(`/staff/wordings.jsonl${query}`);
  const records = lines.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>);
  assert.deepEqual(records.map(({ change }) => change).sort(), ['off', 'on', 'on', 'on']);
  assert.equal(new Set(records.map(({ words }) => words)).size, 2);
  assert.doesNotMatch(csv.text + lines.text, /@example\.org/);

  const none = await staff.open(`/staff/wordings?center=${shop}&from=2020-03-03&to=2020-03-03`);
  assert.match(none.text, /Answered from 3 Mar 2020 to 3 Mar 2020 \(UTC\)\. .*No answers in these days/s);
});
