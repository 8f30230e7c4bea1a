import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cpuMilliseconds } from '../kit/cpu.ts';
import { forSuite } from '../kit/for-suite.ts';
import { assertRefused, at, centerOf, itemsOf, listAt, ofEach, openTenant, someone } from './tenant.ts';

const CENTER = '5c000000-0000-4000-8000-000000000001';
const id = (kind: number, n: number) =>
  `5c000000-0000-40${String(kind).padStart(2, '0')}-8000-${String(n).padStart(12, '0')}`;
const [NEWS, OFFERS, CALLS, OLD] = [id(1, 1), id(1, 2), id(1, 3), id(1, 4)];
const [RETIRED, DRAFT] = [id(1, 6), id(1, 7)];

const options = [
  { Id: id(4, 1), Label: 'Daily' },
  { Id: id(4, 2), Label: 'Weekly' },
];
const simple = (Id: string, Label: string, Status = 'ACTIVE') => ({
  Id,
  Version: 1,
  Label,
  Description: Label,
  Status,
  PurposeType: 'STANDARD',
  LifeSpan: 0,
  Languages: [],
  Topics: [],
  CustomPreferences: [],
  DefaultConsentStatus: 'ACTIVE',
});
const often = { Name: 'How often', Description: '' };
const news = {
  ...simple(NEWS, 'News'),
  Languages: [{ Name: 'News', Description: 'The news', Language: 'en', Default: true }],
  Topics: [
    { Id: id(2, 1), Name: 'Sport', IntegrationKey: 'sport', Languages: [] },
    { Id: id(2, 2), Name: 'Art', IntegrationKey: 'art', Languages: [] },
  ],
  CustomPreferences: [
    {
      Id: id(3, 1),
      ...often,
      SelectionType: 'MULTI_CHOICE',
      DisplayAs: 'BUTTONS',
      Required: false,
      Options: options,
      Languages: [{ ...often, Language: 'en', Default: true, Options: options }],
    },
  ],
  LifeSpan: 3600,
  DefaultConsentStatus: 'OPT_OUT',
};
const letters = {
  ...news,
  Id: id(1, 8),
  Label: 'Letters',
  LifeSpan: 0,
  CustomPreferences: [{ ...news.CustomPreferences[0], Id: id(3, 2), SelectionType: 'SINGLE_CHOICE' }],
};
const schema = (PreferenceCentreId: string, ...Purposes: object[]) => ({
  messages: [],
  Status: 200,
  PreferenceCentreId,
  Language: 'en',
  Languages: ['en'],
  Template: 'ORIGINAL',
  Purposes,
});
const stamps = {
  Id: OLD,
  Label: 'Stamps',
  Description: 'A stamp card',
  Status: 'ACTIVE',
  TransactionStatus: 'ACTIVE',
  Topics: [{ Id: id(2, 9), Name: 'Green stamps' }],
  CustomPreferences: [],
};

let time = new Date('2026-05-04T10:00:00Z');
const tenant = forSuite(() =>
  openTenant({
    options: { now: () => time, tokenLife: 31_535_999 },
    files: {
      [`centers/${CENTER}/preferences.json`]: schema(
        CENTER,
        news,
        ...[simple(OFFERS, 'Offers'), simple(CALLS, 'Calls'), letters],
        ...[simple(RETIRED, 'Retired', 'RETIRED'), simple(DRAFT, 'Draft', 'DRAFT')],
      ),
      [`centers/${CENTER}/subjects/old.json`]: { DataSubjectId: 'old@example.org', Purposes: [stamps] },
    },
  }),
);
const { ask, put, read, statuses, withdraw } = centerOf(tenant, CENTER);

/** Creates a person whose file has one purpose with this status. */
async function plant(status: string, purpose = OFFERS): Promise<string> {
  const identifier = someone();
  const Purposes = [{ Id: purpose, TransactionStatus: status }];
  await tenant.write(`centers/${CENTER}/subjects/${encodeURIComponent(identifier)}.json`, { Purposes });
  return identifier;
}

const updated = [true, 'Purpose updated'];
const withdrawn = [true, 'Purpose withdrawn'];

