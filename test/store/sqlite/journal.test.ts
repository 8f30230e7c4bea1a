import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, type TestContext, test } from 'node:test';
import { Problem } from '../../../src/core/model/problem.ts';
import type { SubmissionRequest } from '../../../src/core/model/submission-request.ts';
import { newWork } from '../../../src/delivery/work.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { openJournal } from '../../../src/store/sqlite/journal.ts';
import { journalMigrations } from '../../../src/store/sqlite/journal-row.ts';
import { anna, aRequest, ben, intentOf, leaveAll, off, on } from '../../delivery/fixture.ts';

const secret = 'a secret of at least thirty-two bytes';
const other = 'another secret of at least thirty-two bytes';
const day = 24 * 3_600_000;

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'sayso-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function open(t: TestContext, file = ':memory:', secrets = [secret]): Journal {
  const journal = openJournal({ file, seal: createSeal(secrets) });
  t.after(() => journal.close());
  return journal;
}

let made = 0;

function put(journal: Journal, request: SubmissionRequest, now = 1000) {
  made += 1;
  return journal.record(request, {
    reference: `ref-${made}`,
    now,
    work: newWork(request),
    expiresAt: undefined,
  }).entry;
}

function done(journal: Journal, reference: string, now: number, state: 'done' | 'failed' = 'done'): void {
  const entry = journal.find(reference);
  assert.ok(entry?.work);
  const change = {
    work: entry.work,
    state,
    dueAt: now,
    doneAt: now,
    expiresAt: undefined,
    isPassable: false,
  };
  assert.ok(journal.save(reference, 'me', { ...change, receipts: ['r1'], release: true }));
}

test('what was superseded stays so though it is saved by one who read it before', (t) => {
  const journal = open(t);
  const { reference } = put(journal, aRequest({ intent: intentOf(off('a')) }));
  const claimed = journal.claim({ owner: 'me', now: 2000, until: 3000 });
  assert.ok(claimed?.work);
  journal.supersede([reference], 'a');
  const change = { work: claimed.work, state: 'pending' as const, dueAt: 2000, doneAt: undefined };
  const rest = { expiresAt: undefined, isPassable: false, receipts: [], release: true };
  assert.ok(journal.save(reference, 'me', { ...change, ...rest }));
  assert.deepEqual(journal.find(reference)?.work?.superseded, ['a']);
});

const never = { now: 0, workBefore: 0, evidenceBefore: 0, reasonsBefore: 0 };

function sweep(journal: Journal, over: Partial<Parameters<Journal['sweep']>[0]>): number {
  return journal.sweep({ ...never, ...over });
}

const lease = (now: number, owner = 'me') => ({ owner, now, until: now + 100 });

