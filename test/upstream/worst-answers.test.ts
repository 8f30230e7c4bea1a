import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Problem } from '../../src/core/model/problem.ts';
import { readKeySet } from '../../src/features/identity/key-set.ts';
import { readJson } from '../../src/upstream/exchange.ts';
import { Notes } from '../../src/upstream/notes.ts';
import { prepareSchema } from '../../src/upstream/prepare-schema.ts';
import { readNoticePage, readNoticeVersion, readNoticeVersionPage } from '../../src/upstream/wire-notices.ts';
import { buildSinglePage } from '../../src/upstream/wire-single-page.ts';
import { readConsentAnswer } from '../../src/upstream/wire-subject.ts';
import { readTask } from '../../src/upstream/wire-tasks.ts';
import { cpuMilliseconds } from '../kit/cpu.ts';
import { books } from '../kit/sandbox-ids.ts';
import { readSinglePage } from './recorded.ts';
import { codeOf, goodToken, openPlatform, type Scripted } from './scripted-platform.ts';

const answerBytes = 2 * 1_024 * 1_024 - 1_024;
const longest = 80;

/** Fills an answer with as many pieces as fit between `before` and `after`. */
function filled(before: string, piece: string, after: string): string {
  const room = answerBytes - before.length - after.length;
  return `${before}${piece.repeat(Math.floor(room / piece.length)).slice(0, -1)}${after}`;
}

const asked = { page: 0, size: 20 };
const readers: Readonly<Record<string, (body: unknown) => unknown>> = {
  'a page of notices': (body) => readNoticePage(body, asked),
  'a notice': readNoticeVersion,
  'versions of a notice': (body) => readNoticeVersionPage(body, asked),
  'a task': readTask,
  'an answer to an update': readConsentAnswer,
};

const id = `"id":"${books}"`;
const answers: Readonly<Record<string, string>> = {
  'empty items': filled('{"content":[', '{},', ']}'),
  'zeros as items': filled('{"content":[', '0,', ']}'),
  items: filled('{"content":[', `{${id},"name":"a name as people give","versions":[]},`, ']}'),
  'versions within an item': filled(`{"content":[{${id},"versions":[`, `{${id},"languages":[]},`, ']}]}'),
  languages: filled(`{${id},"version":{${id},"languages":[`, '{"languageCode":"en"},', ']}}'),
  'items of an update': filled('{"Purposes":[', `{"Id":"a","Status":true,"Messages":["x"]},`, ']}'),
  'messages of an update': filled('{"Purposes":[{"Id":"a","Messages":[', '"some message",', ']}]}'),
  'deep lists': `${'['.repeat(190_000)}${']'.repeat(190_000)}`,
  'deep objects': `${'{"content":'.repeat(49_000)}1${'}'.repeat(49_000)}`,
  'a long string': filled(`{${id},"name":"`, 'a ', ' "}'),
  'a long string of escapes': filled(`{${id},"name":"`, '\\u0000', '0"}'),
  'a long number': filled('{"totalElements":1', '0', '0}'),
  blanks: filled('{', ' ', '}'),
  'no JSON': 'x'.repeat(answerBytes),
};

for (const [name, text] of Object.entries(answers)) {
  test(`an answer of 2 MiB with ${name} is read, or refused, in little time`, async () => {
    const bytes = Buffer.from(text);
    assert.ok(bytes.length <= 2 * 1_024 * 1_024);
    for (const [reader, read] of Object.entries(readers)) {
      const ms = await cpuMilliseconds(() => {
        try {
          read(readJson(bytes));
        } catch (fault) {
          assert.ok(fault instanceof Problem, String(fault));
        }
      }, longest);
      assert.ok(ms <= longest, `${reader}: ${ms.toFixed(0)} ms`);
    }
  });
}

