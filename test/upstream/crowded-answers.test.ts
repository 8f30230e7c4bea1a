import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Problem } from '../../src/core/model/problem.ts';
import { readJson } from '../../src/upstream/exchange.ts';

const list = (member: string, count: number) => `[${Array.from({ length: count }, () => member).join(',')}]`;
const nested = (count: number) => `${'{"":'.repeat(count)}0${'}'.repeat(count)}`;

const crowded: Readonly<Record<string, string>> = {
  'one object too many, as dense as can be': list('{}', 50_001),
  'one member too many': list('0', 200_001),
  'one empty list too many': list('[]', 100_001),
  'objects within objects': nested(50_001),
};
const read: Readonly<Record<string, string>> = {
  'as many objects as may be': list('{}', 50_000),
  'as many members as may be': list('0', 200_000),
  'as many objects within objects as may be': nested(50_000),
};

suite('An answer with more objects or members than any schema is refused before it is parsed', () => {
  for (const [what, text] of Object.entries(crowded))
    test(`${what}: refused`, () => {
      const isRefused = (fault: unknown) =>
        fault instanceof Problem && /too many members/.test(String(fault.cause));
      assert.throws(() => readJson(Buffer.from(text)), isRefused);
    });
  for (const [what, text] of Object.entries(read))
    test(`${what}: read`, () => {
      assert.doesNotThrow(() => readJson(Buffer.from(text)));
    });
});