describe('GET of a person', () => {
  test('a person with nothing on record is answered with 200, Status 400 and empty lists', async () => {
    const identifier = someone();
    const { status, body } = await read(identifier);
    const nothing = { messages: [], Purposes: [], DsDataElements: {} };
    assert.equal(status, 200);
    assert.deepEqual(body, { ...nothing, DataSubjectId: identifier, Language: 'en', Status: 400 });
  });

  test('a preference shows the selected options, and in its languages all options', async () => {
    const identifier = someone();
    const CustomPreferences = [{ Id: id(3, 1), Options: [{ Id: id(4, 2) }] }];
    await put(identifier, { Id: NEWS, Topics: [{ Id: id(2, 2) }], CustomPreferences });
    const [item] = listAt((await read(identifier)).body, 'Purposes');
    assert.equal(at(item, 'Label'), 'News');
    assert.deepEqual(at(item, 'Topics'), [news.Topics[1]]);
    assert.deepEqual(at(item, 'CustomPreferences', 0, 'Options'), [options[1]]);
    assert.equal(listAt(item, 'CustomPreferences', 0, 'Languages', 0, 'Options').length, 2);
  });

  test('a consent is EXPIRED from the moment its LifeSpan has passed', async () => {
    const identifier = someone();
    await put(identifier, NEWS, OFFERS);
    time = new Date(time.getTime() + 3_599_999);
    assert.deepEqual(await statuses(identifier), { [NEWS]: 'ACTIVE', [OFFERS]: 'ACTIVE' });
    time = new Date(time.getTime() + 1);
    assert.deepEqual(await statuses(identifier), { [NEWS]: 'EXPIRED', [OFFERS]: 'ACTIVE' });
    assert.deepEqual(itemsOf(await put(identifier, OFFERS)), { [OFFERS]: updated });
    assert.deepEqual(await statuses(identifier), { [NEWS]: 'EXPIRED', [OFFERS]: 'ACTIVE' });
  });
});

