import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pacer } from '../../src/upstream/pacer.ts';
import type { PlatformLog } from '../../src/upstream/watch.ts';
import { readConsentAnswer, readSubjectAnswer } from '../../src/upstream/wire-subject.ts';
import { recorded, singlePageId, subjectId } from './recorded.ts';
import { anna, codeOf, openPlatform, type Scripted } from './scripted-platform.ts';

const purpose = { Id: 'f2229953-b4b5-4042-8cb9-b78038cc4c46', TransactionStatus: 'ACTIVE' };
const full = { DataSubjectId: 'anna@example.org', Language: 'fr', Status: 200, Purposes: [purpose] };

async function read(answer: Scripted, identifier = anna): Promise<unknown> {
  await using parts = await openPlatform(undefined, { answer: () => answer });
  const reading = parts.platform.readSubject(singlePageId, identifier);
  const code = await codeOf(reading);
  if (code !== 'ok') return code;
  const { purposes, language } = await reading;
  return [purposes.length, language];
}

/** The reading of an answer about a person, and the number of dropped items. */
function readAnswer(change: object, { subject = anna, sentAs = String(anna) } = {}) {
  const lost: number[] = [];
  const dropped = (count: number) => void lost.push(count);
  const read = readSubjectAnswer({ ...full, ...change }, { subject, sentAs, dropped });
  return { ...read, lost: lost.reduce((sum, count) => sum + count, 0) };
}

const unrecorded = recorded('02b_v1_datasubject_preferences_no_transactions.json') as object;
const nameless = { label: undefined };
const preferenceOf = (id: string, ...options: readonly string[]) => ({ id, options });

describe('a TransactionStatus that is not known', () => {
  it('an unknown TransactionStatus is read as off, and told once', async (t) => {
    const told: unknown[] = [];
    const log: PlatformLog = { warn: (event, fields) => void told.push([event, fields['member']]) };
    const purposes = ['WITHDRAWN', 'OPT_OUT', 'FADED', 'faded', '\u001b[1m'].map((status, at) => {
      return { Id: `p${at}`, TransactionStatus: status };
    });
    const answer = { body: { ...full, Purposes: purposes } };
    const { read } = await openPlatform(t, { answer: () => answer, options: { log } });
    for (let time = 0; time < 3; time += 1)
      assert.ok((await read()).purposes.every(({ status }) => status === 'off'));
    const event = 'member of a center not honoured';
    const said = ['FADED', '?'].map((status) => `TransactionStatus = ${status} is read as off`);
    assert.deepEqual(
      told,
      said.map((each) => [event, `record of a person: ${each}`]),
    );
  });
});

describe('a call that another one must follow at once', () => {
  it('the first of two calls asks room for both, and the second asks for none', async (t) => {
    const asked: unknown[] = [];
    const pacer: Pacer = {
      async admit(name, { calls = 1 }) {
        asked.push(`${name} ${calls}`);
        return 0;
      },
      isFresh: () => true,
      look: () => undefined,
      hear() {},
      close() {},
    };
    const { server, update } = await openPlatform(t, { options: { pacer } });
    for (const permits of [2, 0] as const) await update({ permits });
    assert.deepEqual(asked, ['update-consent 2', 'token 1']);
    assert.equal(server.calls.length, 2);
  });
});

