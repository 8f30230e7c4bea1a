import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, type TestContext, test } from 'node:test';
import { Problem } from '../../../src/core/model/problem.ts';
import { newWork } from '../../../src/delivery/work.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { openJournal } from '../../../src/store/sqlite/journal.ts';
import { journalMigrations } from '../../../src/store/sqlite/journal-row.ts';
import { anna, aRequest, ben, intentOf, leaveAll, on } from '../../delivery/fixture.ts';
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

  test('a file of the first version is counted when it is opened, and goes on being counted', async (t) => {
    const file = join(folder(t), 'journal.db');
    const database = new DatabaseSync(file);
    const [first] = journalMigrations(createSeal([secret]));
    database.exec(typeof first === 'string' ? first : '');
    const insert = database.prepare(
      `INSERT INTO submission (reference, nonce, digest, center, subject, door, state, everything, withdraws, gpc,
         submitted_at, due_at) VALUES (?, ?, '', 'center', 'nobody', 'link', ?, 0, 0, 0, ?, 0)`,
    );
    for (const [index, state] of ['done', 'pending', 'done', 'failed'].entries()) {
      insert.run(`old-${index}`, `old-${index}`, state, 10 + index);
    }
    database.exec('PRAGMA user_version = 1');
    database.close();
    const journal = open(t, file);
    const { reference } = await put(journal, aRequest({ subject: ben, intent: leaveAll }), 20);
    assert.deepEqual(await journal.counts(), [
      { state: 'done', count: 2, oldestAt: undefined },
      { state: 'failed', count: 1, oldestAt: undefined },
      { state: 'pending', count: 2, oldestAt: 11 },
    ]);
    while ((await journal.claim(lease(30)))?.entry.reference !== reference);
    await done(journal, reference, 40);
    assert.deepEqual(
      (await journal.counts()).map(({ state, count }) => `${state} ${count}`),
      ['done 3', 'failed 1', 'pending 1'],
    );
  });

  test('a file of a newer version is refused', async (t) => {
    const file = join(folder(t), 'journal.db');
    await openJournal({ file, seal: createSeal([secret]) }).close();
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 99');
    database.close();
    assert.throws(() => openJournal({ file, seal: createSeal([secret]) }), isUnavailable);
  });

  test('keeps own words of a reason sealed, also those of an earlier version', async (t) => {
    const path = folder(t);
    const file = join(path, 'journal.db');
    const bytes = () => readdirSync(path).map((name) => readFileSync(join(path, name), 'latin1'));
    const database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
    for (const step of journalMigrations(createSeal([secret])).slice(0, 2)) database.exec(String(step));
    database.exec(`PRAGMA user_version = 2;
      INSERT INTO reason (center, day, id, text) VALUES
        ('center', 0, NULL, 'since my divorce'), ('center', 0, 'r1', 'Too many mails'), ('center', 0, NULL, '')`);
    // As after kill -9: what an earlier version wrote lies in its -wal still.
    for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${join(path, 'killed.db')}${end}`);
    database.close();
    rmSync(file);
    const before = openJournal({ file: join(path, 'killed.db'), seal: createSeal([secret]) });
    await put(before, aRequest({ reasons: [{ id: undefined, text: 'and my illness' }] }));
    assert.deepEqual(
      (await everyReason(before)).map(({ text }) => text),
      ['since my divorce', 'Too many mails', '', 'and my illness'],
    );
    for (const content of bytes()) {
      assert.doesNotMatch(content, /my divorce|my illness/);
    }
    await before.close();
    const rotated = open(t, join(path, 'killed.db'), [other, secret]);
    assert.equal((await everyReason(rotated)).at(-1)?.text, 'and my illness');
    const lost = open(t, join(path, 'killed.db'), [other]);
    assert.deepEqual(
      (await everyReason(lost)).map(({ text }) => text),
      ['', 'Too many mails', '', ''],
    );
  });
});

suite('a store that cannot be written', () => {
  test('locked by another process is unavailable, waited for once, and nothing was written', async (t) => {
    const file = join(folder(t), 'journal.db');
    const journal = open(t, file);
    const blocker = new DatabaseSync(file);
    t.after(() => blocker.close());
    blocker.exec('BEGIN IMMEDIATE');
    const told = t.mock.method(DatabaseSync.prototype, 'exec');
    const waits = () =>
      told.mock.calls.flatMap(({ arguments: [sql] }) => /^PRAGMA busy_timeout = (\d+)$/.exec(sql)?.[1] ?? []);
    await assert.rejects(put(journal, aRequest()), isUnavailable);
    assert.deepEqual(waits(), ['5'], 'milliseconds that the next ones wait');
    await assert.rejects(journal.check(), isUnavailable);
    blocker.exec('ROLLBACK');
    assert.equal((await journal.list({ limit: 10 })).length, 0);
    await put(journal, aRequest());
    assert.deepEqual(waits(), ['5', '1000']);
  });

  test('full is unavailable, and nothing was written', async (t) => {
    const file = join(folder(t), 'journal.db');
    await openJournal({ file, seal: createSeal([secret]) }).close();
    const journal = open(t, file);
    const limited = new DatabaseSync(file);
    t.after(() => limited.close());
    await put(journal, aRequest());
    limited.exec(
      "CREATE TRIGGER full BEFORE INSERT ON submission BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END",
    );
    await assert.rejects(put(journal, aRequest()), isUnavailable);
    assert.equal((await journal.list({ limit: 10 })).length, 1);
  });

  test('closed, or in a folder that is none, is unavailable', async () => {
    const journal = openJournal({ file: ':memory:', seal: createSeal([secret]) });
    await journal.close();
    await assert.rejects(put(journal, aRequest()), isUnavailable);
    assert.throws(
      () => openJournal({ file: '/dev/null/journal.db', seal: createSeal([secret]) }),
      isUnavailable,
    );
  });
});

function isUnavailable(fault: unknown): boolean {
  return fault instanceof Problem && fault.code === 'store-unavailable';
}
