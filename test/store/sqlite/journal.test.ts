import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { newWork } from '../../../src/delivery/work.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { openJournal } from '../../../src/store/sqlite/journal.ts';
import { anna, aRequest, intentOf, leaveAll, on } from '../../delivery/fixture.ts';
import { journalConcurrencyContract } from '../contract/journal-concurrency.ts';
import {
  done,
  everyReason,
  type JournalStore,
  lease,
  otherSecret as other,
  put,
  secret,
  sweep,
} from '../contract/journal-fixture.ts';
import { journalIntakeContract } from '../contract/journal-intake.ts';
import { journalQueueContract } from '../contract/journal-queue.ts';
import { journalReportsContract } from '../contract/journal-reports.ts';

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'sayso-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function open(t: TestContext, file = ':memory:', secrets: readonly string[] = [secret]): Journal {
  const journal = openJournal({ file, seal: createSeal(secrets) });
  t.after(() => journal.close());
  return journal;
}

async function openStore(t: TestContext): Promise<JournalStore> {
  const file = join(folder(t), 'journal.db');
  return { open: async (secrets) => open(t, file, secrets) };
}

journalIntakeContract(openStore);
journalQueueContract(openStore);
journalReportsContract(openStore);
journalConcurrencyContract(openStore);

suite('the journal in a file', () => {
  test('holds nothing personal in the clear, and nothing at all after the sweep', async (t) => {
    const path = folder(t);
    const journal = open(t, join(path, 'deep', 'journal.db'));
    const request = aRequest({
      intent: intentOf(on('secret-purpose')),
      onBehalf: { staff: 'Sam Staff', reason: 'a call' },
      linkMadeBy: { id: 'lena', name: 'Lena Linker' },
    });
    const { reference } = await put(journal, request);
    const words = [anna, 'secret-purpose', 'Sam Staff', 'Lena Linker'];
    const bytes = () =>
      readdirSync(join(path, 'deep'))
        .map((file) => readFileSync(join(path, 'deep', file), 'latin1'))
        .join('');
    for (const word of words) assert.ok(!bytes().includes(word), word);
    await journal.claim(lease(1000));
    await done(journal, reference, 2000);
    const { linkMadeBy } = request;
    const evidence = { items: (await journal.find(reference))?.work?.items, linkMadeBy };
    const payloads = bytes().match(/row\.[\w-]{200,}/g) ?? [];
    assert.ok(payloads.length > 0);
    assert.equal(await sweep(journal, { workBefore: 2000 }), 0);
    assert.equal(await sweep(journal, { workBefore: 2001 }), 1);
    await journal.emptyLog();
    const swept = await journal.find(reference);
    assert.equal(swept?.work, undefined);
    assert.deepEqual(JSON.parse(JSON.stringify(swept?.evidence)), JSON.parse(JSON.stringify(evidence)));
    for (const word of words) assert.ok(!bytes().includes(word), word);
    for (const payload of payloads) assert.ok(!bytes().includes(payload), 'the sealed work is gone, too');
    assert.deepEqual(
      [swept?.state, swept?.submittedAt, swept?.doneAt, swept?.receipts],
      ['done', 1000, 2000, ['r1']],
    );
    assert.equal((await journal.findOwn(reference, anna))?.reference, reference);
    const nonceAgain = { reference: 'y', now: 5000, work: newWork(request), expiresAt: undefined };
    assert.equal((await journal.record(request, nonceAgain)).kind, 'known');
  });

  test('is swept in bites, so that no one waits long', async (t) => {
    const journal = open(t);
    for (let at = 0; at < 450; at += 1) await put(journal, aRequest({ intent: leaveAll }), at);
    for (let at = 0; at < 450; at += 1) {
      const entry = await journal.claim({ owner: 'me', now: 1000 + at, until: 1001 + at });
      await done(journal, entry?.entry.reference ?? '', 1000 + at);
    }
    const counts: number[] = [];
    do {
      counts.push(await sweep(journal, { workBefore: 5000, evidenceBefore: 1200 }));
    } while (counts.at(-1) !== 0);
    assert.deepEqual(counts, [200, 200, 100, 100, 50, 0]);
  });

  test('keeps own words of a reason sealed', async (t) => {
    const path = folder(t);
    const file = join(path, 'journal.db');
    const bytes = () => readdirSync(path).map((name) => readFileSync(join(path, name), 'latin1'));
    const before = openJournal({ file, seal: createSeal([secret]) });
    const reasons = [
      { id: undefined, text: 'and my illness' },
      { id: 'r1', text: 'Too many mails' },
    ];
    await put(before, aRequest({ reasons }));
    for (const content of bytes()) assert.doesNotMatch(content, /my illness/);
    await before.close();
    const texts = async (journal: Journal) => (await everyReason(journal)).map(({ text }) => text);
    assert.deepEqual(await texts(open(t, file, [other, secret])), ['and my illness', 'Too many mails']);
    assert.deepEqual(await texts(open(t, file, [other])), ['', 'Too many mails']);
  });
});