describe('PUT', () => {
  test('a PUT activates each purpose that it names, and withdraws each active purpose that it omits', async () => {
    for (const [status, present, absent] of [
      ...['ACTIVE', 'OPT_IN', 'EXTEND', 'CHANGE_PREFERENCES'].map((each) => [each, 'ACTIVE', 'WITHDRAWN']),
      ['ALWAYS_ACTIVE', 'ALWAYS_ACTIVE', 'ALWAYS_ACTIVE'],
      ...['HARD_OPT_OUT', 'PENDING', 'IMPLICIT'].map((each) => [each, 'ACTIVE', each]),
    ] as [string, string, string][]) {
      const [here, away] = [await plant(status), await plant(status)];
      assert.deepEqual(itemsOf(await put(here, OFFERS)), { [OFFERS]: updated });
      assert.deepEqual(await statuses(here), { [OFFERS]: present }, status);
      const isWithdrawn = absent === 'WITHDRAWN';
      assert.deepEqual(itemsOf(await put(away)), isWithdrawn ? { [OFFERS]: withdrawn } : {}, status);
      assert.deepEqual(await statuses(away), { [OFFERS]: absent }, status);
    }
  });

  test('all items of one call have one receipt, and each call has another', async () => {
    const identifier = someone();
    const replies = [await put(identifier, OFFERS, CALLS), await put(identifier, NEWS)];
    const receipts = replies.map(({ body }) => ofEach(body, 'Purposes', 'ReceiptGuid'));
    const different = [...receipts, receipts.flat()].map((each) => new Set(each).size);
    assert.deepEqual(different, [1, 1, 2]);
  });

  test('a PUT accepts ids in any case, and the answer has the ids of the schema', async () => {
    const identifier = someone();
    const given = { Id: NEWS.toUpperCase(), Topics: [{ Id: id(2, 1).toUpperCase() }] };
    const reply = await centerOf(tenant, CENTER.toUpperCase()).put(identifier, given);
    assert.deepEqual(itemsOf(reply), { [NEWS]: updated });
    assert.deepEqual(at((await read(identifier)).body, 'Purposes', 0, 'Topics'), [news.Topics[0]]);
  });

  test('a purpose on record that the schema no longer has can be granted again with its topics', async () => {
    const asked = { Id: OLD, Topics: [{ Id: id(2, 9) }] };
    assert.deepEqual(itemsOf(await put('old@example.org', asked)), { [OLD]: updated });
    await put('old@example.org');
    assert.deepEqual(await statuses('old@example.org'), { [OLD]: 'WITHDRAWN' });
    await put('old@example.org', asked);
    const { body } = await read('old@example.org');
    assert.partialDeepStrictEqual(at(body, 'Purposes', 0), { Label: 'Stamps', Topics: stamps.Topics });
  });

  test('an unknown id gets Status false and no record, and the other purposes are recorded', async () => {
    const identifier = someone();
    const nowhere = '99999999-9999-4999-8999-999999999999';
    assert.deepEqual(itemsOf(await put(identifier, nowhere, OFFERS)), {
      [nowhere]: [false, 'Purpose not found'],
      [OFFERS]: updated,
    });
    assert.deepEqual(await statuses(identifier), { [OFFERS]: 'ACTIVE' });
  });

  test('a PUT replaces the choices of a purpose and names those that do not belong to it', async () => {
    const identifier = someone();
    const [sport, art, stray] = [{ Id: id(2, 1) }, { Id: id(2, 2) }, { Id: id(2, 77) }];
    await put(identifier, { Id: NEWS, Topics: [sport, art] });
    const reply = await put(identifier, { Id: NEWS, Topics: [art, stray] });
    const message = `${stray.Id} is not part of this purpose and was not recorded`;
    assert.deepEqual(itemsOf(reply)[NEWS], [...updated, message]);
    assert.deepEqual(at((await read(identifier)).body, 'Purposes', 0, 'Topics'), [news.Topics[1]]);
  });

  test('a PUT changes the data elements that it gives, by any label, and deletes those that are null', async () => {
    const identifier = someone();
    const all = '{"__proto__":"x","constructor":"y","City":"Lyon"}';
    for (const [name, sent, kept] of [
      ['dsDataElements', all, all],
      ['DsDataElements', '{"__proto__":null,"City":""}', '{"constructor":"y","City":""}'],
    ] as const) {
      await ask('PUT', identifier, { raw: `{"Purposes":[],"${name}":${sent}}` });
      assert.equal(JSON.stringify(at((await read(identifier)).body, 'DsDataElements')), kept);
    }
  });

  test('a RETIRED or DRAFT purpose is refused alone; its consent on record stays while a PUT names it', async () => {
    const identifier = await plant('ACTIVE', RETIRED);
    assert.deepEqual(itemsOf(await put(identifier, RETIRED, DRAFT, OFFERS)), {
      [RETIRED]: [false, 'Purpose is RETIRED'],
      [DRAFT]: [false, 'Purpose is DRAFT'],
      [OFFERS]: updated,
    });
    assert.deepEqual(await statuses(identifier), { [RETIRED]: 'ACTIVE', [OFFERS]: 'ACTIVE' });
    await put(identifier);
    assert.equal((await statuses(identifier))[RETIRED], 'WITHDRAWN');
  });

  test('an id that is no UUID is accepted when the data folder uses it', async () => {
    await using own = await openTenant({
      files: { [`centers/${CENTER}/preferences.json`]: schema(CENTER, simple('News', 'News')) },
    });
    const putOdd = (Id: string) =>
      centerOf(own, CENTER).ask('PUT', 'a', { body: { Purposes: [{ Id }] }, unchecked: true });
    assert.deepEqual(itemsOf(await putOdd('news')), { News: updated });
    assert.equal((await putOdd('old')).status, 400);
  });

  test('two options of a single choice are refused, in one item or in two', async () => {
    const identifier = someone();
    const chosen = (...numbers: number[]) => {
      return { Id: id(3, 2), Options: numbers.map((number) => ({ Id: id(4, number) })) };
    };
    const choose = (...CustomPreferences: object[]) =>
      put(identifier, { Id: letters.Id, CustomPreferences }).then((reply) => itemsOf(reply)[letters.Id]);
    assert.deepEqual(await choose(chosen(1, 1)), updated);
    const refused = [false, `${id(3, 2)} takes one option`];
    assert.deepEqual(await choose(chosen(1, 2)), refused);
    assert.deepEqual(await choose(chosen(1), chosen(2)), refused);
    const [letter] = listAt((await read(identifier)).body, 'Purposes');
    assert.deepEqual(at(letter, 'CustomPreferences', 0, 'Options'), [options[0]]);
    assert.deepEqual(await statuses(identifier), { [letters.Id]: 'ACTIVE' });
  });

  test('a PUT of thousands of purposes, known or not, takes little processor time', async () => {
    const centers = Array.from({ length: 30 }, (_, n) => [
      `centers/${CENTER.slice(0, -2)}${n + 10}/preferences.json`,
      schema(CENTER, simple(OFFERS, 'Offers')),
    ]);
    await using busy = await openTenant({ files: Object.fromEntries(centers) });
    const purposes = Array.from({ length: 10_000 }, (_, n) =>
      n < 6_000 ? id(9, n) : { Id: OFFERS, Topics: [{ Id: id(9, n) }] },
    );
    const one = centerOf(busy, `${CENTER.slice(0, -2)}10`);
    await one.put(someone());
    const putAll = async () => assert.equal((await one.put(someone(), ...purposes)).status, 200);
    const ms = await cpuMilliseconds(putAll, 700);
    assert.ok(ms <= 700, `${ms} ms of processor time`);
  });

  test('an empty PUT records nothing for a new person, but a PUT of a language records it', async () => {
    const identifier = someone();
    assert.deepEqual(itemsOf(await put(identifier)), {});
    assert.equal(at((await read(identifier)).body, 'Status'), 400);
    await ask('PUT', identifier, { body: { Purposes: [], Language: 'fr-CA' } });
    assert.partialDeepStrictEqual((await read(identifier)).body, { Status: 200, Language: 'fr-CA' });
  });

  test('a PUT that breaks the contract is refused with the name of the member, and changes nothing', async () => {
    const identifier = someone();
    const note = (length: number) => {
      return { Purposes: [{ Id: OFFERS }], dsDataElements: { Note: 'x'.repeat(length) } };
    };
    assert.equal((await ask('PUT', identifier, { body: note(750) })).status, 200);
    const option = { Id: id(3, 1), Options: [{}] };
    for (const [body, message] of [
      [[], /JSON object/],
      [{}, /Purposes is required/],
      [{ Purposes: null }, /Purposes is required/],
      [{ Purposes: {} }, /Purposes must be an array/],
      [{ Purposes: ['x'] }, /Purposes\[0\] must be an object/],
      [{ Purposes: [{ Id: OFFERS }, {}] }, /Purposes\[1\]\.Id is required/],
      [{ Purposes: [{ Id: NEWS, Topics: [{ Id: 'x' }] }] }, /Topics\[0\]\.Id must be a UUID/],
      [{ Purposes: [{ Id: NEWS, CustomPreferences: [option] }] }, /Options\[0\]\.Id is required/],
      [{ Purposes: [], Language: 'not a tag' }, /Language/],
      [{ Purposes: [], dsDataElements: { Age: 7 } }, /dsDataElements\.Age must be a string/],
      [{ Purposes: [], DsDataElements: [] }, /DsDataElements must be an object/],
      [note(751), /Note.*750/],
    ] as const)
      assertRefused(await ask('PUT', identifier, { body }), message);
    assert.deepEqual(await statuses(identifier), { [OFFERS]: 'ACTIVE' });
  });

  test('a body that is too deep, no JSON or too long is refused, and the log of calls stays readable', async () => {
    const putRaw = async (raw: string) => {
      const { status, body } = await ask('PUT', 'x', { raw });
      return `${status} ${at(body, 'message')}`;
    };
    const putIn = (Language: string) => putRaw(`{"Purposes":[],"x":"\\"[[","Language":${Language}}`);
    assert.match(await putIn('['.repeat(100_000) + ']'.repeat(100_000)), /^400 .*nested too deep/);
    assert.match(await putIn('{"a":'.repeat(100_000) + '}'.repeat(100_000)), /^400 .*nested too deep/);
    await putIn('['.repeat(5_000) + ']'.repeat(5_000));
    const logged = listAt((await tenant.call('GET', '/_sandbox/calls')).body).at(-1);
    assert.equal(at(logged, 'status'), 400);
    assert.match(String(at(logged, 'body')), /\[{5000}\]{5000}/);
    assert.match(await putRaw('{"Purposes":'), /^400 .*not valid JSON/);
    assert.match(await putRaw(' '.repeat(1024 * 1024 + 1)), /^413 /);
  });
});

