import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import { createSandboxClock } from '../kit/sandbox-clock.ts';
import { at, listAt, openTenant, type Reply, subjectPath } from './tenant.ts';

const id = (kind: number, n: number) => `5a000000-0000-400${kind}-8000-00000000000${n}`;
const [SHOP, CLUB] = [id(0, 1), id(0, 2)];
/** In both centers, in the shop alone, in the club alone. */
const [NEWS, OFFERS, EVENTS] = [id(1, 1), id(1, 2), id(1, 3)];

const purpose = (Id: string) => ({
  ...{ Id, Version: 1, Label: 'A purpose', Description: '', Status: 'ACTIVE', PurposeType: 'STANDARD' },
  ...{ Languages: [], CustomPreferences: [], LifeSpan: 0, DefaultConsentStatus: 'OPT_OUT' },
  Topics: [{ Id: id(2, 1), Name: 'Sport', Languages: [] }],
});
const schema = (...Purposes: object[]) => ({
  ...{ Language: 'en', Languages: ['en'], Template: 'ORIGINAL' },
  Purposes,
});
const files = {
  [`centers/${SHOP}/preferences.json`]: schema(purpose(NEWS), purpose(OFFERS)),
  [`centers/${CLUB}/preferences.json`]: schema(purpose(NEWS), purpose(EVENTS)),
  [`centers/${SHOP}/subjects/seeded.json`]: {
    unsubscribeAll: false,
    Purposes: [{ Id: NEWS, TransactionStatus: 'ACTIVE' }],
  },
  [`centers/${CLUB}/subjects/seeded.json`]: { Purposes: [{ Id: NEWS, TransactionStatus: 'PENDING' }] },
};

const clock = createSandboxClock();
let people = 0;

function someone(): string {
  people += 1;
  return `person-${people}@example.org`;
}

const tenant = forSuite(() => openTenant({ files, options: { now: clock.now, wait: clock.wait } }));

function put(center: string, identifier: string, ...ids: string[]): Promise<Reply> {
  const Purposes = ids.map((Id) => ({ Id, Topics: [{ Id: id(2, 1) }] }));
  return tenant.call('PUT', subjectPath(center), { identifier, body: { Purposes } });
}

function withdraw(center: string, identifier: string): Promise<Reply> {
  return tenant.call('DELETE', subjectPath(center), { identifier });
}

function read(center: string, identifier: string): Promise<Reply> {
  return tenant.call('GET', subjectPath(center), { identifier });
}

async function statuses(center: string, identifier: string): Promise<Record<string, unknown>> {
  const items = listAt((await read(center, identifier)).body, 'Purposes');
  return Object.fromEntries(items.map((item) => [String(at(item, 'Id')), at(item, 'TransactionStatus')]));
}