const tags = Array.from({ length: 190_000 }, (_, place) => `aa-${place.toString(36).padStart(5, '0')}`);
const byTag = Object.fromEntries(tags.slice(0, 90_000).map((tag) => [tag, 'a']));
const texts = tags.slice(0, 990).map((language) => ({ language, name: 'a', description: 'b' }));
const schemas: Readonly<Record<string, object>> = {
  'languages of a center': { languages: tags },
  'languages of labels': { preferenceCenterSettings: { languages: byTag } },
  'languages of general texts': { translations: byTag },
  'languages of a heading': { profileSettings: { isEnabled: true, languages: byTag } },
  'languages of purposes': {
    purposes: Array.from({ length: 20 }, (_, place) => ({ id: `p${place}`, languages: texts })),
  },
};

for (const [name, schema] of Object.entries(schemas)) {
  test(`a schema with very many ${name} is read in little time`, async () => {
    const body = readJson(Buffer.from(JSON.stringify(schema)));
    const notes = new Notes();
    await prepareSchema(body, notes);
    const ms = await cpuMilliseconds(() => buildSinglePage('a', readSinglePage(body), notes), longest);
    assert.ok(ms <= longest, `${ms.toFixed(0)} ms`);
  });
}

test('the worst list of centers and the worst token are read, or refused', async () => {
  const list = async (answer: string, token: Scripted) => {
    const script = { answer: () => ({ body: answer }), token: () => token };
    await using parts = await openPlatform(undefined, script);
    return await codeOf(parts.platform.listCenters());
  };
  for (const [name, text] of Object.entries(answers))
    assert.match(await list(text, goodToken(1)), /^(ok|platform-unreadable)$/, name);
  const token = filled('{"access_token":"', 'a', 'a","expires_in":3600}');
  assert.equal(await list('{"content":[]}', { body: token }), 'platform-unreadable');
});

test('the worst set of keys is read, or refused, in little time', async () => {
  // Answers of other hosts may have 512 KB.
  const longestRefusal = 40;
  const key = '{"kty":"RSA","kid":"a","n":"AQAB","e":"AQAB"},';
  for (const text of [
    `{"keys":[${key.repeat(11_000).slice(0, -1)}]}`,
    `{"keys":[${'{},'.repeat(170_000).slice(0, -1)}]}`,
    `${'['.repeat(250_000)}${']'.repeat(250_000)}`,
    `{"keys":[{"kty":"oct","k":"${'A'.repeat(500_000)}"}]}`,
  ]) {
    const ms = await cpuMilliseconds(() => {
      try {
        readKeySet(text);
      } catch {
        // The key set is refused.
      }
    }, longestRefusal);
    assert.ok(ms <= longestRefusal, `${text.slice(0, 40)}: ${ms.toFixed(0)} ms`);
  }
});

const list = (member: string, count: number) => `[${Array.from({ length: count }, () => member).join(',')}]`;
const nested = (count: number) => `${'{"":'.repeat(count)}0${'}'.repeat(count)}`;

const crowded: Readonly<Record<string, string>> = {
  'one object too many': list('{}', 50_001),
  'one member too many': list('0', 200_001),
  'one empty list too many': list('[]', 100_001),
  'nested objects one too deep': nested(50_001),
};
const full: Readonly<Record<string, string>> = {
  'as many objects as allowed': list('{}', 50_000),
  'as many members as allowed': list('0', 200_000),
  'as many nested objects as allowed': nested(50_000),
};

suite('The limit of objects and members in an answer', () => {
  const isRefused = (fault: unknown) =>
    fault instanceof Problem && /too many members/.test(String(fault.cause));
  for (const [name, text] of Object.entries(crowded))
    test(`an answer with ${name} is refused before it is parsed`, () =>
      assert.throws(() => readJson(Buffer.from(text)), isRefused));
  for (const [name, text] of Object.entries(full))
    test(`an answer with ${name} is read`, () => assert.doesNotThrow(() => readJson(Buffer.from(text))));
});