suite('the journal', () => {
  test('gives back what was recorded, under the same nonce the same entry', (t) => {
    const journal = open(t);
    const request = aRequest({
      intent: intentOf(on('a', ['t'])),
      reasons: [{ id: undefined, text: 'too many' }],
    });
    const entry = put(journal, request);
    assert.deepEqual(JSON.parse(JSON.stringify(entry.work?.request)), JSON.parse(JSON.stringify(request)));
    assert.equal(entry.state, 'pending');
    const again = { reference: 'x', now: 2, work: newWork(request), expiresAt: undefined };
    const reordered = JSON.parse(
      JSON.stringify({ ...request, intent: Object.fromEntries(Object.entries(request.intent).reverse()) }),
    ) as SubmissionRequest;
    assert.deepEqual(
      [journal.record(request, again).kind, journal.record(reordered, again).kind],
      ['known', 'known'],
    );
    assert.equal(journal.record(request, again).entry.reference, entry.reference);
    assert.equal(journal.record({ ...request, intent: intentOf(off('a')) }, again).kind, 'other');
    assert.equal(journal.find('x'), undefined);
    assert.equal(journal.reasons({}).length, 1);
  });

  test('finds a person’s entries by the person alone', (t) => {
    const journal = open(t);
    const entry = put(journal, aRequest());
    assert.equal(journal.findOwn(entry.reference, anna)?.reference, entry.reference);
    assert.equal(journal.findOwn(entry.reference, ben), undefined);
    assert.deepEqual(journal.pendingOf('center', ben), []);
    assert.deepEqual(journal.pendingOf('other', anna), []);
    assert.equal(journal.pendingOf('center', anna).length, 1);
  });

  test('holds nothing personal in the clear, and nothing at all after the sweep', (t) => {
    const path = folder(t);
    const journal = open(t, join(path, 'deep', 'journal.db'));
    const request = aRequest({
      intent: intentOf(on('secret-purpose')),
      onBehalf: { staff: 'Sam Staff', reason: 'a call' },
      linkMadeBy: { id: 'lena', name: 'Lena Linker' },
    });
    const { reference } = put(journal, request);
    const words = [anna, 'secret-purpose', 'Sam Staff', 'Lena Linker'];
    const bytes = () =>
      readdirSync(join(path, 'deep'))
        .map((file) => readFileSync(join(path, 'deep', file), 'latin1'))
        .join('');
    for (const word of words) assert.ok(!bytes().includes(word), word);
    journal.claim(lease(1000));
    done(journal, reference, 2000);
    const { linkMadeBy } = request;
    const evidence = { items: journal.find(reference)?.work?.items, linkMadeBy };
    const payloads = bytes().match(/row\.[\w-]{200,}/g) ?? [];
    assert.ok(payloads.length > 0);
    assert.equal(sweep(journal, { workBefore: 2000 }), 0);
    assert.equal(sweep(journal, { workBefore: 2001 }), 1);
    journal.emptyLog();
    const swept = journal.find(reference);
    assert.equal(swept?.work, undefined);
    assert.deepEqual(JSON.parse(JSON.stringify(swept?.evidence)), JSON.parse(JSON.stringify(evidence)));
    for (const word of words) assert.ok(!bytes().includes(word), word);
    for (const payload of payloads) assert.ok(!bytes().includes(payload), 'the sealed work is gone, too');
    assert.deepEqual(
      [swept?.state, swept?.submittedAt, swept?.doneAt, swept?.receipts],
      ['done', 1000, 2000, ['r1']],
    );
    assert.equal(journal.findOwn(reference, anna)?.reference, reference);
    const nonceAgain = { reference: 'y', now: 5000, work: newWork(request), expiresAt: undefined };
    assert.equal(journal.record(request, nonceAgain).kind, 'known');
  });

  test('keeps what was changed for its own time, and then nothing; what is pending is never swept', (t) => {
    const journal = open(t);
    const reference = put(journal, aRequest({ intent: intentOf(off('a')) })).reference;
    const waiting = put(journal, aRequest({ subject: ben, intent: leaveAll })).reference;
    journal.claim(lease(1000));
    done(journal, reference, 2000);
    const all = { now: 0, workBefore: 9e15, evidenceBefore: 2000, reasonsBefore: 9e15 };
    assert.equal(journal.sweep(all), 1);
    assert.equal(journal.sweep(all), 0);
    assert.equal(journal.historyOf('center', anna, { limit: 9, offset: 0 })[0]?.evidence?.items[0]?.id, 'a');
    assert.equal(journal.sweep({ ...all, evidenceBefore: 2001 }), 1);
    assert.equal(journal.find(reference), undefined);
    assert.deepEqual(journal.historyOf('center', anna, { limit: 9, offset: 0 }), []);
    assert.deepEqual(
      journal.counts().map(({ state, count }) => `${state} ${count}`),
      ['pending 1'],
    );
    assert.notEqual(journal.find(waiting)?.work, undefined);
    assert.equal(journal.sweep({ ...all, evidenceBefore: 9e15 }), 0);
  });

  test('is swept in bites, so that no one waits long', (t) => {
    const journal = open(t);
    for (let at = 0; at < 450; at += 1) put(journal, aRequest({ intent: leaveAll }), at);
    for (let at = 0; at < 450; at += 1) {
      const entry = journal.claim({ owner: 'me', now: 1000 + at, until: 1001 + at });
      done(journal, entry?.reference ?? '', 1000 + at);
    }
    const counts: number[] = [];
    const took: number[] = [];
    do {
      const from = performance.now();
      counts.push(sweep(journal, { workBefore: 5000, evidenceBefore: 1200 }));
      took.push(performance.now() - from);
    } while (counts.at(-1) !== 0);
    assert.deepEqual(counts, [200, 200, 100, 100, 50, 0]);
    // Measured: 7 ms. A busy machine gets more.
    assert.ok(Math.max(...took) < 300, took.join(' '));
  });

  test('survives being closed and opened, with its version', (t) => {
    const file = join(folder(t), 'journal.db');
    const first = openJournal({ file, seal: createSeal([secret]) });
    const { reference } = put(first, aRequest({ intent: leaveAll }));
    first.close();
    assert.equal(open(t, file).find(reference)?.everything, true);
  });

  test('a file of the first version is counted when it is opened, and goes on being counted', (t) => {
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
    const { reference } = put(journal, aRequest({ subject: ben, intent: leaveAll }), 20);
    assert.deepEqual(journal.counts(), [
      { state: 'done', count: 2, oldestAt: undefined },
      { state: 'failed', count: 1, oldestAt: undefined },
      { state: 'pending', count: 2, oldestAt: 11 },
    ]);
    while (journal.claim(lease(30))?.reference !== reference);
    done(journal, reference, 40);
    assert.deepEqual(
      journal.counts().map(({ state, count }) => `${state} ${count}`),
      ['done 3', 'failed 1', 'pending 1'],
    );
  });

  test('a file of a newer version is refused', (t) => {
    const file = join(folder(t), 'journal.db');
    openJournal({ file, seal: createSeal([secret]) }).close();
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 99');
    database.close();
    assert.throws(() => openJournal({ file, seal: createSeal([secret]) }), isUnavailable);
  });

  test('after a rotation finds, opens and queues what was written before', (t) => {
    const file = join(folder(t), 'journal.db');
    const before = openJournal({ file, seal: createSeal([secret]) });
    const first = put(before, aRequest({ intent: intentOf(off('a')) }));
    const finished = put(before, aRequest({ subject: ben }));
    before.claim(lease(1000));
    before.claim(lease(1000));
    done(before, finished.reference, 1000);
    before.close();
    const after = open(t, file, [other, secret]);
    const second = put(after, aRequest({ intent: intentOf(on('a')) }));
    assert.deepEqual(
      after.pendingOf('center', anna).map((entry) => entry.reference),
      [first.reference, second.reference],
    );
    assert.equal(after.findOwn(finished.reference, ben)?.reference, finished.reference);
    assert.equal(after.claim(lease(2000))?.reference, first.reference);
    assert.equal(after.claim(lease(2000)), undefined);
  });

  test('an entry whose key is gone is there without what is personal', (t) => {
    const file = join(folder(t), 'journal.db');
    const before = openJournal({ file, seal: createSeal([secret]) });
    const { reference } = put(before, aRequest());
    before.close();
    const after = open(t, file, [other]);
    assert.equal(after.find(reference)?.state, 'pending');
    assert.equal(after.find(reference)?.work, undefined);
  });
});