describe('one purpose in two centers', () => {
  test('is one consent of one person: given in one, it stands in the other with what was chosen, as no other purpose does', async () => {
    const [anna, ben] = [someone(), someone()];
    assert.deepEqual(await statuses(CLUB, anna), {});
    await put(SHOP, anna, NEWS, OFFERS);
    assert.deepEqual(await statuses(SHOP, anna), { [NEWS]: 'ACTIVE', [OFFERS]: 'ACTIVE' });
    assert.deepEqual(await statuses(CLUB, anna), { [NEWS]: 'ACTIVE' });
    const { body } = await read(CLUB, anna);
    assert.equal(at(body, 'Status'), 200);
    assert.equal(at(body, 'Purposes', 0, 'Topics', 0, 'Name'), 'Sport');
    assert.deepEqual(await statuses(CLUB, ben), {});
    await put(CLUB, anna, EVENTS);
    const withdrawn = { [NEWS]: 'WITHDRAWN', [OFFERS]: 'ACTIVE' };
    assert.deepEqual(await statuses(SHOP, anna), withdrawn);
    await withdraw(CLUB, anna);
    assert.deepEqual(await statuses(SHOP, anna), withdrawn);
    assert.deepEqual(await statuses(CLUB, anna), { [NEWS]: 'WITHDRAWN', [EVENTS]: 'WITHDRAWN' });
  });

  test('is withdrawn in both by a PUT without it in either, at the very same moment too', async () => {
    const anna = someone();
    for (const [here, there] of [
      [SHOP, CLUB],
      [CLUB, SHOP],
    ] as const) {
      await put(here, anna, NEWS);
      const reply = await put(there, anna);
      assert.equal(at(reply.body, 'Purposes', 0, 'Messages', 0), 'Purpose withdrawn');
      assert.equal((await statuses(here, anna))[NEWS], 'WITHDRAWN');
      await put(there, anna, NEWS);
      assert.equal((await statuses(here, anna))[NEWS], 'ACTIVE');
      await withdraw(here, anna);
      assert.equal((await statuses(there, anna))[NEWS], 'WITHDRAWN');
    }
  });

  test('stands as each center’s folder has it until somebody writes', async () => {
    assert.deepEqual(await statuses(SHOP, 'seeded'), { [NEWS]: 'ACTIVE' });
    assert.deepEqual(await statuses(CLUB, 'seeded'), { [NEWS]: 'PENDING' });
    await withdraw(CLUB, 'seeded');
    assert.deepEqual(await statuses(SHOP, 'seeded'), { [NEWS]: 'WITHDRAWN' });
    assert.equal(at((await read(SHOP, 'seeded')).body, 'unsubscribeAll'), true);
  });

  test('lags in the other center as in its own', async () => {
    const anna = someone();
    await put(SHOP, anna, NEWS);
    await tenant.call('POST', '/_sandbox/faults', { body: { kind: 'lag', milliseconds: 4_000 } });
    await withdraw(SHOP, anna);
    assert.deepEqual(await statuses(CLUB, anna), { [NEWS]: 'ACTIVE' });
    await clock.advance(4_000);
    assert.deepEqual(await statuses(CLUB, anna), { [NEWS]: 'WITHDRAWN' });
    await tenant.call('DELETE', '/_sandbox/faults');
  });

  test('is changed, and taken off the record, in both from outside', async () => {
    const anna = someone();
    const change = (center: string, TransactionStatus: string | null) =>
      tenant.call('PATCH', '/_sandbox/subjects', {
        body: { center, identifier: anna, Purposes: [{ Id: NEWS, TransactionStatus }] },
      });
    await change(SHOP, 'PENDING');
    assert.deepEqual(await statuses(CLUB, anna), { [NEWS]: 'PENDING' });
    await change(CLUB, 'ALWAYS_ACTIVE');
    assert.deepEqual(await statuses(SHOP, anna), { [NEWS]: 'ALWAYS_ACTIVE' });
    await change(CLUB, null);
    assert.deepEqual([await statuses(SHOP, anna), await statuses(CLUB, anna)], [{}, {}]);
    await put(SHOP, anna, NEWS, OFFERS);
    await tenant.call('DELETE', `/_sandbox/subjects?center=${CLUB}&identifier=${anna}`);
    assert.deepEqual([await statuses(SHOP, anna), await statuses(CLUB, anna)], [{ [OFFERS]: 'ACTIVE' }, {}]);
  });

  test('is two consents where the setting says by-center, and the newest counts once it is shared', async () => {
    const anna = someone();
    await tenant.restart({ consent: 'by-center' });
    await put(SHOP, anna, NEWS);
    assert.deepEqual(await statuses(CLUB, anna), {});
    await clock.advance(1_000);
    await withdraw(CLUB, anna);
    assert.deepEqual(await statuses(SHOP, anna), { [NEWS]: 'ACTIVE' });
    await tenant.call('DELETE', `/_sandbox/subjects?center=${CLUB}&identifier=nobody`);
    await tenant.restart({ consent: 'shared' });
    assert.deepEqual(await statuses(SHOP, anna), { [NEWS]: 'WITHDRAWN' });
  });
});
