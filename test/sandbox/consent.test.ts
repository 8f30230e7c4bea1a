import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cpuMilliseconds } from '../kit/cpu.ts';
import { forSuite } from '../kit/for-suite.ts';
import { at, listAt, openTenant, type Reply, subjectPath } from './tenant.ts';

const CENTER = '5c000000-0000-4000-8000-000000000001';
const OTHER = '5c000000-0000-4000-8000-000000000002';
const id = (kind: number, n: number) =>
  `5c000000-0000-40${String(kind).padStart(2, '0')}-8000-${String(n).padStart(12, '0')}`;
const [NEWS, OFFERS, CALLS, OLD, FOREIGN] = [id(1, 1), id(1, 2), id(1, 3), id(1, 4), id(1, 5)];
const [RETIRED, DRAFT] = [id(1, 6), id(1, 7)];

const options = [
  { Id: id(4, 1), Label: 'Daily' },
  { Id: id(4, 2), Label: 'Weekly' },
];
const simple = (Id: string, Label: string, Status = 'ACTIVE') => ({
  ...{ Id, Version: 1, Label, Description: Label, Status, PurposeType: 'STANDARD', LifeSpan: 0 },
  ...{ Languages: [], Topics: [], CustomPreferences: [], DefaultConsentStatus: 'ACTIVE' },
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
      ...{ Id: id(3, 1), ...often, SelectionType: 'MULTI_CHOICE', DisplayAs: 'BUTTONS', Required: false },
      ...{ Options: options, Languages: [{ ...often, Language: 'en', Default: true, Options: options }] },
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
  ...{ messages: [], Status: 200, PreferenceCentreId, Language: 'en', Languages: ['en'] },
  ...{ Template: 'ORIGINAL', Purposes },
});

let time = new Date('2026-05-04T10:00:00Z');
let people = 0;

/** A person nobody met before. */
function someone(): string {
  people += 1;
  return `person-${people}@example.org`;
}

/** Somebody whose file has one purpose of this status. */
async function plant(status: string, purpose = OFFERS): Promise<string> {
  const identifier = someone();
  const Purposes = [{ Id: purpose, TransactionStatus: status }];
  await tenant.write(`centers/${CENTER}/subjects/${encodeURIComponent(identifier)}.json`, { Purposes });
  return identifier;
}

function ask(method: string, identifier: string, body?: unknown, center = CENTER): Promise<Reply> {
  return tenant.call(method, subjectPath(center), { identifier, ...(body === undefined ? {} : { body }) });
}

async function statuses(identifier: string, center = CENTER): Promise<Record<string, unknown>> {
  const { body } = await ask('GET', identifier, undefined, center);
  return Object.fromEntries(
    listAt(body, 'Purposes').map((item) => [String(at(item, 'Id')), at(item, 'TransactionStatus')]),
  );
}

function items(reply: Reply): Record<string, unknown[]> {
  return Object.fromEntries(
    listAt(reply.body, 'Purposes').map((item) => [
      String(at(item, 'Id')),
      [at(item, 'Status'), ...listAt(item, 'Messages')],
    ]),
  );
}

const tenant = forSuite(() =>
  openTenant({
    options: { now: () => time, tokenLife: 31_535_999 },
    files: {
      [`centers/${CENTER}/preferences.json`]: schema(
        CENTER,
        news,
        simple(OFFERS, 'Offers'),
        simple(CALLS, 'Calls'),
        letters,
        simple(RETIRED, 'Retired', 'RETIRED'),
        simple(DRAFT, 'Draft', 'DRAFT'),
      ),
      [`centers/${OTHER}/preferences.json`]: schema(OTHER, simple(FOREIGN, 'Foreign')),
      [`centers/${CENTER}/subjects/old.json`]: {
        DataSubjectId: 'old@example.org',
        Purposes: [
          {
            Id: OLD,
            ...{
              Label: 'Stamps',
              Description: 'A stamp card',
              Status: 'ACTIVE',
              TransactionStatus: 'ACTIVE',
            },
            Topics: [{ Id: id(2, 9), Name: 'Green stamps' }],
            CustomPreferences: [],
          },
        ],
      },
    },
  }),
);

