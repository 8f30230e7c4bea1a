import { buffer } from 'node:stream/consumers';
import type { Config } from '../config/environment.ts';
import { type Finding, readOneClickMail } from '../mail/one-click-mail.ts';
import { print, readable } from './streams.ts';
import { type Values, WrongArgument } from './usage.ts';

/**
 * Reads a mail and reports what a mailbox provider will make of it. The exit code is 1 if something is wrong.
 */
export async function checkMail(_config: Config, { file, post }: Values<'check-mail'>): Promise<void> {
  if (file === undefined) throw new WrongArgument('--file must name a mail');
  const { findings, address } = readOneClickMail(await buffer(readable(file)));
  const all = address === undefined ? findings : [...findings, ...(await ask(address, post))];
  for (const { kind, text } of all) print(`  ${words[kind]} ${text}`);
  if (all.some(({ kind }) => kind === 'fault')) process.exitCode = 1;
}

const timeoutMs = 10_000;

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
