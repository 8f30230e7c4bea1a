import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { ProductProcess } from '../kit/product.ts';
import { createVisitor } from '../kit/visitor.ts';
import { type ScriptedPlatform, startScripted } from '../upstream/scripted-platform.ts';
import { times } from './dice.ts';
import {
  answerBytes,
  guid,
  linkInto,
  longest,
  longPurpose,
  many,
  opened,
  probedBefore,
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
const welcome = (html: string) => ({
  ...base,
  Translations: Object.fromEntries(
    Array.from({ length: 104 }, (_, index) => [
      `aa-${index.toString(36)}`,
      { 'Consent.Ds.Portal.WelcomeMessage': html.repeat(19_900 / html.length) },
    ]),
  ),
});
const tag = (index: number) => `aa-${index.toString(36)}`;
const tiny = (index: number) => ({ Id: index.toString(36) });
const options = (make: unknown[]) => ({
  ...base,
  Purposes: [{ Id: 'a', CustomPreferences: [{ Id: 'p', Options: make }] }],
});

const ofLanguages = (purposes: number, languages: number) => ({
  ...base,
  Purposes: Array.from({ length: purposes }, (_, index) => longPurpose(index, languages)),
});

/** Of each kind one, in the small form: bytes, items, texts, HTML, depth, a record, pages. */
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

/** What holds more objects or members than may be is refused unread: one of each is enough. */
const schemas: Readonly<Record<string, () => unknown>> = {
  'what a page needs': () => ({ ...base, Purposes: [{ Id: 'a', Label: 'A', Status: 'ACTIVE' }] }),
  'empty purposes': () => ({ ...base, Purposes: many(() => ({})) }),
  'zeros for purposes': () => ({ ...base, Purposes: many(() => 0) }),
  '9,999 tiny purposes': () => ({
    ...base,
    Purposes: Array.from({ length: 9_999 }, (_, index) => tiny(index)),
  }),
  'real purposes': () => ({ ...base, Purposes: many(realPurpose, answerBytes) }),
  'real purposes, 300 in 5 languages': () => ofLanguages(300, 5),
  'real purposes, 50 in 30 languages': () => ofLanguages(50, 30),
  'real purposes in 5 languages, as many as fit': () => ({
    ...base,
    Purposes: many((index) => longPurpose(index, 5)),
  }),
  'purposes of one id': () => ({ ...base, Purposes: many(() => ({ Id: 'a', Label: 'x'.repeat(1_900) })) }),
  'long texts': () => ({
    ...base,
    Purposes: many((index) => ({ Id: `a${index}`, Description: 'x y <'.repeat(4_000) })),
  }),
  '9,999 topics of one purpose': () => ({
    ...base,
    Purposes: [{ Id: 'a', Topics: Array.from({ length: 9_999 }, (_, index) => tiny(index)) }],
  }),
  '9,999 options of one preference': () =>
    options(Array.from({ length: 9_999 }, (_, index) => ({ Id: `o${index}`, Label: 'x' }))),
  translations: () => ({
    ...base,
    Purposes: [{ Id: 'a', Languages: many((index) => ({ Language: tag(index), Name: 'x'.repeat(100) })) }],
  }),
  'reasons for leaving': () => ({
    ...base,
    PortalSettings: {
      EnableReasons: true,
      UnsubscribeReasons: many((index) => `reason ${index} `.repeat(20)),
    },
  }),
  'data elements': () => ({
    ...base,
    ProfileSettings: {
      IsEnabled: true,
      DataElements: many((index) => ({ Id: `e${index}`, Label: `label ${index}`.repeat(20) })),
    },
  }),
  'options of a data element': () => ({
    ...base,
    ProfileSettings: {
      IsEnabled: true,
      DataElements: [
        {
          Id: 'a',
          Label: 'x',
          DataElementType: 'SELECTION',
          Languages: [
            {
              Language: 'fr',
              DataElementOptions: many(
                (index) => ({ Id: `k${index}`, Name: 'x'.repeat(60) }),
                schemaBytes / 2,
              ),
            },
          ],
          DataElementOptions: many((index) => ({ Id: `k${index}`, Name: 'x'.repeat(60) }), schemaBytes / 2),
        },
      ],
    },
  }),
  'welcome of signs': () => welcome('<'),
  'welcome of headings that never end': () => welcome('<h1 '),
  'welcome of blanks': () => welcome('&nbsp; '),
  'deep lists': () => `${'['.repeat(90_000)}${']'.repeat(90_000)}`,
  'deep objects': () => `${'{"a":'.repeat(49_000)}1${'}'.repeat(49_000)}`,
  'one long string': () => ({ ...base, Template: 'x'.repeat(schemaBytes - 200) }),
  'one long key': () => ({ ...base, ['x'.repeat(schemaBytes - 200)]: 1 }),
};

const records: Readonly<Record<string, (subject: string) => unknown>> = {
  'empty purposes': (DataSubjectId) => ({ DataSubjectId, Purposes: many(() => ({}), answerBytes - 100) }),
  'purposes with long labels': (DataSubjectId) => ({
    DataSubjectId,
    Purposes: many(
      (index) => ({ Id: guid(index), Label: 'x'.repeat(50), TransactionStatus: 'ACTIVE' }),
      answerBytes - 100,
    ),
  }),
  'one purpose again and again': (DataSubjectId) => ({
    DataSubjectId,
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
  'topics of one purpose': (DataSubjectId) => ({
    DataSubjectId,
    Purposes: [
      {
        Id: 'a',
        TransactionStatus: 'ACTIVE',
        Topics: many((index) => ({ Id: guid(index) }), answerBytes - 200),
      },
    ],
  }),
  'data elements': (DataSubjectId) => ({
    DataSubjectId,
    Purposes: [],
    DsDataElements: Object.fromEntries(
      many((index) => `element ${index}`, answerBytes / 2).map((each) => [each, 'x']),
    ),
  }),
  'a long name': () => ({ DataSubjectId: 'A'.repeat(answerBytes - 100), Purposes: [] }),
};

/** As pages write a purpose. */
function onPage(index: number) {
  const { Id: id, Label: label, Description: description, Languages, Topics } = realPurpose(index);
  const small = ({ Language: language, Name: name }: { Language: string; Name: string }) => ({
    language,
    name,
  });
  return {
    id,
    label,
    description,
    status: 'ACTIVE',
    defaultConsentStatus: 'ACTIVE',
    languages: Languages.map(small),
    topics: Topics.map(({ Id, Languages }) => ({ id: Id, languages: Languages.map(small) })),
  };
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

suite('A platform that answers with the worst of a kind', () => {
  const names = Object.keys(schemas);
  let server: ScriptedPlatform;
  let product: ProductProcess;
  let worst: Awaited<ReturnType<typeof probedBefore>>['worst'];
  let record: ((subject: string) => unknown) | undefined;
  const told: string[] = [];
  const bodies = new Map<string, string>();
  /** Of a Multi Page center, where one is asked for. */
  let pages: readonly object[] = [];
  const shapes = Object.keys(pagesOf);

  before(async () => {
    server = await startScripted(({ path, headers }) => {
      const subject = String(headers['identifier'] ?? '');
      if (path.includes('/datasubjects/')) {
        return {
          body: JSON.stringify(record?.(subject) ?? { Status: 200, DataSubjectId: subject, Purposes: [] }),
        };
      }
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
    ({ product, worst } = await probedBefore(server, names.length + shapes.length));
  });
  after(async () => {
    process.stdout.write(`longest turns: ${told.join('; ')}\n`);
    await product?.[Symbol.asyncDispose]();
    await server?.close();
  });

  async function check(name: string, act: (turn: number) => Promise<unknown>): Promise<void> {
    let turn = 0;
    const ms = await worst(() => act(turn++));
    told.push(`${name} ${ms.toFixed(0)} ms`);
    assert.ok(ms <= longest, `${name}: one turn took ${ms.toFixed(0)} ms`);
  }

  async function view(index: number, turn: number): Promise<number> {
    return (await opened(createVisitor(product.url), await linkInto(product, index, turn))).status;
  }

  for (const [index, name] of names.entries()) {
    if (!isTaken(name)) continue;
    test(`a schema: ${name}`, async () => {
      const made = schemas[name]?.();
      const text = typeof made === 'string' ? made : JSON.stringify(made);
      assert.ok(Buffer.byteLength(text) <= 4 * 1_024 * 1_024);
      bodies.set(name, text);
      await check(`schema ${name}`, async (turn) => {
        const status = await view(index, turn);
        assert.ok([200, 502].includes(status), `${status}`);
        if (turn === 0 && /^what a page needs|^real purposes/.test(name)) assert.equal(status, 200);
      });
    });
  }

  for (const [name, make] of Object.entries(records)) {
    if (!isTaken(name)) continue;
    test(`a record: ${name}`, async () => {
      bodies.set('what a page needs', JSON.stringify(schemas['what a page needs']?.()));
      record = make;
      assert.ok(JSON.stringify(make('anna@example.org')).length <= 2 * 1_024 * 1_024);
      await check(`record ${name}`, async () => {
        const status = await view(0, 0);
        assert.ok([200, 502].includes(status), `${status}`);
      });
      record = undefined;
    });
  }

  for (const [index, name] of shapes.entries()) {
    if (!isTaken(name)) continue;
    test(`a Multi Page center: ${name}`, async () => {
      pages = pagesOf[name]?.() ?? [];
      await check(`pages ${name}`, async (turn) => {
        const visitor = createVisitor(product.url);
        const page = await opened(visitor, await linkInto(product, names.length + index, turn));
        assert.equal(page.status, 200);
        const answer = await visitor.submit(page, (form) => form.untick('purpose', guid(1)), save);
        assert.ok([200, 202].includes(answer.status), `${answer.status}`);
      });
    });
  }
});
