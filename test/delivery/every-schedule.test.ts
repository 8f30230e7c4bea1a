import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { times } from '../chaos/dice.ts';
import { core, rulesIn, settings } from './every-schedule-settings.ts';
import { walk } from './every-schedule-walk.ts';
import { planted } from './planted-faults.ts';

/** Found only where others change the record while several things are said. */
const both: ReadonlySet<string> = new Set([
  'click, click',
  'click all, click all',
  'off, on',
  'on, on by a form as old',
]);
/** Otherwise either one says several things, or others change the record meanwhile. */
const small = settings.map((setting) =>
  setting.acts.length > 1 && !both.has(setting.name) ? { ...setting, elsewhere: 0 } : setting,
);
const walked = times(
  small,
  settings.map((setting) => ({ ...setting, adverse: setting.deep })),
);

describe('every schedule of a small world', () => {
  for (const setting of walked) {
    test(`${setting.name}: no withdrawal lost, nothing on unasked, every line true, and it comes to rest`, async (t) => {
      const rules = await rulesIn(core);
      const { states, ends, violation } = walk(setting, rules);
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
      const setting = small.find((each) => each.name === by);
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
