import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { createSeal } from '../../../src/store/seal.ts';
import { openSessionStore } from '../../../src/store/sqlite/sessions.ts';
import { sessionsContract, sessionTimes } from '../contract/sessions.ts';
import { aClock, anna, secret } from '../contract/test-store.ts';
import { bytesIn, sqliteStore } from './sqlite-store.ts';

sessionsContract(sqliteStore((given) => openSessionStore({ ...given, ...sessionTimes })));

suite('The session store in a file', () => {
  function open(t: TestContext) {
    const folder = mkdtempSync(join(tmpdir(), 'sayso-sessions-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'sessions.sqlite');
    const seal = createSeal([secret]);
    return { folder, store: openSessionStore({ file, seal, clock: aClock(), ...sessionTimes }) };
  }

  test('holds nobody’s name and no id in the clear', async (t) => {
    const { folder, store } = open(t);
    const visit = { center: 'shop', subject: anna, scope: 'manage', channel: 'link', since: 1 } as const;
    await store.save('the-session-id', { visits: [visit] });
    await store.endAllOf(anna);
    const bytes = bytesIn(folder);
    await store.close();
    assert.ok(bytes.includes('CREATE TABLE session'), 'the file was read');
    assert.ok(!bytes.includes(anna) && !bytes.includes('the-session-id'));
  });

  test('says so when it is gone, and reads as no one', async (t) => {
    const { store } = open(t);
    await store.check();
    await store.close();
    const uses = [store.find('one'), store.save('one', {}), store.end('one'), store.touch('one')];
    for (const use of [...uses, store.check()]) await assert.rejects(use, { code: 'store-unavailable' });
  });
});
