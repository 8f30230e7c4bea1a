import { createReadStream } from 'node:fs';
import { stderr, stdin, stdout } from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { linkTable } from '../compose/link-table.ts';
import type { Config } from '../config/environment.ts';

/** Rows between two words about how far it is. */
const stride = 100_000;

/**
 * Writes a file of people with everybody's links to stdout, and to stderr how far it is and what was left out. The
 * process then ends with 1 if anything was, or if its output was closed.
 */
export async function printLinkTable(
  config: Config,
  { path, ...options }: { path: string; center: string | undefined; days: string },
): Promise<void> {
  const say = (text: string) => stderr.write(`${text}\n`);
  const count = { written: 0, leftOut: 0, likeFormula: 0 };
  const people = path === '-' ? stdin : createReadStream(path);
  const table = linkTable(
    config,
    { ...options, people },
    {
      leftOut(line, why) {
        count.leftOut += 1;
        say(`line ${line} is left out: ${why}`);
      },
      written(rows) {
        count.written = rows;
        if (rows % stride === 0) say(`${rows} rows`);
      },
      likeFormula(line) {
        count.likeFormula += 1;
        if (count.likeFormula === 1)
          say(`line ${line}: a spreadsheet would take this identifier for a formula; it stays as it is`);
      },
    },
  );
  try {
    await pipeline(Readable.from(table), stdout, { end: false });
  } catch (fault) {
    if (!isClosed(fault)) throw fault;
    throw new Error('the reader of the links has gone: the rest was not made');
  }
  if (count.likeFormula > 1) say(`${count.likeFormula} identifiers would be taken for formulas`);
  say(`${count.written} rows written, ${count.leftOut} left out`);
  if (count.leftOut > 0) process.exitCode = 1;
}

function isClosed(fault: unknown): boolean {
  return (
    fault instanceof Error &&
    'code' in fault &&
    ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(fault.code))
  );
}
