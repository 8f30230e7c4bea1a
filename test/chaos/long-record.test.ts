import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRecordPage } from '../../src/pages/person/record.ts';
import { buildRecordCopy } from '../../src/pages/person/record-copy.ts';
import { entriesInFile, entriesOnPage } from '../../src/pages/person/record-input.ts';
import { aCenter, aPurpose } from '../core/center-builder.ts';
import { aResult, aSubject, aSubmission, pageContext, recordHrefs, words } from '../core/page-builder.ts';
import { cpuMilliseconds } from '../kit/cpu.ts';

/** Milliseconds of processor time that one turn may take, as on a quiet machine. */
const longest = 80;
const ids = Array.from({ length: 3_000 }, (_, index) => `purpose-${index}`);
const submission = aSubmission(ids.map((id) => aResult(id, 'on', 'saved')));
const input = (entries: number) => ({
  pageContext,
  center: aCenter(ids.map((id) => aPurpose(id, { name: words({ en: `Letters of ${id}`, fr: id }) }))),
  subject: aSubject(),
  language: 'en',
  history: Array.from({ length: entries }, () => submission),
  paging: { page: 1, pages: 1, total: entries },
});

const made: Readonly<Record<string, () => Generator<number, unknown>>> = {
  page: () => buildRecordPage({ ...input(entriesOnPage), hrefs: recordHrefs }),
  copy: () => {
    const visit = { subject: aSubject().id };
    return buildRecordCopy({
      ...input(entriesInFile),
      visit,
      issuer: 'https://example.org',
      id: 'file',
      now: 0,
    });
  },
};

for (const [name, make] of Object.entries(made)) {
  test(`the ${name} of a record of thousands of items each is made in short steps`, async () => {
    const steps = make();
    let items = 0;
    for (;;) {
      let step: IteratorResult<number, unknown> | undefined;
      const ms = await cpuMilliseconds(() => {
        step = steps.next();
      }, longest);
      assert.ok(ms <= longest, `a step took ${ms.toFixed(0)} ms`);
      if (step === undefined || step.done === true) break;
      assert.equal(step.value, ids.length);
      items += step.value;
    }
    assert.ok(items >= entriesOnPage * ids.length);
    // What is said of the center is looked for once: ten entries are as one turn.
    const ms = await cpuMilliseconds(() => {
      const again = make();
      for (let entries = 0; entries < 10; entries += 1) again.next();
    }, longest);
    assert.ok(ms <= longest, `ten entries took ${ms.toFixed(0)} ms`);
  });
}