describe('GET of a person', () => {
  test('with nothing on record is 200 with Status 400 and empty lists', async () => {
    const identifier = someone();
    const reply = await ask('GET', identifier);
    const nothing = { messages: [], Purposes: [], DsDataElements: {} };
    const told = { ...nothing, DataSubjectId: identifier, Language: 'en', Status: 400 };
    assert.deepEqual([reply.status, reply.body], [200, told]);
  });

  test('lists only purposes on record in that center', async () => {
    const identifier = someone();
    await ask('PUT', identifier, { Purposes: [{ Id: OFFERS }] });
    await ask('PUT', identifier, { Purposes: [{ Id: FOREIGN }] }, OTHER);
    assert.deepEqual(await statuses(identifier), { [OFFERS]: 'ACTIVE' });
    assert.deepEqual(await statuses(identifier, OTHER), { [FOREIGN]: 'ACTIVE' });
  });

  test('shows selected options, and all of them per language', async () => {
    const identifier = someone();
    const CustomPreferences = [{ Id: id(3, 1), Options: [{ Id: id(4, 2) }] }];
    await ask('PUT', identifier, { Purposes: [{ Id: NEWS, Topics: [{ Id: id(2, 2) }], CustomPreferences }] });
    const [item] = listAt((await ask('GET', identifier)).body, 'Purposes');
    assert.equal(at(item, 'Label'), 'News');
    assert.deepEqual(at(item, 'Topics'), [news.Topics[1]]);
    assert.deepEqual(at(item, 'CustomPreferences', 0, 'Options'), [{ Id: id(4, 2), Label: 'Weekly' }]);
    assert.equal(listAt(item, 'CustomPreferences', 0, 'Languages', 0, 'Options').length, 2);
  });

  test('shows a consent as EXPIRED from the moment its LifeSpan has passed', async () => {
    const identifier = someone();
    await ask('PUT', identifier, { Purposes: [{ Id: NEWS }, { Id: OFFERS }] });
    time = new Date(time.getTime() + 3_599_999);
    assert.deepEqual(await statuses(identifier), { [NEWS]: 'ACTIVE', [OFFERS]: 'ACTIVE' });
    time = new Date(time.getTime() + 1);
    assert.deepEqual(await statuses(identifier), { [NEWS]: 'EXPIRED', [OFFERS]: 'ACTIVE' });
    const reply = await ask('PUT', identifier, { Purposes: [{ Id: OFFERS }] });
    assert.deepEqual(items(reply), { [OFFERS]: [true, 'Purpose updated'] });
    assert.deepEqual(await statuses(identifier), { [NEWS]: 'EXPIRED', [OFFERS]: 'ACTIVE' });
  });
});

