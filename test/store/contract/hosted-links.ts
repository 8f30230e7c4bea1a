import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { HostedLinks } from '../../../src/ports/hosted-links.ts';
import { anna, day, laterSecret, type MakeTestStore, omar, secret, testsOf } from './test-store.ts';

const center = 'b00c5000-0000-4000-8000-000000000001';

export function hostedLinksContract(make: MakeTestStore<HostedLinks>): void {
  const test = testsOf(make, ({ store: links, clock }) => {
    const row = (token: string, subject = anna, days = 1) => {
      const madeAt = clock.now();
      return { token, subject, madeAt, endsAt: madeAt + days * day };
    };
    return { links, row };
  });

  suite('Tokens of hosted pages', () => {
    test('Tokens lead to their person, on every process, and no other token does', async (used) => {
      const { links, beside, row, clock } = used;
      await links.add([row('token-of-anna'), row('token-of-omar', omar)]);
      const at = clock.now();
      assert.deepEqual(await beside.find('token-of-anna'), { subject: anna, madeAt: at, endsAt: at + day });
      assert.equal((await beside.find('token-of-omar'))?.subject, omar);
      assert.equal(await links.find('token-of-nobody'), undefined);
      assert.equal(await links.find('TOKEN-OF-ANNA'), undefined);
    });

    test('Tokens are kept as they were given last, also twice in one call', async ({ links, row, clock }) => {
      await links.add([]);
      await links.add([row('a'), row('b')]);
      await links.add([row('a', omar), row('a', omar, 3)]);
      assert.deepEqual(await links.find('a'), {
        subject: omar,
        madeAt: clock.now(),
        endsAt: clock.now() + 3 * day,
      });
      assert.equal((await links.find('b'))?.subject, anna);
    });

    test('Tokens are found under an earlier secret, and opened by no foreign one', async (used) => {
      const { links, row, another, end } = used;
      await links.add([row('a')]);
      const rotated = await another([laterSecret, secret]);
      assert.equal((await rotated.find('a'))?.subject, anna);
      const strange = await another([laterSecret]);
      assert.equal(await strange.find('a'), undefined);
      await end(rotated, strange);
    });

    test('Tokens are deleted after their end, and no sooner', async ({ links, row, clock }) => {
      await links.add([row('short'), row('long', anna, 3)]);
      assert.equal(await links.sweep(), 0);
      clock.at += 2 * day;
      assert.equal(await links.sweep(), 1);
      assert.equal(await links.find('short'), undefined);
      assert.equal((await links.find('long'))?.subject, anna);
    });

    test('Links are counted by day, center and outcome, for a bit more than a year', async (used) => {
      const { links, beside, clock } = used;
      const today = clock.now() - (clock.now() % day);
      await Promise.all([links, beside, links].map((one) => one.note(center, 'opened')));
      await links.note(center, 'unknown');
      clock.at += day;
      await links.note(center, 'opened');
      assert.deepEqual(await beside.counts(today), [
        { day: today + day, center, outcome: 'opened', count: 1 },
        { day: today, center, outcome: 'opened', count: 3 },
        { day: today, center, outcome: 'unknown', count: 1 },
      ]);
      assert.equal((await links.counts(today + day)).length, 1);
      clock.at = today + 400 * day + 1;
      assert.equal(await links.sweep(), 2);
      assert.equal((await links.counts(0)).length, 1);
    });
  });
}