describe('DELETE', () => {
  test('a DELETE withdraws a purpose of any status but ALWAYS_ACTIVE, and its answer says so', async () => {
    for (const status of ['ACTIVE', 'PENDING', 'HARD_OPT_OUT', 'EXPIRED', 'WITHDRAWN', 'ALWAYS_ACTIVE']) {
      const identifier = await plant(status);
      const isLocked = status === 'ALWAYS_ACTIVE';
      const item = isLocked ? [false, 'Purpose is always active'] : withdrawn;
      assert.deepEqual(itemsOf(await withdraw(identifier))[OFFERS], item, status);
      assert.equal((await statuses(identifier))[OFFERS], isLocked ? status : 'WITHDRAWN');
    }
  });

  test('a DELETE records a withdrawal of every purpose of the center, and keeps the profile', async () => {
    const identifier = someone();
    const profile = { Language: 'de', dsDataElements: { City: 'Bonn' } };
    await ask('PUT', identifier, { body: { Purposes: [], ...profile } });
    const every = [NEWS, OFFERS, CALLS, letters.Id, RETIRED, DRAFT];
    const ofEvery = (value: unknown) => Object.fromEntries(every.map((each) => [each, value]));
    assert.deepEqual(itemsOf(await withdraw(identifier)), ofEvery(withdrawn));
    const kept = { Status: 200, Language: 'de', DsDataElements: { City: 'Bonn' } };
    assert.partialDeepStrictEqual((await read(identifier)).body, kept);
    assert.deepEqual(await statuses(identifier), ofEvery('WITHDRAWN'));
    // A DELETE also withdraws purposes that only the record has.
    await withdraw('old@example.org');
    assert.equal((await statuses('old@example.org'))[OLD], 'WITHDRAWN');
  });
});
