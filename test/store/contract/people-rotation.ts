import assert from 'node:assert/strict';
import { suite } from 'node:test';
import { reading, writing } from '../../../src/store/sql.ts';
import { anna, aRequest, intentOf, off, on } from '../../delivery/fixture.ts';
import { byHand } from './exchanged.ts';
import { claimed, ended, finish, lease, type MakePeople, put, unchanged } from './people-fixture.ts';
import { laterSecret, secret, testsOf } from './test-store.ts';

const rows = reading`SELECT subject, lease_until FROM person ${byHand}`;
const spoil = writing`UPDATE person SET document = 'spoiled' ${byHand}`;
const withdrawal = (purpose = 'a') => aRequest({ intent: intentOf(off(purpose)) });
const both = [laterSecret, secret];

/** People with rows under more than one secret. */
export function peopleRotationContract(make: MakePeople): void {
  const test = testsOf(make);
  suite('While secrets are rotated', () => {
    test('An older submission is found, carried out, and told', async ({ store: old, another }) => {
      const { reference } = (await put(old, withdrawal())).entry;
      const store = await another(both);
      assert.equal((await store.find(reference))?.work?.progress.events, 1);
      assert.equal((await store.findOwn(reference, anna))?.reference, reference);
      assert.equal((await store.personOf(anna))?.open[0]?.reference, reference);
      assert.equal((await finish(store, 2_000)).person?.subject, anna);
      assert.equal((await store.find(reference))?.state, 'done');
      assert.equal((await store.find(reference))?.work?.progress.lines.length, 1);
      assert.equal((await store.historyOf('center', anna, { limit: 9, offset: 0 })).length, 1);
      assert.equal(await store.historySize('center', anna), 1);
    });

    test('A person with a further submission has one row, under the newest secret, with all of it', async (used) => {
      const { store: old, another } = used;
      const first = (await put(old, withdrawal())).entry.reference;
      const store = await another(both);
      const second = (await put(store, withdrawal('b'), { now: 1_500 })).entry.reference;
      assert.equal((await store.sql.all(rows)).length, 1);
      const held = await claimed(store, 2_000);
      assert.deepEqual(
        held.person.open.map(({ reference }) => reference),
        [first, second],
      );
      assert.equal((await store.find(first))?.work?.desired.order, 1_002);
      assert.equal(await store.retry(first, 1_900), true);
      assert.equal((await store.keep(held, ended(held.person, 2_000), 'released')).kind, 'kept');
      assert.deepEqual(
        (await store.historyOf('center', anna, { limit: 9, offset: 0 })).map(({ state }) => state),
        ['done', 'done'],
      );
    });

    test('Two rows of one person are joined when they are claimed', async ({ another }) => {
      const [old, alone, store] = [await another(), await another([laterSecret]), await another(both)];
      const first = (await put(old, withdrawal())).entry.reference;
      const second = (await put(alone, aRequest({ intent: intentOf(on('b')) }), { now: 1_500 })).entry
        .reference;
      assert.equal((await store.sql.all(rows)).length, 2);
      assert.equal((await store.find(first))?.work?.desired.centers[0]?.items.length, 2);
      const held = await claimed(store, 2_000);
      assert.deepEqual(
        held.person.open.map(({ reference }) => reference),
        [first, second],
      );
      assert.equal((await store.sql.all(rows)).length, 1);
      assert.equal(await store.claim(lease(2_000, 'other')), undefined);
      assert.equal((await store.keep(held, ended(held.person, 2_000), 'released')).kind, 'kept');
    });

    test('No worker begins with a person while another one holds the older row', async ({ another }) => {
      const [old, alone, store] = [await another(), await another([laterSecret]), await another(both)];
      await put(old, withdrawal());
      await put(alone, withdrawal('b'), { now: 1_500 });
      const held = await claimed(old, 2_000, 'old');
      assert.equal(await store.claim(lease(2_010, 'new')), undefined);
      assert.equal((await old.keep(held, ended(held.person, 2_020), 'released')).kind, 'kept');
      const after = await claimed(store, 2_200, 'new');
      assert.deepEqual(
        after.person.open.map(({ intent }) => intent.purposes),
        [[off('b')]],
      );
    });

    test('A worker that holds the older row loses the person to a later submission', async ({ another }) => {
      const [old, store] = [await another(), await another(both)];
      await put(old, withdrawal());
      const held = await claimed(old, 2_000, 'old');
      await put(store, withdrawal('b'), { now: 2_010 });
      assert.equal((await old.keep(held, unchanged(held.person, 2_500), 'released')).kind, 'lost');
      assert.equal(await store.claim(lease(2_050, 'new')), undefined, 'its call may be on its way');
      assert.equal((await claimed(store, 2_100, 'new')).person.open.length, 2);
    });

    test('A row that no key opens stays beside the other one', async ({ another }) => {
      const [old, alone, store] = [await another(), await another([laterSecret]), await another(both)];
      await put(old, withdrawal());
      await old.sql.run(spoil);
      await put(alone, withdrawal('b'), { now: 1_500 });
      const found = [await store.claim(lease(2_000, 'one')), await store.claim(lease(2_000, 'two'))];
      const opened = found.filter((each) => each?.person !== undefined);
      assert.deepEqual([found.filter(Boolean).length, opened.length], [2, 1]);
      assert.equal((await store.sql.all(rows)).length, 2);
    });

    test('A nonce is known under another secret, too', async ({ another }) => {
      const request = withdrawal();
      await put(await another(), request);
      assert.equal((await put(await another(both), request)).kind, 'known');
    });

    test('Nothing opens without the key', async ({ another }) => {
      const { reference } = (await put(await another(), withdrawal())).entry;
      const store = await another([laterSecret]);
      assert.equal((await store.find(reference))?.work, undefined);
      assert.equal(await store.findOwn(reference, anna), undefined);
      assert.equal((await store.claim(lease(2_000)))?.person, undefined);
      assert.equal(await store.personOf(anna), undefined);
    });
  });
}
