import assert from 'node:assert/strict';
import { after, suite } from 'node:test';
import { createVisitor } from '../kit/visitor.ts';
import { type ScriptedPlatform, startScripted } from '../upstream/scripted-platform.ts';
import { times } from './dice.ts';
import {
  answerBytes,
  guid,
  linkInto,
  longPurpose,
  many,
  opened,
  probedBefore,
  probing,
  realPurpose,
  schemaBytes,
} from './probed.ts';
import { save } from './rig.ts';

const base = {
  Status: 200,
  Template: 'ORIGINAL',
  Language: 'en',
  Languages: ['en'],
  PortalSettings: {},
  ProfileSettings: {},
};
const tag = (index: number) => `aa-${index.toString(36)}`;
const tiny = (index: number) => ({ Id: index.toString(36) });
const count = (length: number, make: (index: number) => unknown) =>
  Array.from({ length }, (_, index) => make(index));
const ofPurposes = (Purposes: unknown[]) => ({ ...base, Purposes });
const ofOne = (members: object) => ofPurposes([{ Id: 'a', ...members }]);
const ofElements = (DataElements: unknown[]) => ({
  ...base,
  ProfileSettings: { IsEnabled: true, DataElements },
});
const welcome = (html: string) => {
  const text = { 'Consent.Ds.Portal.WelcomeMessage': html.repeat(19_900 / html.length) };
  return { ...base, Translations: Object.fromEntries(count(104, tag).map((language) => [language, text])) };
};
const elementOptions = () => many((index) => ({ Id: `k${index}`, Name: 'x'.repeat(60) }), schemaBytes / 2);

/** The answers of the small form, one of each kind: bytes, items, texts, HTML, depth, a record, pages. */
const few = [
  'what a page needs',
  'zeros for purposes',
  '9,999 tiny purposes',
  'real purposes',
  'long texts',
  'options of a data element',
  'welcome of headings that never end',
  'deep objects',
  'purposes with long labels',
  'topics of one purpose',
  'a small page, and two of 2 MiB',
];
const isTaken = (name: string) => times(few.includes(name), true);

/** Schemas. One with too many objects or members is refused unread, so that one of each is enough. */
const schemas: Readonly<Record<string, () => unknown>> = {
  'what a page needs': () => ofOne({ Label: 'A', Status: 'ACTIVE' }),
  'empty purposes': () => ofPurposes(many(() => ({}))),
  'zeros for purposes': () => ofPurposes(many(() => 0)),
  '9,999 tiny purposes': () => ofPurposes(count(9_999, tiny)),
  'real purposes': () => ofPurposes(many(realPurpose, answerBytes)),
  'real purposes, 300 in 5 languages': () => ofPurposes(count(300, (index) => longPurpose(index, 5))),
  'real purposes, 50 in 30 languages': () => ofPurposes(count(50, (index) => longPurpose(index, 30))),
  'real purposes in 5 languages, as many as fit': () => ofPurposes(many((index) => longPurpose(index, 5))),
  'purposes of one id': () => ofPurposes(many(() => ({ Id: 'a', Label: 'x'.repeat(1_900) }))),
  'long texts': () => ofPurposes(many((index) => ({ Id: `a${index}`, Description: 'x y <'.repeat(4_000) }))),
  '9,999 topics of one purpose': () => ofOne({ Topics: count(9_999, tiny) }),
  '9,999 options of one preference': () =>
    ofOne({
      CustomPreferences: [{ Id: 'p', Options: count(9_999, (index) => ({ Id: `o${index}`, Label: 'x' })) }],
    }),
  translations: () =>
    ofOne({ Languages: many((index) => ({ Language: tag(index), Name: 'x'.repeat(100) })) }),
  'reasons for leaving': () => ({
    ...base,
    PortalSettings: {
      EnableReasons: true,
      UnsubscribeReasons: many((index) => `reason ${index} `.repeat(20)),
    },
  }),
  'data elements': () =>
    ofElements(many((index) => ({ Id: `e${index}`, Label: `label ${index}`.repeat(20) }))),
  'options of a data element': () =>
    ofElements([
      {
        Id: 'a',
        Label: 'x',
        DataElementType: 'SELECTION',
        Languages: [{ Language: 'fr', DataElementOptions: elementOptions() }],
        DataElementOptions: elementOptions(),
      },
    ]),
  'welcome of signs': () => welcome('<'),
  'welcome of headings that never end': () => welcome('<h1 '),
  'welcome of blanks': () => welcome('&nbsp; '),
  'deep lists': () => `${'['.repeat(90_000)}${']'.repeat(90_000)}`,
  'deep objects': () => `${'{"a":'.repeat(49_000)}1${'}'.repeat(49_000)}`,
  'one long string': () => ({ ...base, Template: 'x'.repeat(schemaBytes - 200) }),
  'one long key': () => ({ ...base, ['x'.repeat(schemaBytes - 200)]: 1 }),
};

