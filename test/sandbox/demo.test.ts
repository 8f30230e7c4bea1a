import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import { at, listAt, NOTICES, ofEach, openTenant, PAGES, subjectPath, TASKS, V1, V2 } from './tenant.ts';

const DEMO = join(import.meta.dirname, '../../src/sandbox/demo');
const FILES = globSync('**/*.json', { cwd: DEMO });
const FULL = ['en', 'en-us', 'fr', 'de', 'ar'];

const schemas: unknown[] = [];
const roots: unknown[] = [];
const pages: unknown[] = [];
/** Entries of the list of people, with the answer for each person. */
const people: { person: unknown; body: unknown }[] = [];

/** All data is fetched over HTTP, so that each answer is checked against the contract. */
const tenant = forSuite(() => openTenant({ demo: true }));
before(async () => {
  for (const center of listAt((await tenant.call('GET', V2)).body, 'content')) {
    const id = String(at(center, 'id'));
    schemas.push((await tenant.call('GET', `${V1}/${id}/preferences`)).body);
    if (at(center, 'template') !== 'MULTIPAGE') continue;
    const root = (await tenant.call('GET', `${V2}/${id}/schema`)).body;
    roots.push(root);
    for (const page of listAt(root, 'pages')) {
      const reply = await tenant.call('GET', `${PAGES}/${at(page, 'id')}/schema`);
      assert.equal(reply.status, 200);
      pages.push(reply.body);
    }
  }
  for (const person of listAt((await tenant.call('GET', '/_sandbox/subjects')).body)) {
    const identifier = String(at(person, 'identifier'));
    const { status, body } = await tenant.call('GET', subjectPath(String(at(person, 'center'))), {
      identifier,
    });
    assert.equal(status, 200);
    people.push({ person, body });
  }
});

/** Collects the values of a member at any depth. */
function valuesOf(value: unknown, member: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesOf(item, member));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name.toLowerCase() === member.toLowerCase() ? [inner] : []),
    ...valuesOf(inner, member),
  ]);
}

function assertHas(values: unknown[], wanted: readonly unknown[]): void {
  assert.deepEqual([...new Set(wanted).difference(new Set(values))], []);
}

/** Asserts that each member has all the given values somewhere. */
function assertAll(within: unknown, members: Readonly<Record<string, readonly unknown[]>>): void {
  for (const [member, wanted] of Object.entries(members)) assertHas(valuesOf(within, member), wanted);
}

