import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Purpose } from '../../src/core/model/center/center.ts';
import type { Subject } from '../../src/core/model/person/subject.ts';
import type { TaskCreate } from '../../src/core/model/staff/task.ts';
import { Notes } from '../../src/upstream/notes.ts';
import { retryAfterSeconds } from '../../src/upstream/rate-limit.ts';
import { buildMultiPage, readPageEntries } from '../../src/upstream/wire-multi-page.ts';
import { readNoticePage, readNoticeVersion, readNoticeVersionPage } from '../../src/upstream/wire-notices.ts';
import { buildSinglePage, familyOf, purposesById } from '../../src/upstream/wire-single-page.ts';
import { readConsentAnswer, readSubjectAnswer, updateBody } from '../../src/upstream/wire-subject.ts';
import { readTask, taskBody } from '../../src/upstream/wire-tasks.ts';
import {
  readPage,
  readRoot,
  readSinglePage,
  recorded,
  recordedNames,
  singlePageId,
  subjectId,
} from './recorded.ts';
import { openPlatform } from './scripted-platform.ts';

const marketing = 'f2229953-b4b5-4042-8cb9-b78038cc4c46';
const newsletter = 'da9f94d5-827d-4ae0-a794-ed4f5593326a';
const receipt = '64a9b83e-3aae-4e9f-b75e-5fbd01aecd85';

const first = { page: 0, size: 20 };

