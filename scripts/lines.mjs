/**
 * `node scripts/lines.mjs [src/store …] [--rooms] [--beside <checkout>]` counts code lines by folder, without
 * blank lines and comments on lines of their own. `--rooms` counts by room of test/rooms.ts and prints the
 * budgets. `--beside` prints the numbers of another checkout before those of this one.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { budgets, codeLines, roomOf } from '../test/rooms.ts';

const { values, positionals } = parseArgs({
  options: { beside: { type: 'string' }, rooms: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const parts = positionals.length === 0 ? ['src'] : positionals.map((part) => part.replace(/\/$/, ''));
const here = join(import.meta.dirname, '..');
const checkouts = values.beside === undefined ? [here] : [values.beside, here];
for (const checkout of checkouts)
  if (!existsSync(join(checkout, 'src'))) throw new Error(`${checkout} is no checkout`);

const counted = checkouts.map(count);
const folders = [...new Set(counted.flatMap((each) => [...each.keys()]))].sort();
for (const folder of folders)
  print(
    folder,
    counted.map((each) => each.get(folder) ?? 0),
  );
print(
  'all of it',
  counted.map((each) => [...each.values()].reduce((sum, lines) => sum + lines, 0)),
);

/** Returns the code lines of a checkout by folder or room. */
function count(checkout) {
  const lines = new Map();
  for (const part of parts)
    for (const file of globSync(`${part}/**/*.{ts,mjs}`, { cwd: checkout })) {
      const folder = values.rooms ? roomOf(file) : dirname(file);
      lines.set(folder, (lines.get(folder) ?? 0) + codeLines(readFileSync(join(checkout, file), 'utf8')));
    }
  return lines;
}

function print(name, numbers) {
  const columns = numbers.map((number) => String(number).padStart(8));
  const budget = values.rooms && budgets[name] !== undefined ? ` of ${budgets[name]}` : '';
  process.stdout.write(`${name.padEnd(32)}${columns.join('  →')}${budget}\n`);
}
