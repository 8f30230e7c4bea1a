import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import * as z from 'zod';
import { toldSentence } from '../../src/core/model/center/told-member.ts';
import { findLabel } from '../../src/i18n/label.ts';
import en from '../../src/i18n/messages/en.json' with { type: 'json' };
import { foldedName, type Member, type ObjectTable } from '../../src/upstream/members/member.ts';
import { record } from '../../src/upstream/members/records.ts';
import { pageSchema, rootSchema, singlePageSchema } from '../../src/upstream/members/schemas.ts';
import { labelSet } from '../../src/upstream/members/settings.ts';
import { ToldMembers } from '../../src/upstream/members/tell.ts';
import { portalTexts } from '../../src/upstream/members/texts.ts';
import { Notes } from '../../src/upstream/notes.ts';
import { buildMultiPage, readPageEntries } from '../../src/upstream/wire-multi-page.ts';
import { readNoticePage, readNoticeVersion, readNoticeVersionPage } from '../../src/upstream/wire-notices.ts';
import { readLabels } from '../../src/upstream/wire-settings.ts';
import { buildSinglePage } from '../../src/upstream/wire-single-page.ts';
import { readTask } from '../../src/upstream/wire-tasks.ts';
import { documents } from '../contract/documents.ts';
import { aCenter } from '../core/center-builder.ts';
import { answer, centerList, change } from './members/calls.ts';
import { objectTables, printTables } from './members/table.ts';
import { newTask, notice, noticeList, task, taskChange, versionList } from './members/work.ts';
import { readPage, readRoot, readSinglePage, recorded, singlePageId } from './recorded.ts';

const here = import.meta.dirname;
const membersOfInterface = z
  .record(z.string(), z.record(z.string(), z.array(z.string())))
  .parse(JSON.parse(readFileSync(join(here, 'interface-members.json'), 'utf8')));

const tableOf = new Map(objectTables.map((table) => [table.name, table]));

function memberOf(table: ObjectTable | undefined, name: string): Member | undefined {
  const folded = foldedName(name);
  return table !== undefined && Object.hasOwn(table.members, folded) ? table.members[folded] : undefined;
}

/** Values about which the row of a member says nothing. */
function silentValues(member: Member | undefined, values: readonly string[]): readonly string[] {
  if (member === undefined || member.verdict === 'unused' || /as it comes$/.test(member.words)) return [];
  if (member.values === undefined) return member.quiet === undefined ? values : [];
  const known = new Set(Object.keys(member.values));
  return values.filter((value) => !known.has(value.toUpperCase()));
}

function toldOf(body: unknown, table: ObjectTable) {
  const told = new ToldMembers();
  told.look('schema', body, table);
  return told.all;
}

/** The schemas of the three documents; each names its own paging in the same way. */
const contract: Readonly<Record<string, unknown>> = Object.assign(
  {},
  ...Object.values(documents).map(({ components }) => components.schemas),
);

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const nothing: ObjectTable = { name: 'nothing', members: {} };

/** Members and values in a schema of the contract about which the table says nothing. */
function silentInContract(name: string, table: ObjectTable, seen = new Set<string>()): readonly string[] {
  if (seen.has(`${name} ${table.name}`)) return [];
  seen.add(`${name} ${table.name}`);
  const { properties = {} } = z
    .object({ properties: z.record(z.string(), z.unknown()).optional() })
    .parse(contract[name]);
  return Object.entries(properties).flatMap(([property, schema]): readonly string[] => {
    const member = memberOf(table, property);
    if (member === undefined) return [`${name}.${property}`];
    if (!isJson(schema)) return [];
    const items = isJson(schema['items']) ? schema['items'] : undefined;
    const values = [schema, items ?? {}].flatMap((one) => (Array.isArray(one['enum']) ? one['enum'] : []));
    const words = values.filter((value) => typeof value === 'string');
    const reference = schema['$ref'] ?? items?.['$ref'];
    const below =
      typeof reference === 'string' && member.verdict !== 'unused'
        ? silentInContract(reference.split('/').at(-1) ?? '', member.holds ?? nothing, seen)
        : [];
    return [...silentValues(member, words).map((value) => `${name}.${property}: ${value}`), ...below];
  });
}

/** Bodies that hold the object of a table, one for each path to it. */
function bodiesWith(root: ObjectTable, target: ObjectTable, planted: unknown): readonly unknown[] {
  const visit = (table: ObjectTable, above: readonly ObjectTable[]): readonly unknown[] => {
    if (table === target) return [planted];
    if (above.includes(table)) return [];
    return Object.entries(table.members).flatMap(([name, { holds, holdsByName }]) => {
      const inside = [...above, table];
      const held = holds === undefined ? [] : visit(holds, inside).map((body) => ({ [name]: [body] }));
      const named =
        holdsByName === undefined ? [] : visit(holdsByName, inside).map((body) => ({ [name]: { en: body } }));
      return [...held, ...named];
    });
  };
  return visit(root, []);
}