suite('one-clicks that two processes take', () => {
  test('of the same are one row, in whichever it arrives', (t) => {
    const file = join(folder(t), 'journal.db');
    const [one, other] = [open(t, file), open(t, file)];
    const click = (journal: Journal, now: number) => {
      const request = aRequest({ channel: 'one-click', intent: leaveAll });
      made += 1;
      const reference = `click-${made}`;
      return journal.record(request, { reference, now, work: newWork(request), expiresAt: undefined });
    };
    const first = click(one, 1_000);
    assert.equal(first.kind, 'new');
    for (const [journal, now] of [
      [other, 1_001],
      [one, 50_000],
      [other, 900_000],
    ] as const) {
      const { kind, entry } = click(journal, now);
      assert.deepEqual([kind, entry.reference], ['open', first.entry.reference]);
    }
    assert.equal(one.list({ limit: 9 }).length, 1);
  });

  test('count together: what is over the bound in one is in the other', (t) => {
    const file = join(folder(t), 'journal.db');
    const both = [open(t, file), open(t, file)] as const;
    const due: number[] = [];
    for (let number = 0; number < 12; number += 1) {
      const journal = both[number % 2 === 0 ? 0 : 1];
      const now = 10_000 * (number + 1);
      const request = aRequest({ channel: 'one-click', intent: leaveAll });
      const reference = `bound-${number}`;
      const { kind, entry } = journal.record(request, {
        reference,
        now,
        work: newWork(request),
        expiresAt: undefined,
      });
      if (kind === 'open') continue;
      due.push(entry.dueAt - now);
      if (entry.dueAt > now) continue;
      journal.claim(lease(now));
      done(journal, reference, now);
    }
    assert.deepEqual(due, [0, 0, 0, 0, 0, 0, 0, 0, 0, 600_000]);
    assert.equal(both[0].list({ limit: 99 }).length, 2);
  });
});