describe('PUT', () => {
  test('makes a purpose that is present ACTIVE, whatever it was, and withdraws one that is absent and active', async () => {
    for (const [status, present, absent] of [
      ['ACTIVE', 'ACTIVE', 'WITHDRAWN'],
      ['OPT_IN', 'ACTIVE', 'WITHDRAWN'],
      ['EXTEND', 'ACTIVE', 'WITHDRAWN'],
      ['CHANGE_PREFERENCES', 'ACTIVE', 'WITHDRAWN'],
      ['ALWAYS_ACTIVE', 'ALWAYS_ACTIVE', 'ALWAYS_ACTIVE'],
      ['HARD_OPT_OUT', 'ACTIVE', 'HARD_OPT_OUT'],
      ['PENDING', 'ACTIVE', 'PENDING'],
      ['IMPLICIT', 'ACTIVE', 'IMPLICIT'],
    ] as const) {
      const [here, away] = [await plant(status), await plant(status)];
      const updated = await ask('PUT', here, { Purposes: [{ Id: OFFERS }] });
      assert.deepEqual(items(updated), { [OFFERS]: [true, 'Purpose updated'] });
      assert.deepEqual(await statuses(here), { [OFFERS]: present }, status);
      const left = await ask('PUT', away, { Purposes: [] });
      const isWithdrawn = absent === 'WITHDRAWN';
      assert.deepEqual(items(left), isWithdrawn ? { [OFFERS]: [true, 'Purpose withdrawn'] } : {}, status);
      assert.deepEqual(await statuses(away), { [OFFERS]: absent }, status);
    }
  });

  test('answers every item with one receipt, and each call with another', async () => {
    const identifier = someone();
    const first = await ask('PUT', identifier, { Purposes: [{ Id: OFFERS }, { Id: CALLS }] });
    const second = await ask('PUT', identifier, { Purposes: [{ Id: NEWS }] });
    const receipts = [first, second].map(({ body }) => [
      ...new Set(listAt(body, 'Purposes').map((item) => String(at(item, 'ReceiptGuid')))),
    ]);
    assert.equal(listAt(second.body, 'Purposes').length, 3);
    assert.deepEqual(
      receipts.map((each) => each.length),
      [1, 1],
    );
    assert.notEqual(receipts[0]?.[0], receipts[1]?.[0]);
  });

  test('takes ids in any case and answers with the schema’s own', async () => {
    const identifier = someone();
    const Purposes = [{ Id: NEWS.toUpperCase(), Topics: [{ Id: id(2, 1).toUpperCase() }] }];
    const reply = await ask('PUT', identifier, { Purposes }, CENTER.toUpperCase());
    assert.deepEqual(items(reply), { [NEWS]: [true, 'Purpose updated'] });
    const { body } = await ask('GET', identifier);
    assert.deepEqual(
      listAt(body, 'Purposes', 0, 'Topics').map((topic) => at(topic, 'Name')),
      ['Sport'],
    );
  });

  test('accepts a purpose on record that no schema draws any more, with its topics', async () => {
    const body = { Purposes: [{ Id: OLD, Topics: [{ Id: id(2, 9) }] }] };
    const reply = await ask('PUT', 'old@example.org', body);
    assert.deepEqual(items(reply), { [OLD]: [true, 'Purpose updated'] });
    await ask('PUT', 'old@example.org', { Purposes: [] });
    assert.deepEqual(await statuses('old@example.org'), { [OLD]: 'WITHDRAWN' });
    await ask('PUT', 'old@example.org', body);
    const [item] = listAt((await ask('GET', 'old@example.org')).body, 'Purposes');
    assert.equal(at(item, 'Label'), 'Stamps');
    assert.equal(at(item, 'Topics', 0, 'Name'), 'Green stamps');
  });

  test('answers an id known nowhere with Status false, records nothing for it and carries out the rest', async () => {
    const identifier = someone();
    const nowhere = '99999999-9999-4999-8999-999999999999';
    const reply = await ask('PUT', identifier, { Purposes: [{ Id: nowhere }, { Id: OFFERS }] });
    assert.equal(reply.status, 200);
    assert.deepEqual(items(reply), {
      [nowhere]: [false, 'Purpose not found'],
      [OFFERS]: [true, 'Purpose updated'],
    });
    assert.deepEqual(await statuses(identifier), { [OFFERS]: 'ACTIVE' });
  });

  test('replaces the choices of a purpose and names those that are not its own', async () => {
    const identifier = someone();
    const both = { Id: NEWS, Topics: [{ Id: id(2, 1) }, { Id: id(2, 2) }] };
    await ask('PUT', identifier, { Purposes: [both] });
    const stray = id(2, 77);
    const reply = await ask('PUT', identifier, {
      Purposes: [{ Id: NEWS, Topics: [{ Id: id(2, 2) }, { Id: stray }] }],
    });
    assert.deepEqual(items(reply)[NEWS], [
      true,
      'Purpose updated',
      `${stray} is not part of this purpose and was not recorded`,
    ]);
    const { body } = await ask('GET', identifier);
    assert.deepEqual(
      listAt(body, 'Purposes', 0, 'Topics').map((topic) => at(topic, 'Id')),
      [id(2, 2)],
    );
  });

  test('keeps data elements by any label and either name, changes only those given, clears those that are null', async () => {
    const identifier = someone();
    const put = (raw: string) => tenant.call('PUT', subjectPath(CENTER), { identifier, raw });
    const elements = async () => JSON.stringify(at((await ask('GET', identifier)).body, 'DsDataElements'));
    await put('{"Purposes":[],"dsDataElements":{"__proto__":"x","constructor":"y","City":"Lyon"}}');
    assert.equal(await elements(), '{"__proto__":"x","constructor":"y","City":"Lyon"}');
    await put('{"Purposes":[],"DsDataElements":{"__proto__":null,"City":""}}');
    assert.equal(await elements(), '{"constructor":"y","City":""}');
  });

  test('refuses a purpose that is RETIRED or a DRAFT, item by item; what is on record stays while it is sent', async () => {
    const identifier = await plant('ACTIVE', RETIRED);
    const Purposes = [{ Id: RETIRED }, { Id: DRAFT }, { Id: OFFERS }];
    assert.deepEqual(items(await ask('PUT', identifier, { Purposes })), {
      [RETIRED]: [false, 'Purpose is RETIRED'],
      [DRAFT]: [false, 'Purpose is DRAFT'],
      [OFFERS]: [true, 'Purpose updated'],
    });
    assert.deepEqual(await statuses(identifier), { [RETIRED]: 'ACTIVE', [OFFERS]: 'ACTIVE' });
    await ask('PUT', identifier, { Purposes: [] });
    assert.equal((await statuses(identifier))[RETIRED], 'WITHDRAWN');
  });

  test('takes ids that are no UUID where the data folder itself uses them', async () => {
    const center = OTHER.replace(/.$/, '3');
    await using own = await openTenant({
      files: { [`centers/${center}/preferences.json`]: schema(center, simple('News', 'News')) },
    });
    const put = (Id: string) =>
      own.call('PUT', subjectPath(center), {
        identifier: 'a',
        body: { Purposes: [{ Id }] },
        lawless: true,
      });
    assert.deepEqual(items(await put('news')), { News: [true, 'Purpose updated'] });
    assert.equal((await put('old')).status, 400);
  });

  test('refuses two options where one may be chosen, told at once or apart', async () => {
    const identifier = someone();
    const options = (...numbers: number[]) => ({
      Id: id(3, 2),
      Options: numbers.map((number) => ({ Id: id(4, number) })),
    });
    const put = (...CustomPreferences: object[]) =>
      ask('PUT', identifier, { Purposes: [{ Id: letters.Id, CustomPreferences }] });
    assert.deepEqual(items(await put(options(1, 1))), { [letters.Id]: [true, 'Purpose updated'] });
    const refused = { [letters.Id]: [false, `${id(3, 2)} takes one option`] };
    assert.deepEqual(items(await put(options(1, 2))), refused);
    assert.deepEqual(items(await put(options(1), options(2))), refused);
    const { body } = await ask('GET', identifier);
    assert.deepEqual(
      listAt(body, 'Purposes', 0, 'CustomPreferences', 0, 'Options').map((option) => at(option, 'Label')),
      ['Daily'],
    );
    assert.deepEqual(await statuses(identifier), { [letters.Id]: 'ACTIVE' });
  });

  test('with thousands of purposes, known or not, holds up no other person', async () => {
    const centers = Array.from({ length: 30 }, (_, n) => [
      `centers/${CENTER.slice(0, -2)}${n + 10}/preferences.json`,
      schema(CENTER, simple(OFFERS, 'Offers')),
    ]);
    await using busy = await openTenant({ files: Object.fromEntries(centers) });
    const unknown = Array.from({ length: 6_000 }, (_, n) => ({ Id: id(9, n) }));
    const again = Array.from({ length: 4_000 }, (_, n) => ({ Id: OFFERS, Topics: [{ Id: id(9, n) }] }));
    const put = async (...Purposes: object[]) => {
      const identifier = someone();
      const path = subjectPath(`${CENTER.slice(0, -2)}10`);
      assert.equal((await busy.call('PUT', path, { identifier, body: { Purposes } })).status, 200);
    };
    await put();
    const ms = await cpuMilliseconds(() => put(...unknown, ...again), 700);
    assert.ok(ms <= 700, `${ms} ms of processor time`);
  });

  test('that gives nothing leaves a new person with nothing on record; a language is kept', async () => {
    const identifier = someone();
    assert.deepEqual(items(await ask('PUT', identifier, { Purposes: [] })), {});
    assert.equal(at((await ask('GET', identifier)).body, 'Status'), 400);
    await ask('PUT', identifier, { Purposes: [], Language: 'fr-CA' });
    const { body } = await ask('GET', identifier);
    assert.deepEqual([at(body, 'Status'), at(body, 'Language')], [200, 'fr-CA']);
  });

  test('that breaks the contract is refused with the name of the member, and changes nothing', async () => {
    const identifier = someone();
    const note = (length: number) => ({
      Purposes: [{ Id: OFFERS }],
      dsDataElements: { Note: 'x'.repeat(length) },
    });
    assert.equal((await ask('PUT', identifier, note(750))).status, 200);
    const option = (Id?: string) => ({ Id: id(3, 1), Options: [{ Id }] });
    const bad: [body: unknown, message: RegExp][] = [
      [[], /JSON object/],
      [{}, /Purposes is required/],
      [{ Purposes: null }, /Purposes is required/],
      [{ Purposes: {} }, /Purposes must be an array/],
      [{ Purposes: ['x'] }, /Purposes\[0\] must be an object/],
      [{ Purposes: [{ Id: OFFERS }, {}] }, /Purposes\[1\]\.Id is required/],
      [{ Purposes: [{ Id: NEWS, Topics: [{ Id: 'x' }] }] }, /Topics\[0\]\.Id must be a UUID/],
      [{ Purposes: [{ Id: NEWS, CustomPreferences: [option()] }] }, /Options\[0\]\.Id is required/],
      [{ Purposes: [], Language: 'not a tag' }, /Language/],
      [{ Purposes: [], dsDataElements: { Age: 7 } }, /dsDataElements\.Age must be a string/],
      [{ Purposes: [], DsDataElements: [] }, /DsDataElements must be an object/],
      [note(751), /Note.*750/],
    ];
    for (const [body, message] of bad) {
      const reply = await ask('PUT', identifier, body);
      assert.equal(reply.status, 400, message.source);
      assert.match(String(at(reply.body, 'message')), message);
    }
    assert.deepEqual(await statuses(identifier), { [OFFERS]: 'ACTIVE' });
  });

  test('refuses a body that is nested too deep, no JSON or past the cap, and the log of calls survives it', async () => {
    const putRaw = (raw: string) => tenant.call('PUT', subjectPath(CENTER), { identifier: 'x', raw });
    const put = (Language: string) => putRaw(`{"Purposes":[],"x":"\\"[[","Language":${Language}}`);
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const reply = await put(open.repeat(100_000) + close.repeat(100_000));
      assert.equal(reply.status, 400);
      assert.match(String(at(reply.body, 'message')), /nested too deep/);
    }
    await put('['.repeat(5_000) + ']'.repeat(5_000));
    const logged = listAt((await tenant.call('GET', '/_sandbox/calls')).body).at(-1);
    assert.equal(at(logged, 'status'), 400);
    assert.match(String(at(logged, 'body')), /\[{5000}\]{5000}/);
    const broken = await putRaw('{"Purposes":');
    assert.equal(broken.status, 400);
    assert.match(String(at(broken.body, 'message')), /not valid JSON/);
    assert.equal((await putRaw(' '.repeat(1024 * 1024 + 1))).status, 413);
  });
});

