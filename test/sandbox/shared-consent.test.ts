import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import { createSandboxClock } from '../kit/sandbox-clock.ts';
import { addFault, at, centerOf, itemsOf, openTenant, someone } from './tenant.ts';

const id = (kind: number, n: number) => `5a000000-0000-400${kind}-8000-00000000000${n}`;
const [SHOP, CLUB] = [id(0, 1), id(0, 2)];
/** Purposes of both centers, of the shop alone, of the club alone. */
const [NEWS, OFFERS, EVENTS] = [id(1, 1), id(1, 2), id(1, 3)];

const schema = (...ids: string[]) => ({
  Language: 'en',
  Languages: ['en'],
  Template: 'ORIGINAL',
  Purposes: ids.map((Id) => ({
    Id,
    Label: 'A purpose',
    Description: '',
    Status: 'ACTIVE',
    Topics: [{ Id: id(2, 1), Name: 'Sport', Languages: [] }],
  })),
});
const files = {
  [`centers/${SHOP}/preferences.json`]: schema(NEWS, OFFERS),
  [`centers/${CLUB}/preferences.json`]: schema(NEWS, EVENTS),
  [`centers/${SHOP}/subjects/seeded.json`]: {
    unsubscribeAll: false,
    Purposes: [{ Id: NEWS, TransactionStatus: 'ACTIVE' }],
  },
  [`centers/${CLUB}/subjects/seeded.json`]: { Purposes: [{ Id: NEWS, TransactionStatus: 'PENDING' }] },
};

const clock = createSandboxClock();
const tenant = forSuite(() => openTenant({ files, options: { now: clock.now, wait: clock.wait } }));
const [shop, club] = [centerOf(tenant, SHOP), centerOf(tenant, CLUB)];
const sporty = (...ids: string[]) => ids.map((Id) => ({ Id, Topics: [{ Id: id(2, 1) }] }));

describe('one purpose in two centers', () => {
  test('a consent given in one center is on record in the other with its topics, for this person alone', async () => {
    const [anna, ben] = [someone(), someone()];
    assert.deepEqual(await club.statuses(anna), {});
    await shop.put(anna, ...sporty(NEWS, OFFERS));
    assert.deepEqual(await shop.statuses(anna), { [NEWS]: 'ACTIVE', [OFFERS]: 'ACTIVE' });
    assert.deepEqual(await club.statuses(anna), { [NEWS]: 'ACTIVE' });
    const { body } = await club.read(anna);
    assert.equal(at(body, 'Status'), 200);
    assert.equal(at(body, 'Purposes', 0, 'Topics', 0, 'Name'), 'Sport');
    assert.deepEqual(await club.statuses(ben), {});
    await club.put(anna, ...sporty(EVENTS));
    const withdrawn = { [NEWS]: 'WITHDRAWN', [OFFERS]: 'ACTIVE' };
    assert.deepEqual(await shop.statuses(anna), withdrawn);
    await club.withdraw(anna);
    assert.deepEqual(await shop.statuses(anna), withdrawn);
    assert.deepEqual(await club.statuses(anna), { [NEWS]: 'WITHDRAWN', [EVENTS]: 'WITHDRAWN' });
  });

  test('a PUT that omits the purpose in either center withdraws it in both, even in the same millisecond', async () => {
    const anna = someone();
    for (const here of [shop, club]) {
      const there = here === shop ? club : shop;
      await here.put(anna, ...sporty(NEWS));
      assert.deepEqual(itemsOf(await there.put(anna)), { [NEWS]: [true, 'Purpose withdrawn'] });
      assert.equal((await here.statuses(anna))[NEWS], 'WITHDRAWN');
      await there.put(anna, ...sporty(NEWS));
      assert.equal((await here.statuses(anna))[NEWS], 'ACTIVE');
      await here.withdraw(anna);
      assert.equal((await there.statuses(anna))[NEWS], 'WITHDRAWN');
    }
  });

  test('each center shows the consent of its own data folder until a call writes it', async () => {
    assert.deepEqual(await shop.statuses('seeded'), { [NEWS]: 'ACTIVE' });
    assert.deepEqual(await club.statuses('seeded'), { [NEWS]: 'PENDING' });
    await club.withdraw('seeded');
    assert.deepEqual(await shop.statuses('seeded'), { [NEWS]: 'WITHDRAWN' });
    assert.equal(at((await shop.read('seeded')).body, 'unsubscribeAll'), true);
  });

  test('a lag delays a withdrawal in both centers', async () => {
    const anna = someone();
    await shop.put(anna, ...sporty(NEWS));
    await addFault(tenant, { kind: 'lag', milliseconds: 4_000 });
    await shop.withdraw(anna);
    assert.deepEqual(await club.statuses(anna), { [NEWS]: 'ACTIVE' });
    await clock.advance(4_000);
    assert.deepEqual(await club.statuses(anna), { [NEWS]: 'WITHDRAWN' });
    await tenant.call('DELETE', '/_sandbox/faults');
  });

  test('an outside change, or deletion, of the purpose is seen in both centers', async () => {
    const anna = someone();
    const change = (center: string, TransactionStatus: string | null) =>
      tenant.call('PATCH', '/_sandbox/subjects', {
        body: { center, identifier: anna, Purposes: [{ Id: NEWS, TransactionStatus }] },
      });
    await change(SHOP, 'PENDING');
    assert.deepEqual(await club.statuses(anna), { [NEWS]: 'PENDING' });
    await change(CLUB, 'ALWAYS_ACTIVE');
    assert.deepEqual(await shop.statuses(anna), { [NEWS]: 'ALWAYS_ACTIVE' });
    await change(CLUB, null);
    assert.deepEqual([await shop.statuses(anna), await club.statuses(anna)], [{}, {}]);
    await shop.put(anna, ...sporty(NEWS, OFFERS));
    await tenant.call('DELETE', `/_sandbox/subjects?center=${CLUB}&identifier=${anna}`);
    assert.deepEqual([await shop.statuses(anna), await club.statuses(anna)], [{ [OFFERS]: 'ACTIVE' }, {}]);
  });

  test('the setting by-center keeps two consents; with shared, the newest is valid in both centers', async () => {
    const anna = someone();
    await tenant.restart({ consent: 'by-center' });
    await shop.put(anna, ...sporty(NEWS));
    assert.deepEqual(await club.statuses(anna), {});
    await clock.advance(1_000);
    await club.withdraw(anna);
    assert.deepEqual(await shop.statuses(anna), { [NEWS]: 'ACTIVE' });
    await tenant.call('DELETE', `/_sandbox/subjects?center=${CLUB}&identifier=nobody`);
    await tenant.restart({ consent: 'shared' });
    assert.deepEqual(await shop.statuses(anna), { [NEWS]: 'WITHDRAWN' });
  });
});