/** Values of a member that must be told. */
function toldValues({ verdict, values, otherValue }: Member): readonly unknown[] {
  const isTold = (fate: { readonly verdict: string } | undefined) =>
    fate?.verdict === 'told' || fate?.verdict === 'refused';
  if (values === undefined) return verdict === 'told' ? ['x', 7, [1]] : [];
  const known = Object.entries(values).filter(([, fate]) => isTold(fate));
  return [...known.map(([value]) => value), ...(isTold(otherValue) ? ['SOMETHING_NEW'] : [])];
}

const schemas = [singlePageSchema, rootSchema, pageSchema];

suite('Members of the interface', () => {
  test('every member and value has a row in the table', () => {
    const silent = Object.entries(membersOfInterface).flatMap(([name, members]) =>
      Object.entries(members).flatMap(([member, values]) => {
        const found = memberOf(tableOf.get(name), member);
        if (found === undefined) return [`${name}: ${member}`];
        return silentValues(found, values).map((value) => `${name}: ${member} = ${value}`);
      }),
    );
    assert.deepEqual(silent, []);
    assert.equal(Object.keys(membersOfInterface['general texts'] ?? {}).length, 57);
  });

  test('every member and value of the contract has a row in the table', () => {
    const silent = [
      ['PreferenceCenterDto', singlePageSchema],
      ['AdvancedPreferenceCenterDto_RootPublicAPI', rootSchema],
      ['PreferenceCenterPageDto_PagePublicAPI', pageSchema],
      ['PreferenceCenterPurposesByIdentifier', record],
      ['DataSubjectPreferencesRequestDto', change],
      ['DataSubjectPreferencesResponseDto', answer],
      ['PagePreferenceCenterSummaryDtoV2', centerList],
      ['PagePrivacyNoticeDtoV2', noticeList],
      ['PrivacyNoticeWithVersionDtoV2', notice],
      ['PagePrivacyNoticeVersionDetailsDtoV2', versionList],
      ['TaskInformation', task],
      ['TaskCreateRequest', newTask],
      ['TaskUpdateRequest', taskChange],
    ] as const;
    for (const [name, table] of silent) assert.deepEqual(silentInContract(name, table), []);
  });

  test('docs/platform-api.md holds the table (node scripts/members.mjs writes it)', () => {
    const page = readFileSync(join(here, '../../docs/platform-api.md'), 'utf8');
    assert.ok(page.includes(printTables()));
  });
});

suite('A member or value of a schema', () => {
  test('a member that is not honoured is told in every kind of object', () => {
    let count = 0;
    for (const root of schemas)
      for (const table of objectTables)
        for (const [name, member] of Object.entries(table.members))
          for (const value of toldValues(member))
            for (const body of bodiesWith(root, table, { [name]: value })) {
              const isTold = toldOf(body, root).some(({ path }) => path.endsWith(name));
              assert.ok(isTold, `${root.name}: ${table.name}: ${name} = ${value}`);
              count += 1;
            }
    assert.ok(count > 50, `${count} planted`);
  });

  test('an unknown member is told by name and path, in every kind of object', () => {
    for (const root of schemas)
      for (const table of objectTables)
        for (const body of bodiesWith(root, table, { Glitter: null })) {
          const told = toldOf(body, root).map(toldSentence).join();
          assert.match(told, /Glitter is not known/, `${root.name}: ${table.name}`);
        }
    const [one] = toldOf({ Purposes: [{}, { Topics: [{ Colour: 'red' }] }] }, singlePageSchema);
    assert.equal(one?.path, 'single-page schema: Purposes[1].Topics[0].Colour');
  });

  test('only an identifier that the center would let people edit is told', () => {
    const flags = [{}, { ReadOnly: false, Hidden: false }, { ReadOnly: true }, { Hidden: true }];
    const elements = flags.map((each) => ({ IsIdentifier: true, ...each }));
    const body = { ProfileSettings: { DataElements: [...elements, { IsIdentifier: false }] } };
    const told = toldOf(body, singlePageSchema);
    const path = 'single-page schema: ProfileSettings.DataElements[0].IsIdentifier';
    assert.equal(told.length, 1);
    assert.partialDeepStrictEqual(told[0], { verdict: 'told', path, value: 'true', count: 2 });
  });

  test('an empty member and a flag that is off are not told', () => {
    const quiet = { conditionalRules: null, identifierType: '', purposes: [{ visibility: null }] };
    assert.deepEqual(toldOf({ sections: [quiet], messages: [] }, pageSchema), []);
    assert.deepEqual(toldOf({ EnableMultipleIdentities: false }, singlePageSchema), []);
  });

  test('a repeated member is told once, with its count', () => {
    const body = { Purposes: Array.from({ length: 500 }, () => ({ PurposeType: 'IAB', Glow: 1 })) };
    const told = toldOf(body, singlePageSchema).map(({ path, value, count }) => `${path} ${value} ${count}`);
    const at = 'single-page schema: Purposes[0]';
    assert.deepEqual(told, [`${at}.PurposeType IAB 500`, `${at}.Glow undefined 500`]);
  });

  test('a hostile name is told short and without control characters', () => {
    const body = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`\u001b[31m${at}${'x'.repeat(1_000)}`, 'y'.repeat(1_000)]),
    );
    const told = toldOf(body, singlePageSchema);
    assert.equal(told.length, 200);
    for (const one of told) assert.match(toldSentence(one), /^[\x20-\x7e]{1,120}$/);
  });
});

