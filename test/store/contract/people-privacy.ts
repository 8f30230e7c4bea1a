import assert from 'node:assert/strict';
import { suite } from 'node:test';
import { anna, aRequest, ben, intentOf, leaveAll, off } from '../../delivery/fixture.ts';
import { exchanged } from './exchanged.ts';
import { finish, type MakePeople, put } from './people-fixture.ts';
import { testsOf } from './test-store.ts';

const over = { now: 9e15, workBefore: 0, evidenceBefore: 0, reasonsBefore: 0 };

/** The contract about rows that were changed by hand. */
export function peoplePrivacyContract(make: MakePeople): void {
  const test = testsOf(make);
  suite('A row that was changed by hand', () => {
    for (const [part, workBefore] of [
      ['a submission', 0],
      ['the evidence of a submission', 9e14],
    ] as const)
      test(`A row under the hash of another person shows nothing of ${part}`, async (store) => {
        const references: string[] = [];
        for (const subject of [anna, ben]) {
          references.push(
            (await put(store, aRequest({ subject, intent: intentOf(off('a')) }))).entry.reference,
          );
          await finish(store, 2_000);
        }
        while ((await store.sweep({ ...over, workBefore })) > 0);
        const shown = async () => {
          const own = await Promise.all(references.map((reference) => store.findOwn(reference, anna)));
          const entries = [
            ...own.filter((entry) => entry !== undefined),
            ...(await store.historyOf('center', anna, { limit: 9, offset: 0 })),
            ...(await store.list({ subject: anna, limit: 9 })),
            ...(await store.submissionsOf(references, anna)),
          ];
          assert.ok(entries.length >= 3);
          return entries.map((entry) => {
            if ('work' in entry) return entry.work !== undefined || entry.evidence !== undefined;
            return true;
          });
        };
        assert.ok((await shown()).every((isShown) => isShown));
        await exchanged(store.sql, 'submission', 'reference', 'subject');
        assert.ok((await shown()).every((isShown) => !isShown));
      });

    for (const column of ['request', 'progress', 'asked', 'ended'])
      test(`A row opens no ${column} that was sealed for another row`, async (store) => {
        for (const intent of [intentOf(off('a')), intentOf(off('b'))]) {
          await put(store, aRequest({ intent }));
          await finish(store, 2_000);
        }
        const isWork = column === 'request' || column === 'progress';
        const shown = async () =>
          (await store.historyOf('center', anna, { limit: 9, offset: 0 })).map(({ work, evidence }) =>
            isWork ? (work?.progress.lines.length ?? 0) : (evidence?.ended?.items.length ?? 0),
          );
        assert.ok((await shown()).every((count) => count > 0));
        await exchanged(store.sql, 'submission', 'reference', column);
        assert.deepEqual(await shown(), [0, 0]);
      });

    test('A row opens no document that was sealed for another person', async (store) => {
      for (const subject of [anna, ben]) await put(store, aRequest({ subject, intent: intentOf(off('a')) }));
      assert.equal((await store.personOf(ben))?.subject, ben);
      await exchanged(store.sql, 'person', 'subject', 'document');
      assert.deepEqual([await store.personOf(anna), await store.personOf(ben)], [undefined, undefined]);
      await exchanged(store.sql, 'person', 'document', 'subject');
      assert.equal(
        (await store.personOf(anna))?.subject,
        anna,
        'each document opens under its own hash again',
      );
    });

    test('A row opens no own words that were sealed for another row', async (store) => {
      const reasons = ['one', 'two'].map((text) => ({ id: undefined, text }));
      const { reference } = (await put(store, aRequest({ intent: leaveAll, reasons }))).entry;
      assert.deepEqual((await store.find(reference))?.work?.request.reasons, [], 'linked to a person');
      const texts = async () =>
        (await store.reasons({}, { limit: 9, after: undefined })).reasons.map(({ text }) => text);
      assert.deepEqual(await texts(), ['one', 'two']);
      await exchanged(store.sql, 'reason', 'sequence', 'text');
      assert.deepEqual(await texts(), ['', '']);
    });
  });
}
