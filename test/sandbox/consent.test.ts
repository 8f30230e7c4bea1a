import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cpuMilliseconds } from '../kit/cpu.ts';
import { forSuite } from '../kit/for-suite.ts';
import { at, listAt, openTenant, type Reply, subjectPath } from './tenant.ts';

const CENTER = '5c000000-0000-4000-8000-000000000001';
const OTHER = '5c000000-0000-4000-8000-000000000002';
const id = (kind: number, n: number) =>
  `5c000000-0000-40${String(kind).padStart(2, '0')}-8000-${String(n).padStart(12, '0')}`;
const [NEWS, OFFERS, CALLS, OLD, FOREIGN, RETIRED, DRAFT] = [1, 2, 3, 4, 5, 6, 7].map((n) => id(1, n)) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

const STATUSES = [
  'ACTIVE',
  'WITHDRAWN',
  'EXPIRED',
  'PENDING',
  'OPT_OUT',
  'HARD_OPT_OUT',
  'NO_CONSENT',
  'ALWAYS_ACTIVE',
  'NOT_OPT_OUT',
  'IMPLICIT',
  'EXTEND',
  'CHANGE_PREFERENCES',
  'OPT_IN',
];
const ACTIVE = ['ACTIVE', 'OPT_IN', 'EXTEND', 'CHANGE_PREFERENCES'];

