import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Config } from '../config/environment.ts';
import { WrongArgument } from '../config/wrong-argument.ts';
import { type Finding, readOneClickMail } from '../mail/one-click-mail.ts';
import { type Print, print, readable } from './streams.ts';

/** Reads a mail, and says what a mailbox provider will make of it; ends with status 1 when something is wrong. */
export async function checkMail(_config: Config, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { file: { type: 'string' }, post: { type: 'boolean', default: false } },
  });
  if (values.file === undefined) throw new WrongArgument('--file must name a mail');
  const mail = await buffer(readable(values.file));
  if (!(await tellOfMail(mail, { posts: values.post, print }))) process.exitCode = 1;
}

const timeoutMs = 10_000;

/** Checks a mail as a mailbox provider would. False if something is wrong. */
async function tellOfMail(
  mail: Uint8Array,
  { posts, print }: { readonly posts: boolean; readonly print: Print },
): Promise<boolean> {
  const { findings, address } = readOneClickMail(mail);
  const all = address === undefined ? findings : [...findings, ...(await ask(address, posts))];
  for (const { kind, text } of all) print(`  ${words[kind]} ${text}`);
  return all.every(({ kind }) => kind !== 'fault');
}

const words = { ok: 'ok    ', unsure: 'unsure', fault: 'FAULT ' } as const;

/** A GET changes nothing; a POST withdraws. */
async function ask(address: string, posts: boolean): Promise<readonly Finding[]> {
  const looked = await call(address, 'GET');
  const notTried = 'POST: not tried, since it withdraws: --post, with the mail of a test person';
  if (!posts) return [looked, { kind: 'unsure', text: notTried }];
  return looked.kind === 'fault' ? [looked] : [looked, await call(address, 'POST')];
}

async function call(address: string, method: 'GET' | 'POST'): Promise<Finding> {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  try {
    const { status } = await fetch(address, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(method === 'GET' ? {} : { body: 'List-Unsubscribe=One-Click', headers: form }),
    });
    return { kind: status === 200 ? 'ok' : 'fault', text: `${method}: ${status}${hintOf(status)}` };
  } catch (fault) {
    return { kind: 'fault', text: `${method}: no answer${reasonOf(fault)}` };
  }
}

function hintOf(status: number): string {
  if (status >= 300 && status < 400)
    return ', a redirect, which providers do not follow: leave this address out of click tracking';
  if (status === 404)
    return ', nothing is there: the address was changed on its way, or is of another installation';
  if (status === 410) return ', its time is over';
  return '';
}

function reasonOf(fault: unknown): string {
  const cause = fault instanceof Error ? fault.cause : undefined;
  if (!(cause instanceof Error)) return fault instanceof Error ? ` (${fault.message})` : '';
  return ` (${'code' in cause ? String(cause.code) : cause.message})`;
}
