import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, test } from 'node:test';
import { core, rulesIn, settings } from './every-schedule-settings.ts';
import { walk } from './every-schedule-walk.ts';
import { planted } from './planted-faults.ts';

const isLong = process.env['SAYSO_LONG'] !== undefined;
describe('every schedule of a small world', () => {
  for (const setting of settings) {
    test(`${setting.name}: no withdrawal lost, nothing on unasked, every line true, and it comes to rest`, async (t) => {
      const rules = await rulesIn(core);
      const { states, ends, violation } = walk(
        isLong ? { ...setting, adverse: setting.deep } : setting,
        rules,
      );
      assert.equal(violation, undefined);
      assert.ok(ends > 0);
      t.diagnostic(`${states} states, ${ends} at rest`);
    });
  }
});

describe('a planted fault is found', () => {
  const folders: string[] = [];
  after(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });
  for (const { name, file, from, to, by, adverse } of planted) {
    test(name, async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'sayso-planted-'));
      folders.push(folder);
      await cp(core, folder, { recursive: true });
      const path = join(folder, 'consent', file);
      const source = await readFile(path, 'utf8');
      assert.equal(source.split(from).length, 2, `${file} has this once: ${from}`);
      await writeFile(
        path,
        source.replace(from, () => to),
      );
      const setting = settings.find((each) => each.name === by);
      assert.ok(setting !== undefined);
      const { violation, states } = walk(
        { ...setting, adverse: adverse ?? setting.adverse },
        await rulesIn(folder),
      );
      assert.notEqual(violation, undefined, `${states} states, and nothing is wrong`);
      t.diagnostic(violation?.split('\n')[0] ?? '');
    });
  }
});