/** The expected reading of each recorded payload. */
const readings: Readonly<Record<string, (t: TestContext) => void | Promise<void>>> = {
  '01_v1_schema.json': async () => {
    const notes = new Notes();
    const schema = readSinglePage(recorded('01_v1_schema.json'));
    assert.equal(familyOf(schema), 'single-page');
    const center = buildSinglePage(singlePageId, schema, notes);
    assert.deepEqual(center.languages, ['en-us', 'fr']);
    assert.partialDeepStrictEqual(center, {
      template: 'enhanced',
      titleImageUrl: 'https://example.com/logo.png',
      labelSets: { fr: { topics: '[fr] Topics' } },
      translations: { 'en-us': { Logout: 'Log out' } },
    });
    assert.equal(center.welcome.entries[0]?.text, '<p>Welcome to your preference center.</p>');
    const sections = center.pages[0]?.sections ?? [];
    const kinds = sections.map(({ kind, items }) => `${kind} ${items.length}`);
    assert.deepEqual(kinds, ['ordinary 2', 'notification 1', 'profile 4']);
    const purpose = purposeIn(sections[0]?.items);
    assert.equal(purpose?.lifeSpan, 7889238);
    assert.equal(purpose.preferences[0]?.options[1]?.name.entries[1]?.text, 'Hebdomadaire');
    assert.deepEqual(notes.unread, []);
  },
  '02_v1_datasubject_preferences.json': () => {
    const subject = subjectFrom('02_v1_datasubject_preferences.json', 'user@example.com');
    assert.equal(subject.language, 'en-us');
    const preferences = [{ id: preference, options: [weekly] }];
    const on = { label: 'Marketing Communications', status: 'active', topics: [topic], preferences };
    const off = { label: 'Newsletter', status: 'off', rawStatus: 'WITHDRAWN', topics: [], preferences: [] };
    assert.deepEqual(subject.purposes, [
      { purpose: marketing, ...on },
      { purpose: newsletter, ...off },
    ]);
    assert.equal(subject.dataElements['Date of Birth'], '06/15/1985');
  },
  '02b_v1_datasubject_preferences_no_transactions.json': () => {
    const name = '02b_v1_datasubject_preferences_no_transactions.json';
    const subject = subjectFrom(name, 'new.person@example.com');
    assert.deepEqual([subject.purposes, subject.dataElements], [[], {}]);
  },
  '03_v1_put_request_seed_casing.json 03b_v1_put_request_oas_casing.json': () => {
    const seed = updateBody({ ...update, language: undefined }, 'dsDataElements');
    assert.deepEqual(seed, recorded('03_v1_put_request_seed_casing.json'));
    const ours = updateBody({ ...update, language: 'en-us' }, 'DsDataElements');
    assert.deepEqual(ours, recorded('03b_v1_put_request_oas_casing.json'));
  },
  '04_v1_put_response.json 05_v1_delete_response.json': () => {
    const item = (purpose: string, message: string) => {
      return { purpose, accepted: true, receipt, messages: [`Purpose ${message}`] };
    };
    for (const [name, became] of [
      ['04_v1_put_response.json', 'updated'],
      ['05_v1_delete_response.json', 'withdrawn'],
    ] as const) {
      const items = [item(marketing, became), item(newsletter, 'withdrawn')];
      assert.deepEqual(readConsentAnswer(recorded(name)), { items });
    }
  },
  '06_v2_preferencecenters_list.json': async (t) => {
    const body = recorded('06_v2_preferencecenters_list.json');
    const { platform } = await openPlatform(t, { answer: () => ({ body }) });
    const [summary, ...more] = await platform.listCenters();
    assert.deepEqual(more, []);
    const told = { name: 'Email Communication Preferences', template: 'MULTIPAGE' };
    assert.partialDeepStrictEqual(summary, told);
  },
  '07_v2_root_schema.json 08_v2_page_schema.json': async () => {
    const notes = new Notes();
    const root = readRoot(recorded('07_v2_root_schema.json'));
    const known = purposesById(readSinglePage(recorded('01_v1_schema.json')), notes);
    const schema = readPage(recorded('08_v2_page_schema.json'));
    const pages = readPageEntries(root, notes).map((entry) => ({ entry, schema }));
    assert.equal(pages[0]?.entry.id, '497c4383-2c61-4906-aed0-660e3fd03e01');
    const center = await buildMultiPage(singlePageId, { root, pages, known }, notes);
    assert.equal(center.hardOptOut, 'hide');
    assert.equal(center.labelSets['fr']?.['title'], 'Centre de préférences');
    const [first, ...others] = center.pages[0]?.sections ?? [];
    const kinds = others.map(({ kind, items }) => `${kind}: ${items.map((item) => item.kind)}`);
    const settings = 'subscription-settings: ';
    assert.deepEqual(kinds, ['ordinary: data-element,text', settings, 'notification: purpose']);
    // Life span and default come from the single-page schema.
    const purpose = { lifeSpan: 7889238, preferences: [{ choice: 'single' }] };
    assert.partialDeepStrictEqual(purposeIn(first?.items), purpose);
    assert.equal(purposeIn(others[2]?.items)?.onByDefault, true);
    assert.deepEqual(notes.unread, []);
  },
  '09_token_request.json 10_token_response.json': async (t) => {
    const token = { ...(recorded('10_token_response.json') as object), access_token: 'a.b.c' };
    const { platform, server } = await openPlatform(t, {
      answer: () => ({ body: { content: [], last: true } }),
      token: () => ({ body: token }),
    });
    await platform.listCenters();
    assert.equal(server.calls[0]?.headers.authorization, 'Bearer a.b.c');
    const { _how, ...sample } = recorded('09_token_request.json') as Record<string, string>;
    const sent = server.tokenCalls[0]?.body ?? '';
    for (const name of Object.keys(sample)) assert.match(sent, new RegExp(`name="${name}"`));
    assert.match(sent, new RegExp(String(sample['grant_type'])));
  },
  '11_privacynotices_list.json': () => {
    const { notices, paging } = readNoticePage(recorded('11_privacynotices_list.json'), first);
    assert.deepEqual(paging, { ...first, totalPages: 1, totalElements: 2, last: true });
    assert.equal(notices[0]?.lastPublishedDate, undefined);
    const versions = notices[1]?.versions.map(({ version, status }) => `${version} ${status}`);
    assert.deepEqual(versions, ['2 draft', '1 active']);
  },
  '12_privacynotice_by_date.json': () => {
    const notice = readNoticeVersion(recorded('12_privacynotice_by_date.json'));
    const version = { name: 'California Privacy Policy', publishedDate: '2020-05-14T00:00:48.62' };
    assert.partialDeepStrictEqual(notice, { version });
  },
  '13_privacynotice_versions.json': () => {
    const { versions } = readNoticeVersionPage(recorded('13_privacynotice_versions.json'), first);
    const guid = '625ba071-61b0-485f-81a0-a2245777b432';
    assert.deepEqual(versions[0]?.languages, [{ code: 'en-us', guid, isDefault: true }]);
  },
  '14_task_create_request.json': () => {
    const sample = recorded('14_task_create_request.json') as TaskCreate;
    const sent = taskBody({ ...sample, priority: 'medium' });
    assert.deepEqual(JSON.parse(JSON.stringify(sent)), sample);
  },
  '15_task_information.json': () => {
    assert.partialDeepStrictEqual(readTask(recorded('15_task_information.json')), {
      status: 'open',
      priority: 'medium',
      activity: 'COMPLETE_TASK',
      presentationMode: 'NAVIGATION',
      permissions: { canDelete: false },
      dueDate: { numberOfDays: 5 },
      assignments: [{ userNameWithAttributes: 'John Doe (Manager)' }],
      createdDate: '2023-01-15T14:30:00Z',
      taskType: { label: 'Document Review' },
    });
  },
  '22_error_shapes.json': async (t) => {
    const shapes = recorded('22_error_shapes.json') as Record<string, Record<string, string>>;
    for (const [name, shape] of Object.entries(shapes)) {
      if (name.startsWith('429_headers')) {
        const headers = { 'retry-after': shape['Retry-After'] };
        assert.equal(retryAfterSeconds({ headers }, 0), Number(shape['Retry-After']));
        continue;
      }
      const { platform } = await openPlatform(t, { answer: () => ({ status: 409, body: shape }) });
      await assert.rejects(platform.listNotices(first), { code: 'platform-refused' });
    }
  },
};