describe('a record', () => {
  const nothing: readonly { name: string; answer: Scripted; language?: string }[] = [
    { name: '404', answer: { status: 404, body: '' } },
    { name: '404 with words', answer: { status: 404, body: { error: 'Not Found' } } },
    { name: '400', answer: { status: 400, body: '"bad"' } },
    { name: '400 about the identifier', answer: { status: 400, body: { message: 'identifier is invalid' } } },
    { name: 'Status 400', answer: { body: { ...unrecorded, DataSubjectId: anna } }, language: 'en-us' },
    { name: 'Status 400 without a name', answer: { body: { Status: 400, messages: ['no transactions'] } } },
    { name: 'Status 400 with purposes', answer: { body: { ...full, Status: 400 } }, language: 'fr' },
    { name: 'Status 404', answer: { body: { Status: 404 } } },
    { name: 'null for purposes', answer: { body: { ...full, Purposes: null } }, language: 'fr' },
    { name: 'an empty list, without a name or a Status', answer: { body: { Purposes: [] } } },
  ];
  it('a person without a record has an empty record', async () => {
    for (const { name, answer, language } of nothing)
      assert.deepEqual(await read(answer), [0, language], name);
  });

  const faults: Readonly<Record<string, unknown>> = {
    'no members': {},
    'a message': { message: 'Internal error' },
    'a Status of 500': { Status: 500, messages: ['error'] },
    'a Status of 500 about the person': { ...full, Status: 500, Purposes: [] },
    'a Status of 401': { Status: 401 },
    'purposes that are no list': { ...full, Purposes: 'error' },
    'a list': [],
  };
  it('a success that holds no record is platform-unreadable', async () => {
    for (const [name, body] of Object.entries(faults))
      assert.equal(await read({ body }), 'platform-unreadable', name);
  });

  it('a record must name the person exactly as asked for', async () => {
    const others = ['anna@example.org ', 'ben@example.org', '', undefined, ['anna@example.org']];
    for (const [asked, own, wrong] of [
      [anna, 'anna@example.org', ['Anna@example.org', ...others]],
      [subjectId('Anna@example.org'), 'Anna@example.org', ['anna@example.org']],
      [subjectId('K@example.org'), 'K@example.org', ['\u212a@example.org']],
    ] as const) {
      const about = (DataSubjectId: unknown) => read({ body: { ...full, DataSubjectId } }, asked);
      assert.deepEqual(await about(own), [1, 'fr']);
      for (const says of wrong) assert.equal(await about(says), 'wrong-subject', `${says} for ${asked}`);
    }
  });

  it('a record without a name must be empty, and a record of another person is always refused', async () => {
    const ben = { DataSubjectId: 'ben@example.org' };
    for (const body of [{ DsDataElements: { Email: 'x' } }, ben, { ...ben, Status: 400 }])
      assert.equal(await read({ body }), 'wrong-subject', JSON.stringify(body));
  });

  it('letters beyond ASCII in the name of a record must match exactly', () => {
    const asked = { subject: subjectId('\u00c9va'), sentAs: '%C3%89va' };
    const about = (DataSubjectId: string) => () => readAnswer({ DataSubjectId }, asked);
    about('\u00c9va')();
    about('%C3%89va')();
    for (const other of ['E\u0301va', '%c3%89va', '%C3%89VA', '\u00e9va', 'Eva', ' \u00c9va']) {
      assert.throws(about(other), { code: 'wrong-subject' }, other);
    }
  });

  const statuses: Readonly<Record<string, string>> = {
    ACTIVE: 'active',
    OPT_IN: 'active',
    EXTEND: 'active',
    CHANGE_PREFERENCES: 'active',
    ...{
      active: 'active',
      ALWAYS_ACTIVE: 'always-active',
      IMPLICIT: 'implicit',
      NOT_OPT_OUT: 'implicit',
      PENDING: 'pending',
    },
    EXPIRED: 'expired',
    HARD_OPT_OUT: 'hard-opt-out',
    NO_CONSENT: 'no-consent',
    WITHDRAWN: 'off',
    OPT_OUT: 'off',
    SOMETHING_NEW: 'off',
    constructor: 'off',
    '': 'off',
  };
  it('a TransactionStatus has its meaning as a status', () => {
    for (const [word, status] of Object.entries(statuses)) {
      const { purposes } = readAnswer({ Purposes: [{ ...purpose, TransactionStatus: word }] });
      assert.equal(purposes[0]?.status, status, word);
    }
  });

  it('unreadable items are dropped and counted, and all others are kept', () => {
    const Purposes = [
      ...[null, 7, 'x', [], {}, { Id: null }, { Id: 7 }, { Id: ' ' }],
      { ...purpose, Id: purpose.Id.toUpperCase(), Label: 5, Topics: 'x', CustomPreferences: { a: 1 } },
      purpose,
      {
        Id: 'Another-One',
        TransactionStatus: 7,
        Topics: [{ Id: 'T' }, { Id: 'T' }, null, { id: 'lost' }],
        CustomPreferences: [{ Id: 'P', Options: [{ Id: 'O' }, 3] }, { Id: 'Q' }, 9],
      },
    ];
    const DsDataElements = { a: 'b', n: null, x: 3, constructor: 'c' };
    const { lost, ...subject } = readAnswer({ Purposes, DsDataElements });
    assert.equal(lost, 8);
    const preferences = [preferenceOf('P', 'O'), preferenceOf('Q')];
    const other = { purpose: 'Another-One', status: 'off', topics: ['T'], preferences };
    assert.deepEqual(subject.purposes, [
      { ...nameless, purpose: purpose.Id, status: 'active', topics: [], preferences: [] },
      { ...nameless, ...other },
    ]);
    assert.deepEqual(subject.dataElements, { a: 'b', x: '3' });
  });

  it('the most restrictive status of a purpose that is listed twice counts, in any order', () => {
    const ranked = [
      ...['HARD_OPT_OUT', 'WITHDRAWN', 'NO_CONSENT', 'EXPIRED'],
      ...['PENDING', 'IMPLICIT', 'ACTIVE', 'ALWAYS_ACTIVE'],
    ];
    const known = new Set(Object.values(statuses));
    assert.deepEqual(new Set(ranked.map((word) => statuses[word])), known);
    const line = (TransactionStatus: string) => {
      return { ...purpose, TransactionStatus, Topics: [{ Id: `under-${TransactionStatus}` }] };
    };
    for (const [rank, stricter] of ranked.entries()) {
      for (const looser of ranked.slice(rank + 1)) {
        const twice = [stricter, looser];
        for (const words of [twice, twice.toReversed(), [looser, ...twice]]) {
          const { lost, purposes } = readAnswer({ Purposes: words.map(line) });
          const read = purposes.map(({ status, topics }) => ({ status, topics }));
          const wanted = { status: statuses[stricter], topics: [`under-${stricter}`] };
          assert.deepEqual(read, [wanted], words.join());
          assert.ok(lost > 0, 'the second item is not counted');
        }
      }
    }
  });

  it('a purpose or preference that is listed twice with one status keeps the choices of both', () => {
    const line = (TransactionStatus: string, topic: string, option: string) => ({
      Id: purpose.Id,
      TransactionStatus,
      Topics: [{ Id: topic }, { Id: 'T' }],
      CustomPreferences: [
        { Id: 'P', Options: [{ Id: option }] },
        { Id: 'P', Options: [{ Id: option }, { Id: 'O' }] },
        { Id: option, Options: [] },
      ],
    });
    const { lost, ...subject } = readAnswer({
      Purposes: [line('ACTIVE', 'T1', 'O1'), line('ALWAYS_ACTIVE', 'T2', 'O2'), line('OPT_IN', 'T3', 'O3')],
    });
    assert.equal(lost, 1);
    const preferences = [preferenceOf('P', 'O1', 'O', 'O3'), preferenceOf('O1'), preferenceOf('O3')];
    const read = { purpose: purpose.Id, status: 'active', topics: ['T1', 'T', 'T3'], preferences };
    assert.deepEqual(subject.purposes, [{ ...nameless, ...read }]);
  });

  it('an id of a center that is no GUID causes no call', async (t) => {
    const { platform, server } = await openPlatform(t, { answer: () => ({ body: full }) });
    await assert.rejects(platform.readSubject('../x', anna), { code: 'not-found' });
    assert.equal(server.calls.length, 0);
  });
});