/** The members of records, beside the identifier, which each has. */
const records: Readonly<Record<string, () => object>> = {
  'empty purposes': () => ({ Purposes: many(() => ({}), answerBytes - 100) }),
  'purposes with long labels': () => ({
    Purposes: many(
      (index) => ({ Id: guid(index), Label: 'x'.repeat(50), TransactionStatus: 'ACTIVE' }),
      answerBytes - 100,
    ),
  }),
  'one purpose again and again': () => ({
    Purposes: many(
      (index) => ({
        Id: 'a',
        Label: 'x'.repeat(60),
        TransactionStatus: 'ACTIVE',
        Topics: [{ Id: `t${index}` }],
        CustomPreferences: [{ Id: 'p', Options: [{ Id: `o${index}` }] }],
      }),
      answerBytes - 100,
    ),
  }),
  'topics of one purpose': () => {
    const Topics = many((index) => ({ Id: guid(index) }), answerBytes - 200);
    return { Purposes: [{ Id: 'a', TransactionStatus: 'ACTIVE', Topics }] };
  },
  'data elements': () => ({
    Purposes: [],
    DsDataElements: Object.fromEntries(
      many((index) => `element ${index}`, answerBytes / 2).map((each) => [each, 'x']),
    ),
  }),
  'a long name': () => ({ DataSubjectId: 'A'.repeat(answerBytes - 100), Purposes: [] }),
};

/** A purpose as pages of a Multi Page center write it: the same members, which begin with a small letter. */
function onPage(index: number): unknown {
  const { Languages, ...rest } = realPurpose(index);
  const named = Languages.map(({ Language, Name }) => ({ Language, Name }));
  const written = JSON.stringify({ ...rest, DefaultConsentStatus: 'ACTIVE', Languages: named });
  return JSON.parse(
    written.replaceAll(/"[A-Z]\w*":/g, (name) => `"${name.charAt(1).toLowerCase()}${name.slice(2)}`),
  );
}

const pageId = (place: number) => `9a9e0000-0000-4000-8000-${String(place).padStart(12, '0')}`;
const pageOf = (place: number, bytes: number) => ({
  order: place,
  languages: [{ language: 'en', name: `Page ${place}` }],
  sections: [{ id: 's', purposes: many((index) => onPage(place * 100_000 + index), bytes) }],
});

const pagesOf: Readonly<Record<string, () => readonly object[]>> = {
  'a small page, and two of 2 MiB': () => [
    pageOf(0, 2_000),
    pageOf(1, answerBytes - 10_000),
    pageOf(2, answerBytes - 10_000),
  ],
  '50 pages, 4 MiB together': () => Array.from({ length: 50 }, (_, place) => pageOf(place, 80_000)),
};

suite('The worst answers of a platform', () => {
  const names = Object.keys(schemas);
  const shapes = Object.keys(pagesOf);
  let server: ScriptedPlatform;
  let record: (() => object) | undefined;
  const bodies = new Map<string, string>();
  /** The pages of the Multi Page center that is asked for. */
  let pages: readonly object[] = [];
  const { check, product } = probing(async () => {
    server = await startScripted(({ path, headers }) => {
      const DataSubjectId = String(headers['identifier'] ?? '');
      if (path.includes('/datasubjects/'))
        return { body: JSON.stringify({ Status: 200, DataSubjectId, Purposes: [], ...record?.() }) };
      const [, place] = /preferencecenterpage\/9a9e0000-0000-4000-8000-0*(\d+)\//.exec(path) ?? [];
      if (place !== undefined) return { body: pages[Number(place)] ?? {} };
      const [digits = ''] = /8000-0*(\d+)/.exec(path)?.slice(1) ?? [];
      const index = Number(digits) % 100;
      if (index >= names.length) {
        if (!path.includes('/v2/')) return { status: 404 };
        const entries = pages.map((_, at) => ({ id: pageId(at), order: at }));
        return { body: { pages: entries, languages: ['en'], defaultLanguage: 'en' } };
      }
      const body = bodies.get(names[index] ?? '');
      return body === undefined ? { status: 404 } : { body };
    });
    return probedBefore(server, names.length + shapes.length);
  });
  after(() => server?.close());

  async function view(index: number, turn: number): Promise<number> {
    const { status } = await opened(createVisitor(product().url), await linkInto(product(), index, turn));
    assert.ok([200, 502].includes(status), `${status}`);
    return status;
  }

  for (const [index, name] of names.entries()) {
    if (!isTaken(name)) continue;
    check(`a schema: ${name}`, async (turn) => {
      if (turn === 0) prepare(name);
      const status = await view(index, turn);
      if (turn === 0 && /^what a page needs|^real purposes/.test(name)) assert.equal(status, 200);
    });
  }

  function prepare(name: string): void {
    const made = schemas[name]?.();
    const text = typeof made === 'string' ? made : JSON.stringify(made);
    assert.ok(Buffer.byteLength(text) <= 4 * 1_024 * 1_024);
    bodies.set(name, text);
  }

  for (const [name, make] of Object.entries(records)) {
    if (!isTaken(name)) continue;
    check(`a record: ${name}`, async () => {
      prepare('what a page needs');
      record = make;
      assert.ok(JSON.stringify(make()).length <= 2 * 1_024 * 1_024);
      await view(0, 0);
      record = undefined;
    });
  }

  for (const [index, name] of shapes.entries()) {
    if (!isTaken(name)) continue;
    check(`a Multi Page center: ${name}`, async (turn) => {
      pages = pagesOf[name]?.() ?? [];
      const visitor = createVisitor(product().url);
      const page = await opened(visitor, await linkInto(product(), names.length + index, turn));
      assert.equal(page.status, 200);
      const answer = await visitor.submit(page, (form) => form.untick('purpose', guid(1)), save);
      assert.ok([200, 202].includes(answer.status), `${answer.status}`);
    });
  }
});
