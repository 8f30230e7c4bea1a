import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, type TestContext, test } from 'node:test';
import { createSeal } from '../../../src/store/seal.ts';
import { openPasscodes } from '../../../src/store/sqlite/passcodes.ts';
import { passcodesContract } from '../contract/passcodes.ts';
import { aClock, anna, minute, secret } from '../contract/test-store.ts';
import { bytesIn, sqliteStore } from './sqlite-store.ts';

const center = 'b00c5000-0000-4000-8000-000000000001';

passcodesContract(sqliteStore(openPasscodes));

suite('Passcodes in a file', () => {
  async function sent(t: TestContext) {
    const folder = mkdtempSync(join(tmpdir(), 'sayso-passcodes-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'passcodes.sqlite');
    const clock = aClock();
    const passcodes = openPasscodes({ file, seal: createSeal([secret]), clock });
    const endsAt = clock.now() + 10 * minute;
    const made = { id: 'id-on-disk', center, subject: anna, link: 'link-on-disk', code: '987654' };
    await passcodes.open({ ...made, endsAt, isShared: true });
    return { folder, file, clock, passcodes };
  }

  test('lie on the disk without code, link or person.', async (t) => {
    const { folder, passcodes } = await sent(t);
    const disk = bytesIn(folder);
    await passcodes.close();
    assert.ok(disk.includes('id-on-disk'), 'the file was read');
    for (const text of ['987654', 'link-on-disk', anna]) assert.ok(!disk.includes(text));
  });

  test('end with those that an earlier version sent, which do not say to whom.', async (t) => {
    const { file, passcodes } = await sent(t);
    const database = new DatabaseSync(file);
    database.exec('UPDATE passcode SET person = NULL');
    database.close();
    await passcodes.endOf(anna);
    assert.equal((await passcodes.findLink('link-on-disk', center)).kind, 'over');
    await passcodes.close();
  });

  test('of an earlier version say for a week whose link it was, for the link does not.', async (t) => {
    const { file, clock, passcodes } = await sent(t);
    const database = new DatabaseSync(file);
    database.exec('UPDATE passcode SET link_names_subject = 0');
    database.close();
    clock.at += 7 * 24 * 60 * minute;
    assert.equal(await passcodes.sweep(), 0);
    assert.deepEqual(await passcodes.findLink('link-on-disk', center), { kind: 'over', subject: anna });
    clock.at += 11 * minute;
    assert.equal(await passcodes.sweep(), 1);
    await passcodes.close();
  });
});