describe('DELETE', () => {
  test('withdraws a purpose of any status but ALWAYS_ACTIVE, and says so', async () => {
    for (const status of ['ACTIVE', 'PENDING', 'HARD_OPT_OUT', 'EXPIRED', 'WITHDRAWN', 'ALWAYS_ACTIVE']) {
      const identifier = await plant(status);
      const reply = await ask('DELETE', identifier);
      const isLocked = status === 'ALWAYS_ACTIVE';
      const item = isLocked ? [false, 'Purpose is always active'] : [true, 'Purpose withdrawn'];
      assert.deepEqual(items(reply)[OFFERS], item, status);
      assert.equal((await statuses(identifier))[OFFERS], isLocked ? status : 'WITHDRAWN');
    }
  });

  test('leaves a refusal on record for every purpose of the center, and keeps the profile', async () => {
    const identifier = someone();
    await ask('PUT', identifier, { Purposes: [], Language: 'de', dsDataElements: { City: 'Bonn' } });
    const reply = await ask('DELETE', identifier);
    const withdrawn = [true, 'Purpose withdrawn'];
    const every = [NEWS, OFFERS, CALLS, letters.Id, RETIRED, DRAFT];
    assert.deepEqual(items(reply), Object.fromEntries(every.map((each) => [each, withdrawn])));
    const { body } = await ask('GET', identifier);
    const profile = { Status: 200, Language: 'de', DsDataElements: { City: 'Bonn' } };
    assert.partialDeepStrictEqual(body, profile);
    const left = Object.fromEntries(every.map((each) => [each, 'WITHDRAWN']));
    assert.deepEqual(await statuses(identifier), left);
    // Those too that are on record only.
    await ask('DELETE', 'old@example.org');
    assert.equal((await statuses('old@example.org'))[OLD], 'WITHDRAWN');
  });
});
