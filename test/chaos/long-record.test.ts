import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRecordPage, entriesOnPage } from '../../src/pages/person/record.ts';
import { createRecords } from '../../src/pages/person/record-copy.ts';
import { createEntries } from '../../src/pages/person/record-entries.ts';
import { aCenter, aPurpose } from '../core/center-builder.ts';
import {
  aResult,
  aSubject,
  aSubmission,
  noWords,
  pageContext,
  recordHrefs,
  words,
} from '../core/page-builder.ts';
import { cpuMilliseconds } from '../kit/cpu.ts';

/**
 * Milliseconds of processor time that are allowed. A quiet machine takes a third; quadratic code takes
 * seconds.
 */
const longest = 240;
const ids = Array.from({ length: 3_000 }, (_, index) => `purpose-${index}`);
const submission = aSubmission(ids.map((id) => aResult(id, 'on', 'saved')));
const input = {
  pageContext,
  center: aCenter(ids.map((id) => aPurpose(id, { name: words({ en: `Letters of ${id}`, fr: id }) }))),
  subject: aSubject(),
  language: 'en',
  words: noWords,
};
const part = {
  ...input,
  history: Array.from({ length: entriesOnPage }, () => submission),
  paging: { page: 1, pages: 1, total: entriesOnPage },
  hrefs: recordHrefs,
};

async function isShort(name: string, act: () => unknown): Promise<void> {
  const ms = await cpuMilliseconds(act, longest);
  assert.ok(ms <= longest, `${name} took ${ms.toFixed(0)} ms`);
}

test('entries of thousands of items, and the page around them, are made in a short time', async () => {
  const entryOf = createEntries(part);
  // The texts of the center are looked up once for all entries, so that ten of them take no longer.
  await isShort('ten entries', () => Array.from({ length: 10 }, () => entryOf(submission)));
  const entries = part.history.map(entryOf);
  await isShort('the page', () => buildRecordPage(part, entries));
});

test('the JSON of thousands of items is made in a short time', async () => {
  const recordOf = createRecords(input);
  await isShort('ten records', () => Array.from({ length: 10 }, () => recordOf(submission)));
});
