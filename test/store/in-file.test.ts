import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import type { Layout } from '../../src/store/drivers/layout.ts';
import { sqliteDialect } from '../../src/store/drivers/sqlite/dialect.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { openPasscodes } from '../../src/store/passcodes.ts';
import { peopleTables } from '../../src/store/people-schema.ts';
import { openRateCounters } from '../../src/store/rate-counters.ts';
import { openSessionStore } from '../../src/store/sessions.ts';
import { reading } from '../../src/store/sql.ts';
import { aRequest, intentOf, off } from '../delivery/fixture.ts';
import { newFolder } from '../kit/folder.ts';
import { aPeopleStore, finish, put } from './contract/people-fixture.ts';
import { sessionTimes } from './contract/sessions.ts';
import { aClock, anna, minute, seal } from './contract/test-store.ts';
import { bytesIn, wholeLayout } from './on-both.ts';

suite('The file of the stores', () => {
  function open(t: TestContext, layout: Layout = wholeLayout) {
    const folder = newFolder(t);
    const clock = aClock();
    const sql = openSqlite({ file: join(folder, 'store.sqlite'), layout, clock });
    t.after(() => sql.close());
    return { folder, sql, clock };
  }

  test('The file has no name of a person, no session id, no code and no link in the clear', async (t) => {
    const { folder, sql, clock } = open(t);
    const sessions = openSessionStore({ sql, store: 'visitors', seal, ...sessionTimes });
    const visit = { center: 'shop', subject: anna, scope: 'manage', channel: 'link', since: 1 } as const;
    await sessions.save('the-session-id', { visits: [visit] });
    await sessions.endAllOf(anna);
    const made = { id: 'id-on-disk', center: 'shop', subject: anna, link: 'link-on-disk', code: '987654' };
    const endsAt = clock.now() + 10 * minute;
    await openPasscodes({ sql, seal }).open({ ...made, endsAt, isShared: true });
    await openRateCounters({ sql, seal }).count('tries', anna, { most: 3, withinMs: minute });
    const bytes = bytesIn(folder);
    for (const there of ['CREATE TABLE session', 'id-on-disk', seal.hash('rate-counter', `tries ${anna}`)])
      assert.ok(bytes.includes(there), there);
    for (const text of [anna, 'the-session-id', '987654', 'link-on-disk']) assert.ok(!bytes.includes(text));
  });

  test('The file has nothing personal of a submission in the clear, and nothing at all after a sweep', async (t) => {
    const { folder, sql } = open(t, peopleTables(sqliteDialect));
    const store = aPeopleStore({ sql, seal });
    const request = aRequest({
      intent: intentOf(off('secret-purpose')),
      onBehalf: { staff: 'Sam Staff', reason: 'a call' },
      linkMadeBy: { id: 'lena', name: 'Lena Linker' },
      reasons: [{ id: undefined, text: 'and my illness' }],
    });
    const { reference } = (await put(store, request)).entry;
    await finish(store, 2_000);
    const clear = [anna, 'secret-purpose', 'Sam Staff', 'Lena Linker', 'and my illness'];
    for (const text of clear) assert.ok(!bytesIn(folder).includes(text), text);
    const [work = {}] = await sql.all(reading`SELECT request, progress FROM submission`);
    const sealed = Object.values(work).map(String);
    assert.ok(sealed.every((text) => text.startsWith('row.') && bytesIn(folder).includes(text)));
    const over = { now: 9e15, workBefore: 9e14, evidenceBefore: 0, reasonsBefore: 9e14 };
    while ((await store.sweep(over)) > 0);
    await sql.emptyLog();
    assert.ok((await store.findOwn(reference, anna))?.evidence);
    for (const text of [...clear, ...sealed]) assert.ok(!bytesIn(folder).includes(text), text);
  });
});
