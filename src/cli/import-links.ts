import { createReadStream } from 'node:fs';
import { stderr, stdin } from 'node:process';
import { parseArgs } from 'node:util';
import { importLinks as keepLinks } from '../compose/import-links.ts';
import { readDays } from '../compose/links.ts';
import type { Config } from '../config/environment.ts';
import { WrongArgument } from '../config/wrong-argument.ts';

/** Rows between two words about how far it is. */
const stride = 100_000;
/** No more rows that are left out are told one by one. */
const mostTold = 100;

/** Keeps whose the tokens in links of hosted pages are. The process ends with 1 if a row was left out. */
export async function importLinks(config: Config, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { file: { type: 'string' }, days: { type: 'string' } },
  });
  if (values.file === undefined)
    throw new WrongArgument('say which file: --file linktokens.csv, or - for stdin');
  const say = (text: string) => stderr.write(`${text}\n`);
  const count = { kept: 0, leftOut: 0, ended: 0 };
  let told = 0;
  const file = values.file === '-' ? stdin : createReadStream(values.file);
  const days = values.days === undefined ? undefined : readDays(values.days);
  await keepLinks(
    config,
    { file, days },
    {
      leftOut(line, why) {
        count.leftOut += 1;
        if (count.leftOut <= mostTold) say(`line ${line} is left out: ${why}`);
      },
      kept(rows) {
        count.kept = rows;
        if (rows - told < stride) return;
        told = rows;
        say(`${rows} rows`);
      },
      ended() {
        count.ended += 1;
      },
    },
  );
  say(`${count.kept} tokens kept, ${count.ended} had ended, ${count.leftOut} left out`);
  if (count.leftOut > 0) process.exitCode = 1;
}