describe('the demo data', () => {
  test('the demo has a center of each template, and a center with three pages in its navigation', () => {
    assertHas(valuesOf(schemas, 'Template'), ['ORIGINAL', 'ENHANCED', 'MULTIPAGE']);
    assert.equal(pages.filter((page) => at(page, 'navigationEnabled') === true).length, 3);
    assert.ok(pages.some((page) => at(page, 'isHidden') === true && at(page, 'navigationEnabled') === false));
  });

  test('the demo uses every value of each enumeration', () => {
    const single = schemas.filter((schema) => at(schema, 'Template') !== 'MULTIPAGE');
    const either = [true, false];
    const DisplayAs = ['BUTTONS', 'CHECKBOXES', 'DROPDOWN', 'RADIO_BUTTONS'];
    for (const family of [single, pages]) {
      assertAll(valuesOf(family, 'CustomPreferences'), { DisplayAs });
      assertAll(family, {
        SelectionType: ['SINGLE_CHOICE', 'MULTI_CHOICE'],
        dataElementType: [
          ...['USER_INPUT', 'SELECTION', 'EMAIL', 'NUMBER', 'DATE_PICKER', 'COUNTRY', 'STATE'],
          ...['COUNTRY_CODE', 'PHONE_NUMBER', 'STATE_CODE'],
        ],
        required: either,
        isDefault: either,
        hidden: either,
        readOnly: either,
      });
    }
    assertAll(pages, {
      visibility: ['VISIBLE_TO_ALL', 'VISIBLE_TO_CONSENTED', 'VISIBLE_TO_PRIOR_CONSENTED'],
      isSubscriptionSettings: [true],
    });
    assertAll(single, { PurposeType: ['STANDARD', 'NOTIFICATION_OPT_OUT'] });
    assertAll(schemas, { DefaultConsentStatus: ['ACTIVE', 'OPT_OUT'] });
    assertAll([roots, schemas], { hardOptOutFormat: ['HIDE', 'LOCK'], enableReasons: either });
    assertAll([roots, pages], { displaySubscribeAll: [true], displayUnsubscribeAll: [true] });
    assertAll(roots, { autoCheckTopics: [true] });
    assert.ok(valuesOf(single, 'HardOptOutMessage').length > 0);
    assert.ok(valuesOf(single, 'LifeSpan').some((span) => Number(span) > 0));
    assert.ok(valuesOf(pages, 'content').some((html) => String(html).includes('<ul>')));
  });

  test('the demo has people with each status, and in each center a person with nothing on record', () => {
    const recorded = people.filter(({ body }) => at(body, 'Status') === 200);
    assert.ok(recorded.length >= 6);
    assertAll(people, {
      TransactionStatus: [
        ...['ACTIVE', 'WITHDRAWN', 'PENDING', 'EXPIRED', 'HARD_OPT_OUT', 'ALWAYS_ACTIVE', 'IMPLICIT'],
        'NOT_OPT_OUT',
      ],
    });
    const fresh = people.filter(({ body }) => at(body, 'Status') === 400);
    assertHas(valuesOf(fresh, 'center'), valuesOf(people, 'center'));
    assertHas(valuesOf(people, 'language'), ['fr', 'de', 'ar', 'it']);
  });

  test('every topic and option on record has a name', () => {
    for (const purpose of valuesOf(people, 'Purposes').flat()) {
      assert.notEqual(at(purpose, 'Label'), '');
      const options = valuesOf(at(purpose, 'CustomPreferences'), 'Options').flat();
      for (const name of [...ofEach(purpose, 'Topics', 'Name'), ...ofEach({ options }, 'options', 'Label')])
        assert.equal(typeof name, 'string', String(at(purpose, 'Label')));
    }
  });

  test('the demo is complete in English, French, German and Arabic, and incomplete in Italian', () => {
    for (const source of [...schemas, ...roots]) {
      const sets = Object(at(source, 'Translations') ?? at(source, 'translations'));
      const sizes = Object.entries<object>(sets).map(
        ([tag, texts]) => [tag, Object.values(texts).filter((text) => text !== '').length] as const,
      );
      const full = sizes[0]?.[1] ?? 0;
      for (const [tag, size] of sizes) assert.ok(FULL.includes(tag) ? size === full : size < full, tag);
    }
    for (const languages of valuesOf([schemas, pages, roots], 'Languages')) {
      if (!Array.isArray(languages) || languages.length === 0 || typeof languages[0] === 'string') continue;
      assertHas(valuesOf(languages, 'language'), ['fr', 'de', 'ar']);
      for (const entry of languages)
        assert.notEqual(at(entry, 'Name') ?? at(entry, 'name') ?? at(entry, 'content'), '');
    }
    assertHas(valuesOf([schemas, roots], 'isCompleted'), [false]);
  });

  test('the demo has thirty notices with every status and eight tasks, and all can be read', async () => {
    const { body } = await tenant.call('GET', `${NOTICES}?size=50`);
    assert.ok(listAt(body, 'content').length >= 30);
    assertHas(valuesOf(body, 'status'), ['DRAFT', 'ACTIVE', 'INACTIVE', 'RETIRED']);
    for (const notice of listAt(body, 'content')) {
      const versions = await tenant.call('GET', `${NOTICES}/${at(notice, 'id')}/versions`);
      assert.equal(at(versions.body, 'totalElements'), at(notice, 'numberOfVersions'));
    }
    const tasks = FILES.filter((file) => file.startsWith('tasks'));
    assert.ok(tasks.length >= 8);
    for (const file of tasks) {
      const id = at(JSON.parse(readFileSync(join(DEMO, file), 'utf8')), 'id');
      assert.equal((await tenant.call('GET', `${TASKS}/${String(id)}?taskTypeNameKey=Issue`)).status, 200);
    }
  });

  test('the demo is small and causes no warning', () => {
    const bytes = FILES.reduce((sum, file) => sum + statSync(join(DEMO, file)).size, 0);
    assert.ok(bytes < 600_000, `${bytes} bytes`);
    assert.deepEqual(tenant.lines, []);
  });
});
