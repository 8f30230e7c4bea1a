/**
 * Code lines, without blank lines and comments, by folder: `node scripts/lines.mjs [src/store …] [--rooms] [--beside <checkout>]`.
 * `--rooms` sums up by room of test/rooms.ts, beside its budget. With `--beside` the numbers of another checkout stand before those of this one. Only comments on lines of their own are
 * seen as comments, as they are written in this repository.
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

/** Folder, or room → code lines of its files. */
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