suite('claims', () => {
  test('one at a time for each person, in order; withdrawals first among people', (t) => {
    const journal = open(t);
    const a1 = put(journal, aRequest({ intent: intentOf(on('a')) }), 1);
    const a2 = put(journal, aRequest({ intent: intentOf(off('a')) }), 2);
    const b1 = put(journal, aRequest({ subject: ben, intent: intentOf(off('a')) }), 3);
    assert.equal(journal.claim(lease(10))?.reference, b1.reference);
    assert.equal(journal.claim(lease(10))?.reference, a1.reference);
    assert.equal(journal.claim(lease(10)), undefined);
    done(journal, a1.reference, 11);
    assert.equal(journal.claim(lease(12))?.reference, a2.reference);
  });

  test('what ran out is noted although it is not due, after what is', (t) => {
    const journal = open(t);
    const later = put(journal, aRequest({ intent: intentOf(on('a')) }), 1_000);
    const work = later.work;
    assert.ok(work);
    assert.equal(journal.claim(lease(1_000))?.reference, later.reference);
    const change = { work, state: 'pending', doneAt: undefined, receipts: [], isPassable: false } as const;
    journal.save(later.reference, 'me', { ...change, dueAt: 9_000, expiresAt: 2_000, release: true });
    const due = put(journal, aRequest({ subject: ben, intent: intentOf(on('a')) }), 1_500);
    assert.equal(journal.nextDueAt(), 1_500);
    assert.deepEqual(
      [1_999, 1_999, 2_000, 2_000].map((now) => journal.claim(lease(now))?.reference),
      [due.reference, undefined, later.reference, undefined],
    );
    assert.equal(journal.nextDueAt(), 1_500);
  });

  test('a lease keeps others away until it ends, and then they may take over', (t) => {
    const journal = open(t);
    const { reference } = put(journal, aRequest(), 1);
    assert.ok(journal.claim(lease(10)));
    assert.equal(journal.claim(lease(109, 'you')), undefined);
    assert.ok(journal.renew(reference, lease(109)));
    assert.equal(journal.claim(lease(110, 'you')), undefined);
    assert.equal(journal.claim(lease(209, 'you'))?.reference, reference);
    assert.equal(journal.renew(reference, lease(210)), false);
    const { work } = journal.find(reference) ?? {};
    assert.ok(work);
    const change = {
      work,
      dueAt: 0,
      doneAt: 1,
      expiresAt: undefined,
      isPassable: false,
      receipts: [],
      release: true,
    };
    assert.equal(journal.save(reference, 'me', { ...change, state: 'done' }), false);
    assert.equal(journal.find(reference)?.state, 'pending');
    assert.equal(journal.save(reference, 'you', { ...change, state: 'done' }), true);
    assert.equal(journal.save(reference, 'you', { ...change, state: 'failed' }), false);
  });

  test('a lease that ran out is not renewed once another entry of the person is being worked on', (t) => {
    const journal = open(t);
    const first = put(journal, aRequest(), 1);
    assert.ok(journal.claim(lease(10)));
    assert.ok(journal.renew(first.reference, lease(500)));
    const { work } = first;
    assert.ok(work);
    const second = put(journal, aRequest(), 2);
    const change = {
      work,
      dueAt: 0,
      doneAt: undefined,
      expiresAt: undefined,
      isPassable: true,
      receipts: [],
    };
    journal.save(first.reference, 'me', { ...change, dueAt: 9999, state: 'pending', release: false });
    assert.equal(journal.claim(lease(700, 'you'))?.reference, second.reference);
    assert.equal(journal.renew(first.reference, lease(701)), false);
    assert.equal(journal.renew(first.reference, lease(900)), true);
  });

  test('hastening brings forward what is waiting, no more than asked, and says when something is due', (t) => {
    const journal = open(t);
    assert.equal(journal.nextDueAt(), undefined);
    const entries = [anna, ben].map((subject) => put(journal, aRequest({ subject }), 1));
    for (const { reference, work } of entries) {
      journal.claim(lease(10));
      assert.ok(work);
      const change = { work, state: 'pending' as const, doneAt: undefined, isPassable: false, receipts: [] };
      journal.save(reference, 'me', { ...change, dueAt: 5000, expiresAt: 4000, release: true });
    }
    assert.equal(journal.nextDueAt(), 4000);
    journal.makeDue({ now: 100, spread: 0, limit: 1 });
    assert.equal(journal.nextDueAt(), 100);
    assert.ok(journal.claim(lease(100)));
    assert.equal(journal.claim(lease(100)), undefined);
    journal.makeDue({ now: 200, spread: 50, limit: 10 });
    assert.ok(journal.claim(lease(250)));
  });

  test('after a clock was set back, neither a time nor a lease that is still to come keeps anything waiting', (t) => {
    const journal = open(t);
    const { reference } = put(journal, aRequest({ subject: anna }), 9000);
    journal.claim(lease(9000, 'dead'));
    assert.equal(journal.claim(lease(2000)), undefined);
    journal.resume({ now: 2000, lease: 100 });
    assert.equal(journal.claim(lease(2099)), undefined, 'somebody may still be at work');
    assert.equal(journal.claim(lease(2100))?.reference, reference);
  });
});

