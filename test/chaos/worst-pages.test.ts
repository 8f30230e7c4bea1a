import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { ProductProcess } from '../kit/product.ts';
import { createVisitor } from '../kit/visitor.ts';
import { type ScriptedPlatform, startScripted } from '../upstream/scripted-platform.ts';
import { answerBytes, guid, linkInto, longest, many, opened, probedBefore, realPurpose } from './probed.ts';

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

const shapes: Readonly<Record<string, () => readonly (object & { isHidden?: boolean })[]>> = {
  'a small page, and two of 2 MiB': () => [
    pageOf(0, 2_000),
    pageOf(1, answerBytes - 10_000),
    pageOf(2, answerBytes - 10_000),
  ],
  'a small page, and two hidden ones of 2 MiB': () => [
    pageOf(0, 2_000),
    { ...pageOf(1, answerBytes - 10_000), isHidden: true },
    { ...pageOf(2, answerBytes - 10_000), isHidden: true },
  ],
  '50 pages, 4 MiB together': () => Array.from({ length: 50 }, (_, place) => pageOf(place, 80_000)),
};

suite('A Multi Page center as large as is read holds nobody up:', () => {
  let server: ScriptedPlatform;
  let product: ProductProcess;
  let worst: Awaited<ReturnType<typeof probedBefore>>['worst'];
  let pages: readonly object[] = [];
  const names = Object.keys(shapes);
  const told: string[] = [];

  before(async () => {
    server = await startScripted(({ path, headers }) => {
      if (path.includes('/datasubjects/')) {
        return { body: { Status: 200, DataSubjectId: String(headers['identifier'] ?? ''), Purposes: [] } };
      }
      const [, place] = /preferencecenterpage\/9a9e0000-0000-4000-8000-0*(\d+)\//.exec(path) ?? [];
      if (place !== undefined) return { body: pages[Number(place)] ?? {} };
      if (!path.includes('/v2/')) return { status: 404 };
      const entries = pages.map((_, at) => ({ id: pageId(at), order: at }));
      return { body: { pages: entries, languages: ['en'], defaultLanguage: 'en' } };
    });
    ({ product, worst } = await probedBefore(server, names.length));
  });
  after(async () => {
    process.stdout.write(`longest turns: ${told.join('; ')}\n`);
    await product?.[Symbol.asyncDispose]();
    await server?.close();
  });

  for (const [index, name] of names.entries()) {
    test(`${name}.`, async () => {
      pages = shapes[name]?.() ?? [];
      let turn = 0;
      const ms = await worst(async () => {
        const visitor = createVisitor(product.url);
        const page = await opened(visitor, await linkInto(product, index, turn));
        assert.equal(page.status, 200);
        const answer = await visitor.submit(page, (form) => form.untick('purpose', guid(1)), {
          name: 'action',
          value: 'save',
        });
        assert.ok([200, 202].includes(answer.status), `${answer.status}`);
        turn += 1;
      });
      told.push(`${name} ${ms.toFixed(0)} ms`);
      assert.ok(ms <= longest, `one turn took ${ms.toFixed(0)} ms`);
    });
  }
});