/** Payloads of calls that this client never makes. */
const neverCalled = [
  '16_purpose_create_request.json',
  '17_purpose_create_response.json',
  '18_custompreference_create_request.json',
  '19_custompreference_create_response.json',
  '20_linktokens_list.json',
  '21_consentreceipt_unsubscribe_reason.json',
];

const topic = '497c4383-2c61-4906-aed0-660e3fd03ef0';
const preference = 'c4a57a38-3774-45ad-9fa4-dbc545542232';
const [weekly, monthly] = ['ca0fc41b-b28a-4335-804c-44d1f0f782ed', 'da0fc41b-b28a-4335-804c-44d1f0f782ee'];
const preferences = [{ id: preference, options: [weekly, monthly] }];
const update = {
  purposes: [{ id: marketing, topics: [topic], preferences }],
  dataElements: { 'First Name': 'John', Country: 'US' },
};

function purposeIn(items: readonly { kind: string; purpose?: Purpose }[] | undefined): Purpose | undefined {
  return items?.find(({ kind }) => kind === 'purpose')?.purpose;
}

function subjectFrom(name: string, identifier: string): Subject {
  const subject = subjectId(identifier);
  return readSubjectAnswer(recorded(name), {
    subject,
    sentAs: subject,
    dropped: () => assert.fail('something was dropped'),
  });
}

describe('recorded payloads', () => {
  it('every recorded payload is read here, or belongs to a call that is never made', () => {
    const read = Object.keys(readings).flatMap((names) => names.split(' '));
    assert.deepEqual([...read, ...neverCalled].sort(), recordedNames);
  });
  for (const [name, read] of Object.entries(readings)) it(`${name} has its expected reading`, read);
});