suite('what staff and metrics ask', () => {
  test('lists by state, center, person and time, newest first', (t) => {
    const journal = open(t);
    const first = put(journal, aRequest({ intent: intentOf(off('a')) }), 1);
    const second = put(journal, aRequest({ subject: ben, center: 'other' }), 2);
    const third = put(journal, aRequest({ subject: ben }), 3);
    journal.claim(lease(10));
    done(journal, first.reference, 11);
    const listed = (filter: Partial<Parameters<Journal['list']>[0]>) =>
      journal.list({ limit: 10, ...filter }).map((entry) => entry.reference);
    assert.deepEqual(listed({}), [third.reference, second.reference, first.reference]);
    assert.deepEqual(listed({ state: 'done' }), [first.reference]);
    assert.deepEqual(listed({ center: 'other' }), [second.reference]);
    assert.deepEqual(listed({ subject: ben }), [third.reference, second.reference]);
    assert.deepEqual(listed({ from: 2, to: 3 }), [second.reference]);
    assert.deepEqual(listed({ limit: 1, offset: 1 }), [second.reference]);
    assert.deepEqual(journal.counts(), [
      { state: 'done', count: 1, oldestAt: undefined },
      { state: 'pending', count: 2, oldestAt: 2 },
    ]);
    assert.deepEqual(
      journal.historyOf('center', ben, { limit: 10, offset: 0 }).map((entry) => entry.reference),
      [third.reference],
    );
  });

  test('keeps reasons by day, without a link to anyone', (t) => {
    const journal = open(t);
    const reasons = [
      { id: 'r1', text: 'Too many' },
      { id: undefined, text: 'my own words' },
    ];
    put(journal, aRequest({ intent: leaveAll, reasons }), day + 5);
    put(journal, aRequest({ center: 'other', reasons: [{ id: 'r1', text: 'Too many' }] }), 3 * day);
    assert.deepEqual(journal.reasons({ center: 'center' }), [
      { center: 'center', day, id: 'r1', text: 'Too many' },
      { center: 'center', day, id: undefined, text: 'my own words' },
    ]);
    assert.equal(journal.reasons({ from: 2 * day }).length, 1);
    assert.equal(journal.reasons({ to: 2 * day }).length, 2);
    journal.check();
    assert.equal(journal.reasons({}).length, 3);
  });

  test('keeps own words of a reason sealed, also those of an earlier version', (t) => {
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
    put(before, aRequest({ reasons: [{ id: undefined, text: 'and my illness' }] }));
    assert.deepEqual(
      before.reasons({}).map(({ text }) => text),
      ['since my divorce', 'Too many mails', '', 'and my illness'],
    );
    for (const content of bytes()) {
      assert.doesNotMatch(content, /my divorce|my illness/);
    }
    before.close();
    const rotated = open(t, join(path, 'killed.db'), [other, secret]);
    assert.equal(rotated.reasons({}).at(-1)?.text, 'and my illness');
    const lost = open(t, join(path, 'killed.db'), [other]);
    assert.deepEqual(
      lost.reasons({}).map(({ text }) => text),
      ['', 'Too many mails', '', ''],
    );
  });
});

