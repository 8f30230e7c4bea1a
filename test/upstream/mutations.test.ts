import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Center, Section } from '../../src/core/model/center/center.ts';
import { Problem } from '../../src/core/model/problem.ts';
import { Notes } from '../../src/upstream/notes.ts';
import { buildMultiPage, readPageEntries } from '../../src/upstream/wire-multi-page.ts';
import { readNoticePage, readNoticeVersion, readNoticeVersionPage } from '../../src/upstream/wire-notices.ts';
import { buildSinglePage, purposesById } from '../../src/upstream/wire-single-page.ts';
import { readConsentAnswer, readSubjectAnswer } from '../../src/upstream/wire-subject.ts';
import { readTask } from '../../src/upstream/wire-tasks.ts';
import { times } from '../chaos/dice.ts';
import { generator } from '../kit/generator.ts';
import { mutated } from '../kit/mutated.ts';
import {
  readPage,
  readRoot,
  readSinglePage,
  recorded,
  recordedNames,
  singlePageId,
  subjectId,
} from './recorded.ts';

const payloads = Object.fromEntries(recordedNames.map((name) => [name, recorded(name)]));
const rounds = times(200, 10_000);
const seed = Number(process.env['SAYSO_SEED'] ?? 20_261_121);

/** Asserts what the rest of the product relies on. */
function assertWhole(center: Omit<Center, 'revision' | 'told'>): void {
  assert.ok(center.pages.length > 0);
  assert.ok(center.languages.length > 0 && center.languages.every((tag) => tag !== ''));
  assert.ok(['original', 'enhanced', 'multipage'].includes(center.template));
  assert.equal(new Set(center.pages.map(({ id }) => id)).size, center.pages.length);
  for (const page of center.pages) {
    const purposes = page.sections.flatMap(purposesOf);
    // A page shows a purpose once.
    for (const each of [purposes, page.sections])
      assert.equal(new Set(each.map(({ id }) => id)).size, each.length);
    for (const purpose of purposes) {
      assert.ok(purpose.id !== '' && (purpose.name.entries.length > 0 || purpose.name.plain !== undefined));
      for (const preference of purpose.preferences) assert.ok(preference.options.length > 0);
    }
  }
  assert.equal(/<script|<img|javascript:/i.test(htmlOf(center)), false);
  JSON.stringify(center, (name, value: unknown) => {
    assert.notEqual(value, null, `absent is never null: ${name}`);
    return value;
  });
}

function purposesOf(section: Section) {
  return section.items.flatMap((item) => (item.kind === 'purpose' ? [item.purpose] : []));
}

function htmlOf(center: Omit<Center, 'revision' | 'told'>): string {
  const texts = center.pages.flatMap(({ sections }) =>
    sections.flatMap((section) => [
      section.description,
      ...purposesOf(section).map(({ description }) => description),
      ...section.items.flatMap((item) => (item.kind === 'text' ? [item.html] : [])),
    ]),
  );
  return JSON.stringify([center.welcome, texts]);
}

const anna = subjectId('user@example.com');
const readers: Readonly<Record<string, (mutate: (name: string) => unknown) => void | Promise<void>>> = {
  'single-page schemas': async (mutate) =>
    assertWhole(buildSinglePage(singlePageId, readSinglePage(mutate('01_v1_schema.json')), new Notes())),
  'Multi Page schemas': async (mutate) => {
    const root = readRoot(mutate('07_v2_root_schema.json'));
    const known = purposesById(readSinglePage(mutate('01_v1_schema.json')), new Notes());
    const pages = readPageEntries(root, new Notes()).map((entry) => ({
      entry,
      schema: readPage(mutate('08_v2_page_schema.json')),
    }));
    assertWhole(await buildMultiPage(singlePageId, { root, pages, known }, new Notes()));
  },
  records: (mutate) => {
    const body = mutate('02_v1_datasubject_preferences.json');
    const subject = readSubjectAnswer(body, { subject: anna, sentAs: anna, dropped: () => undefined });
    assert.equal(subject.id, anna);
    assert.equal(new Set(subject.purposes.map(({ purpose }) => purpose)).size, subject.purposes.length);
    assert.ok(Object.values(subject.dataElements).every((value) => typeof value === 'string'));
  },
  'update answers': (mutate) => void readConsentAnswer(mutate('04_v1_put_response.json')),
  notices: (mutate) => {
    const asked = { page: 0, size: 20 };
    const { paging } = readNoticePage(mutate('11_privacynotices_list.json'), asked);
    assert.ok(Number.isSafeInteger(paging.totalPages) && paging.size > 0);
    readNoticeVersionPage(mutate('13_privacynotice_versions.json'), asked);
    readNoticeVersion(mutate('12_privacynotice_by_date.json'));
  },
  tasks: (mutate) => void readTask(mutate('15_task_information.json')),
};

describe(`mutated answers (seed ${seed})`, () => {
  for (const [name, read] of Object.entries(readers)) {
    it(`${rounds} mutated ${name} are read, or named as unreadable, without a crash`, async () => {
      const random = generator(seed);
      let whole = 0;
      for (let round = 0; round < rounds; round += 1) {
        const rate = [0.002, 0.01, 0.05, 0.2][round % 4] ?? 0.01;
        try {
          await read((payload) => mutated(payloads[payload], random, rate));
          whole += 1;
        } catch (fault) {
          const isNamed =
            fault instanceof Problem && ['platform-unreadable', 'wrong-subject'].includes(fault.code);
          if (!isNamed) throw new Error(`round ${round} of seed ${seed}`, { cause: fault });
        }
      }
      assert.ok(whole > rounds / 3, `${whole} of ${rounds} could be read`);
      assert.equal('polluted' in {}, false);
    });
  }
});
