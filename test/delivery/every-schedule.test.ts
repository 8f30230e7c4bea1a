import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { times } from '../chaos/dice.ts';
import { rules, rulesWith, settings } from './every-schedule-settings.ts';
import { walk } from './every-schedule-walk.ts';
import { planted } from './planted-faults.ts';

/** The settings; the short run has no changes elsewhere in a setting with several acts. */
const walked = times(
  settings.map((setting) => (setting.acts.length > 1 ? { ...setting, elsewhere: 0 } : setting)),
  settings.map((setting) => ({ ...setting, adverse: setting.deep })),
);

describe('every schedule of a small world', () => {
  for (const setting of walked) {
    test(`${setting.name}: the rules lose no withdrawal, grant nothing unasked, tell the truth and come to rest`, async (t) => {
      const { states, ends, violation } = walk(setting, await rules());
      assert.equal(violation, undefined);
      assert.ok(ends > 0);
      t.diagnostic(`${states} states, ${ends} at rest`);
    });
  }
});

describe('a planted fault is found', () => {
  for (const fault of planted) {
    test(fault.name, async (t) => {
      const setting = settings.find(({ name }) => name === fault.by);
      assert.ok(setting !== undefined);
      const adverse = fault.adverse ?? setting.adverse;
      const { violation, states } = walk({ ...setting, adverse }, await rulesWith(fault));
      assert.notEqual(violation, undefined, `${states} states, and none is wrong`);
      t.diagnostic(violation?.split('\n')[0] ?? '');
    });
  }
});
