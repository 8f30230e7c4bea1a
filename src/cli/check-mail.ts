import { readFile } from 'node:fs/promises';
import { stdin } from 'node:process';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { tellOfMail } from '../compose/check-mail.ts';
import type { Config } from '../config/environment.ts';
import { WrongArgument } from '../config/wrong-argument.ts';
import { print } from './print.ts';

/** Reads a mail, and says what a mailbox provider will make of it; ends with status 1 when something is wrong. */
export async function checkMail(_config: Config, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { file: { type: 'string' }, post: { type: 'boolean', default: false } },
  });
  if (values.file === undefined) throw new WrongArgument('--file must name a mail');
  const mail = values.file === '-' ? await buffer(stdin) : await readFile(values.file);
  if (!(await tellOfMail(mail, { posts: values.post, print }))) process.exitCode = 1;
}