suite('a store that cannot be written', () => {
  test('locked by another process is unavailable within about a second, and nothing was written', (t) => {
    const file = join(folder(t), 'journal.db');
    const journal = open(t, file);
    const blocker = new DatabaseSync(file);
    t.after(() => blocker.close());
    blocker.exec('BEGIN IMMEDIATE');
    const from = performance.now();
    assert.throws(() => put(journal, aRequest()), isUnavailable);
    assert.throws(() => journal.check(), isUnavailable);
    assert.ok(performance.now() - from < 4000);
    blocker.exec('ROLLBACK');
    assert.equal(journal.list({ limit: 10 }).length, 0);
    put(journal, aRequest());
  });

  test('full is unavailable, and nothing was written', (t) => {
    const file = join(folder(t), 'journal.db');
    openJournal({ file, seal: createSeal([secret]) }).close();
    const journal = open(t, file);
    const limited = new DatabaseSync(file);
    t.after(() => limited.close());
    put(journal, aRequest());
    limited.exec(
      "CREATE TRIGGER full BEFORE INSERT ON submission BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END",
    );
    assert.throws(() => put(journal, aRequest()), isUnavailable);
    assert.equal(journal.list({ limit: 10 }).length, 1);
  });

  test('closed, or in a folder that is none, is unavailable', () => {
    const journal = openJournal({ file: ':memory:', seal: createSeal([secret]) });
    journal.close();
    assert.throws(() => put(journal, aRequest()), isUnavailable);
    assert.throws(
      () => openJournal({ file: '/dev/null/journal.db', seal: createSeal([secret]) }),
      isUnavailable,
    );
  });
});

function isUnavailable(fault: unknown): boolean {
  return fault instanceof Problem && fault.code === 'store-unavailable';
}