suite('A member that is honoured', () => {
  /** Notes every read of a member, by the table of its object. */
  function watched(
    value: unknown,
    table: ObjectTable | undefined,
    asked: Map<ObjectTable, Set<string>>,
  ): unknown {
    if (Array.isArray(value)) return value.map((each) => watched(each, table, asked));
    if (!isJson(value) || table === undefined) return value;
    const names = asked.get(table) ?? new Set();
    asked.set(table, names);
    const note = (name: string | symbol) => names.add(foldedName(String(name)));
    const inside = Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        const { holds, holdsByName } = memberOf(table, name) ?? {};
        if (holdsByName === undefined || !isJson(each)) return [name, watched(each, holds, asked)];
        const byName = Object.entries(each).map(([key, one]) => [key, watched(one, holdsByName, asked)]);
        return [name, Object.fromEntries(byName)];
      }),
    );
    return new Proxy(inside, {
      get(target, name) {
        note(name);
        return Reflect.get(target, name);
      },
      getOwnPropertyDescriptor(target, name) {
        note(name);
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
  }

  test('the readers read every honoured member, and no unused one', async () => {
    const asked = new Map<ObjectTable, Set<string>>();
    const single = watched(recorded('01_v1_schema.json'), singlePageSchema, asked);
    buildSinglePage(singlePageId, readSinglePage(single), new Notes());
    const notes = new Notes();
    const root = readRoot(watched(recorded('07_v2_root_schema.json'), rootSchema, asked));
    const page = readPage(watched(recorded('08_v2_page_schema.json'), pageSchema, asked));
    const pages = readPageEntries(root, notes).map((entry) => ({ entry, schema: page }));
    await buildMultiPage(singlePageId, { root, pages, known: undefined }, notes);
    readTask(watched(recorded('15_task_information.json'), task, asked));
    const first = { page: 0, size: 20 };
    readNoticePage(watched(recorded('11_privacynotices_list.json'), noticeList, asked), first);
    readNoticeVersion(watched(recorded('12_privacynotice_by_date.json'), notice, asked));
    readNoticeVersionPage(watched(recorded('13_privacynotice_versions.json'), versionList, asked), first);
    const faults = [...asked].flatMap(([table, names]) => {
      if (table === labelSet || table === portalTexts) return [];
      return Object.entries(table.members).flatMap(([name, { verdict }]) => {
        // The version is read before it is watched.
        const isRead = names.has(name) || name === 'version';
        return (verdict === 'honoured' && !isRead) || (verdict === 'unused' && names.has(name))
          ? [`${table.name}: ${name} is ${verdict}`]
          : [];
      });
    });
    assert.deepEqual(faults, []);
    assert.ok(asked.size > 15, `${asked.size} kinds of objects`);
  });

  test('a general text is shown under a label exactly if it is honoured', () => {
    const general = Object.keys(en.labels) as readonly (keyof typeof en.labels)[];
    const own = [
      ...(['reasons-label', 'invalid-phone', 'character-limit', 'passcode-attempts'] as const),
      ...(['passcode-timer', 'always-active', 'locked-off', 'sign-in-intro', 'link-invalid'] as const),
      ...(['profile-success', 'profile-error', 'confirmed', 'unconfirmed'] as const),
    ];
    for (const [name, { verdict }] of Object.entries(portalTexts.members)) {
      const key = name.slice('consent.Ds.Portal.'.length);
      if (key === 'WelcomeMessage') continue;
      const center = aCenter([], { translations: { 'en-us': { [key]: 'Xyz' } } });
      const isShown = [...general, ...own].some((each) => findLabel(center, 'en-us', each) === 'Xyz');
      assert.equal(isShown, verdict === 'honoured', key);
    }
  });

  test('a label of a set is kept exactly if it is honoured', () => {
    for (const [name, { verdict }] of Object.entries(labelSet.members)) {
      const sets: [string, unknown][] = [['en', { [name]: 'Xyz' }]];
      const read = readLabels(sets, [], { defaultLanguage: 'en', notes: new Notes() });
      assert.equal(/Xyz/.test(JSON.stringify(read)), verdict === 'honoured', name);
    }
  });
});