const news = {
  Id: NEWS,
  Version: 1,
  Label: 'News',
  Description: 'The news',
  Status: 'ACTIVE',
  PurposeType: 'STANDARD',
  Languages: [{ Name: 'News', Description: 'The news', Language: 'en', Default: true }],
  Topics: [
    { Id: id(2, 1), Name: 'Sport', IntegrationKey: 'sport', Languages: [] },
    { Id: id(2, 2), Name: 'Art', IntegrationKey: 'art', Languages: [] },
  ],
  CustomPreferences: [
    {
      Id: id(3, 1),
      Name: 'How often',
      Description: '',
      SelectionType: 'MULTI_CHOICE',
      DisplayAs: 'BUTTONS',
      Required: false,
      Options: [
        { Id: id(4, 1), Label: 'Daily' },
        { Id: id(4, 2), Label: 'Weekly' },
      ],
      Languages: [
        {
          Name: 'How often',
          Description: '',
          Language: 'en',
          Default: true,
          Options: [
            { Id: id(4, 1), Label: 'Daily' },
            { Id: id(4, 2), Label: 'Weekly' },
          ],
        },
      ],
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
const simple = (purpose: string, label: string, status = 'ACTIVE') => ({
  Id: purpose,
  Version: 1,
  Label: label,
  Description: label,
  Status: status,
  PurposeType: 'STANDARD',
  Languages: [],
  Topics: [],
  CustomPreferences: [],
  LifeSpan: 0,
  DefaultConsentStatus: 'ACTIVE',
});
const schema = (center: string, ...purposes: object[]) => ({
  messages: [],
  Status: 200,
  PreferenceCentreId: center,
  Language: 'en',
  Languages: ['en'],
  Template: 'ORIGINAL',
  Purposes: purposes,
});

let time = new Date('2026-05-04T10:00:00Z');
let people = 0;

/** A person nobody met before. */
function someone(): string {
  people += 1;
  return `person-${people}@example.org`;
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
      ...Object.fromEntries(
        STATUSES.map((status) => [
          `centers/${CENTER}/subjects/${status}%40put.json`,
          { Purposes: [{ Id: OFFERS, TransactionStatus: status }] },
        ]),
      ),
      ...Object.fromEntries(
        STATUSES.map((status) => [
          `centers/${CENTER}/subjects/${status}%40delete.json`,
          { Purposes: [{ Id: OFFERS, TransactionStatus: status }] },
        ]),
      ),
      [`centers/${CENTER}/subjects/old.json`]: {
        DataSubjectId: 'old@example.org',
        Purposes: [
          {
            Id: OLD,
            Label: 'Stamps',
            Description: 'A stamp card',
            Status: 'ACTIVE',
            TransactionStatus: 'ACTIVE',
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
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.body, {
      messages: [],
      DataSubjectId: identifier,
      Language: 'en',
      Status: 400,
      Purposes: [],
      DsDataElements: {},
    });
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
    await ask('PUT', identifier, {
      Purposes: [
        {
          Id: NEWS,
          Topics: [{ Id: id(2, 2) }],
          CustomPreferences: [{ Id: id(3, 1), Options: [{ Id: id(4, 2) }] }],
        },
      ],
    });
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
  for (const status of STATUSES) {
    const then = status === 'ALWAYS_ACTIVE' ? status : 'ACTIVE';
    test(`makes a purpose that is ${status} and present ${then}`, async () => {
      const reply = await ask('PUT', `${status}@put`, { Purposes: [{ Id: OFFERS }] });
      assert.deepEqual(items(reply), { [OFFERS]: [true, 'Purpose updated'] });
      assert.deepEqual(await statuses(`${status}@put`), { [OFFERS]: then });
    });

    const isWithdrawn = ACTIVE.includes(status);
    test(`${isWithdrawn ? 'withdraws' : 'leaves alone'} a purpose that is ${status} and absent`, async () => {
      const seeded = `${status}@absent`;
      await tenant.write(`centers/${CENTER}/subjects/${status}%40absent.json`, {
        Purposes: [{ Id: OFFERS, TransactionStatus: status }],
      });
      const reply = await ask('PUT', seeded, { Purposes: [] });
      assert.deepEqual(items(reply), isWithdrawn ? { [OFFERS]: [true, 'Purpose withdrawn'] } : {});
      assert.deepEqual(await statuses(seeded), { [OFFERS]: isWithdrawn ? 'WITHDRAWN' : status });
    });
  }

  test('does not record what is neither present nor on record', async () => {
    const identifier = someone();
    await ask('PUT', identifier, { Purposes: [{ Id: OFFERS }] });
    assert.deepEqual(await statuses(identifier), { [OFFERS]: 'ACTIVE' });
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
    const reply = await ask(
      'PUT',
      identifier,
      {
        Purposes: [{ Id: NEWS.toUpperCase(), Topics: [{ Id: id(2, 1).toUpperCase() }] }],
      },
      CENTER.toUpperCase(),
    );
    assert.deepEqual(items(reply), { [NEWS]: [true, 'Purpose updated'] });
    const { body } = await ask('GET', identifier);
    assert.deepEqual(
      listAt(body, 'Purposes', 0, 'Topics').map((topic) => at(topic, 'Name')),
      ['Sport'],
    );
  });

  test('accepts a purpose on record that no schema draws any more, with its topics', async () => {
    const reply = await ask('PUT', 'old@example.org', {
      Purposes: [{ Id: OLD, Topics: [{ Id: id(2, 9) }] }],
    });
    assert.deepEqual(items(reply), { [OLD]: [true, 'Purpose updated'] });
    await ask('PUT', 'old@example.org', { Purposes: [] });
    assert.deepEqual(await statuses('old@example.org'), { [OLD]: 'WITHDRAWN' });
    await ask('PUT', 'old@example.org', { Purposes: [{ Id: OLD, Topics: [{ Id: id(2, 9) }] }] });
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

  for (const member of ['dsDataElements', 'DsDataElements']) {
    test(`keeps data elements given as ${member}, changes only those given, clears those that are null`, async () => {
      const identifier = someone();
      await ask('PUT', identifier, {
        Purposes: [{ Id: OFFERS }],
        [member]: { City: 'Lyon', 'First Name': 'Zoé', Age: '7' },
      });
      await ask('PUT', identifier, { Purposes: [{ Id: OFFERS }], [member]: { City: '', Age: null } });
      const { body } = await ask('GET', identifier);
      assert.deepEqual(at(body, 'DsDataElements'), { City: '', 'First Name': 'Zoé' });
    });
  }

  test('keeps a data element by any label at all', async () => {
    const identifier = someone();
    const raw = (value: string) =>
      `{"Purposes":[],"dsDataElements":{"__proto__":${value},"constructor":"y","toString":"z"}}`;
    await tenant.call('PUT', subjectPath(CENTER), { identifier, raw: raw('"x"') });
    const elements = async () => JSON.stringify(at((await ask('GET', identifier)).body, 'DsDataElements'));
    assert.equal(await elements(), '{"__proto__":"x","constructor":"y","toString":"z"}');
    await tenant.call('PUT', subjectPath(CENTER), { identifier, raw: raw('null') });
    assert.equal(await elements(), '{"constructor":"y","toString":"z"}');
  });

  for (const [name, purpose] of [
    ['RETIRED', RETIRED],
    ['DRAFT', DRAFT],
  ] as const) {
    test(`refuses a purpose that is ${name}, item by item`, async () => {
      const identifier = someone();
      const reply = await ask('PUT', identifier, { Purposes: [{ Id: purpose }, { Id: OFFERS }] });
      assert.deepEqual(items(reply), {
        [purpose]: [false, `Purpose is ${name}`],
        [OFFERS]: [true, 'Purpose updated'],
      });
      assert.deepEqual(await statuses(identifier), { [OFFERS]: 'ACTIVE' });
    });
  }

  test('leaves a purpose that was retired since as it is while it is sent, and withdraws it when not', async () => {
    const identifier = someone();
    const Purposes = [{ Id: RETIRED, TransactionStatus: 'ACTIVE' }];
    await tenant.write(`centers/${CENTER}/subjects/${encodeURIComponent(identifier)}.json`, { Purposes });
    const kept = await ask('PUT', identifier, { Purposes: [{ Id: RETIRED }] });
    assert.deepEqual(items(kept), { [RETIRED]: [false, 'Purpose is RETIRED'] });
    assert.deepEqual(await statuses(identifier), { [RETIRED]: 'ACTIVE' });
    await ask('PUT', identifier, { Purposes: [] });
    assert.deepEqual(await statuses(identifier), { [RETIRED]: 'WITHDRAWN' });
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

  const large: [string, unknown][] = [
    [
      '9,000 purposes that no center knows',
      { Purposes: Array.from({ length: 9_000 }, (_, n) => ({ Id: id(9, n) })) },
    ],
    [
      'one purpose 6,000 times, each time with another topic',
      { Purposes: Array.from({ length: 6_000 }, (_, n) => ({ Id: OFFERS, Topics: [{ Id: id(9, n) }] })) },
    ],
  ];
  for (const [what, body] of large) {
    test(`with ${what} keeps nobody else waiting`, async () => {
      const centers = Array.from({ length: 30 }, (_, n) => [
        `centers/${CENTER.slice(0, -2)}${n + 10}/preferences.json`,
        schema(CENTER, simple(OFFERS, 'Offers')),
      ]);
      await using busy = await openTenant({ files: Object.fromEntries(centers) });
      let people = 0;
      const put = (sent: unknown) =>
        busy.call('PUT', subjectPath(`${CENTER.slice(0, -2)}10`), {
          identifier: `person ${++people}`,
          body: sent,
        });
      await put({ Purposes: [] });
      const ms = await cpuMilliseconds(async () => assert.equal((await put(body)).status, 200), 700);
      assert.ok(ms <= 700, `${ms} ms of processor time`);
    });
  }

  test('sets the person’s language', async () => {
    const identifier = someone();
    await ask('PUT', identifier, { Purposes: [], Language: 'fr-CA' });
    assert.equal(at((await ask('GET', identifier)).body, 'Language'), 'fr-CA');
  });

  test('that gives nothing leaves a new person with nothing on record', async () => {
    const identifier = someone();
    assert.deepEqual(items(await ask('PUT', identifier, { Purposes: [] })), {});
    assert.equal(at((await ask('GET', identifier)).body, 'Status'), 400);
    await ask('PUT', identifier, { Purposes: [], Language: 'fr' });
    assert.equal(at((await ask('GET', identifier)).body, 'Status'), 200);
  });

  test('keeps a data element of 750 characters and refuses one of 751', async () => {
    const identifier = someone();
    const put = (length: number) =>
      ask('PUT', identifier, { Purposes: [], dsDataElements: { Note: 'x'.repeat(length) } });
    assert.equal((await put(750)).status, 200);
    const refused = await put(751);
    assert.equal(refused.status, 400);
    assert.match(String(at(refused.body, 'message')), /Note.*750/);
    assert.equal(String(at((await ask('GET', identifier)).body, 'DsDataElements', 'Note')).length, 750);
  });

  const bad: [string, unknown, RegExp][] = [
    ['a body that is no object', [], /JSON object/],
    ['no Purposes', {}, /Purposes is required/],
    ['Purposes that are null', { Purposes: null }, /Purposes is required/],
    ['Purposes that are no array', { Purposes: {} }, /Purposes must be an array/],
    ['a purpose that is no object', { Purposes: ['x'] }, /Purposes\[0\] must be an object/],
    ['a purpose without Id', { Purposes: [{ Id: OFFERS }, {}] }, /Purposes\[1\]\.Id is required/],
    ['a topic without Id', { Purposes: [{ Id: NEWS, Topics: [{}] }] }, /Topics\[0\]\.Id is required/],
    ['topics that are no array', { Purposes: [{ Id: NEWS, Topics: 'x' }] }, /Topics must be an array/],
    [
      'an option without Id',
      { Purposes: [{ Id: NEWS, CustomPreferences: [{ Id: id(3, 1), Options: [{}] }] }] },
      /Options\[0\]\.Id is required/,
    ],
    ['an Id that is no UUID', { Purposes: [{ Id: 'x' }] }, /Purposes\[0\]\.Id must be a UUID/],
    [
      'a topic that is no UUID',
      { Purposes: [{ Id: NEWS, Topics: [{ Id: 'x' }] }] },
      /Topics\[0\]\.Id must be/,
    ],
    [
      'an option that is no UUID',
      { Purposes: [{ Id: NEWS, CustomPreferences: [{ Id: id(3, 1), Options: [{ Id: `${id(4, 1)}0` }] }] }] },
      /Options\[0\]\.Id must be a UUID/,
    ],
    ['a language that is no tag', { Purposes: [], Language: 'not a tag' }, /Language/],
    [
      'a data element that is no string',
      { Purposes: [], dsDataElements: { Age: 7 } },
      /dsDataElements\.Age must be a string/,
    ],
    [
      'data elements that are no object',
      { Purposes: [], DsDataElements: [] },
      /DsDataElements must be an object/,
    ],
  ];
  for (const [name, body, message] of bad) {
    test(`refuses ${name} with a message and changes nothing`, async () => {
      const identifier = someone();
      await ask('PUT', identifier, { Purposes: [{ Id: OFFERS }] });
      const reply = await ask('PUT', identifier, body);
      assert.equal(reply.status, 400);
      assert.match(String(at(reply.body, 'message')), message);
      assert.deepEqual(await statuses(identifier), { [OFFERS]: 'ACTIVE' });
    });
  }

  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    test(`refuses a body of ${open} in ${open}, and the log of calls survives it`, async () => {
      const deep = open.repeat(100_000) + (open === '[' ? '' : '1') + close.repeat(100_000);
      const raw = `{"Purposes":[],"x":"\\"[[","Language":${deep}}`;
      const reply = await tenant.call('PUT', subjectPath(CENTER), { identifier: 'x', raw });
      assert.equal(reply.status, 400);
      assert.match(String(at(reply.body, 'message')), /nested too deep/);
      const short = open.repeat(5_000) + (open === '[' ? '' : '1') + close.repeat(5_000);
      const logged = `{"Purposes":[],"Language":${short}}`;
      await tenant.call('PUT', subjectPath(CENTER), { identifier: 'x', raw: logged });
      const calls = listAt((await tenant.call('GET', '/_sandbox/calls')).body);
      assert.deepEqual([at(calls.at(-1), 'status'), at(calls.at(-1), 'body')], [400, logged]);
    });
  }

  test('refuses a body that is no JSON, and one past the cap', async () => {
    const broken = await tenant.call('PUT', subjectPath(CENTER), { identifier: 'x', raw: '{"Purposes":' });
    assert.equal(broken.status, 400);
    assert.match(String(at(broken.body, 'message')), /not valid JSON/);
    const huge = await tenant.call('PUT', subjectPath(CENTER), {
      identifier: 'x',
      raw: ' '.repeat(1024 * 1024 + 1),
    });
    assert.equal(huge.status, 413);
  });
});

describe('DELETE', () => {
  test('leaves alone what is ALWAYS_ACTIVE, and says so', async () => {
    const reply = await ask('DELETE', 'ALWAYS_ACTIVE@delete');
    assert.deepEqual(items(reply)[OFFERS], [false, 'Purpose is always active']);
    assert.equal((await statuses('ALWAYS_ACTIVE@delete'))[OFFERS], 'ALWAYS_ACTIVE');
  });

  for (const status of STATUSES.filter((each) => each !== 'ALWAYS_ACTIVE')) {
    test(`withdraws a purpose that is ${status}`, async () => {
      const reply = await ask('DELETE', `${status}@delete`);
      assert.deepEqual(items(reply)[OFFERS], [true, 'Purpose withdrawn']);
      assert.equal((await statuses(`${status}@delete`))[OFFERS], 'WITHDRAWN');
    });
  }

  test('leaves a refusal on record for every purpose of the center, and keeps the profile', async () => {
    const identifier = someone();
    await ask('PUT', identifier, { Purposes: [], Language: 'de', dsDataElements: { City: 'Bonn' } });
    const reply = await ask('DELETE', identifier);
    const withdrawn = [true, 'Purpose withdrawn'];
    const every = [NEWS, OFFERS, CALLS, letters.Id, RETIRED, DRAFT];
    assert.deepEqual(items(reply), Object.fromEntries(every.map((each) => [each, withdrawn])));
    const { body } = await ask('GET', identifier);
    assert.equal(at(body, 'Status'), 200);
    assert.equal(at(body, 'Language'), 'de');
    assert.deepEqual(at(body, 'DsDataElements'), { City: 'Bonn' });
    assert.deepEqual(
      await statuses(identifier),
      Object.fromEntries(every.map((each) => [each, 'WITHDRAWN'])),
    );
  });

  test('includes purposes that are on record only', async () => {
    await ask('DELETE', 'old@example.org');
    assert.equal((await statuses('old@example.org'))[OLD], 'WITHDRAWN');
  });
});