describe('the answer to an update', () => {
  const { Id } = purpose;
  const refused = { purpose: Id, accepted: false, receipt: undefined, messages: [] };
  const accepted = { ...refused, accepted: true, messages: ['m'] };
  for (const [name, Purposes, items] of [
    [
      'an item is accepted only if its Status is true itself',
      [{ Id, Status: 'true' }, { Id }],
      [refused, refused],
    ],
    ['an item of unknown shape is dropped', [null, 5, { Status: true }], []],
    ['an answer without Purposes has no items', undefined, []],
    [
      'an item may spell its messages with a small letter',
      [{ Id, Status: true, messages: ['m', 3] }],
      [accepted],
    ],
  ] as const)
    it(name, () => assert.deepEqual(readConsentAnswer({ Purposes }), { items }));

  it('an empty answer to a successful update has no items', async (t) => {
    for (const status of [200, 204]) {
      const { withdraw } = await openPlatform(t, { answer: () => ({ status, body: '' }) });
      assert.deepEqual(await withdraw(), { items: [] });
    }
  });

  it('a status of 400 to 499 refuses an update, even where it means an empty record for a reading', async (t) => {
    for (const status of [400, 404, 409]) {
      const { withdraw } = await openPlatform(t, { answer: () => ({ status, body: { Purposes: [] } }) });
      assert.equal(await codeOf(withdraw()), 'platform-refused');
    }
  });
});
