import { faultCode } from '../../core/model/fault-code.ts';
import { Problem } from '../../core/model/problem.ts';
import { TooLarge } from '../../upstream/exchange.ts';

/**
 * `off`: a part that is not set up, which is no fault. `told`, `refused`: a member of a center's schemas that
 * is not honoured, see docs/platform-api.md.
 */
const marks = {
  ok: 'ok    ',
  warn: 'WARN  ',
  fault: 'FAULT ',
  off: 'off   ',
  told: 'told  ',
  refused: 'REFUSE',
} as const;

type CheckStatus = keyof typeof marks;

export interface CheckLine {
  readonly status: CheckStatus;
  /** The part that was tried. */
  readonly about: string;
  /** One plain sentence; empty if `ok` says it all. */
  readonly words: string;
}

export type Tell = (status: CheckStatus, about: string, words?: string) => void;

interface Attempt {
  readonly about: string;
  /** Returns the words of success. */
  readonly run: () => Promise<string | undefined>;
  /** Reports a failure in another way than as a fault. */
  readonly failed?: (why: string, fault: unknown) => void;
}

/** Resolves to false if the attempt failed. */
export async function tried(tell: Tell, { about, run, ...other }: Attempt): Promise<boolean> {
  const { failed = (why) => tell('fault', about, why) } = other;
  try {
    tell('ok', about, await run());
    return true;
  } catch (fault) {
    failed(reasonOf(fault), fault);
    return false;
  }
}

/** Lines `told` about one part that are printed; the JSON has all of them. */
const mostTold = 12;

export function isWell(lines: readonly CheckLine[]): boolean {
  return lines.every(({ status }) => status !== 'fault' && status !== 'refused');
}

/** The lines for a person to read: one for each result, with long lists cut. */
export function printedLines(lines: readonly CheckLine[]): readonly string[] {
  const told = Map.groupBy(
    lines.filter(({ status }) => status === 'told'),
    ({ about }) => about,
  );
  const long = [...told].filter(([, each]) => each.length > mostTold);
  const cut = new Set(long.flatMap(([, each]) => each.slice(mostTold)));
  return [
    ...lines
      .filter((line) => !cut.has(line))
      .map(({ status, about, words }) => `  ${marks[status]} ${about}${words === '' ? '' : `: ${words}`}`),
    ...long.map(([about, each]) => `         ${about}: ${each.length - mostTold} more, see --json`),
  ];
}

export function printedJson(lines: readonly CheckLine[]): string {
  return JSON.stringify({ ok: isWell(lines), lines }, undefined, 2);
}

/** The reason why a call failed: codes and words of causes, never an address, a secret or a body. */
export function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return 'unexpected';
  const isProblem = fault instanceof Problem;
  const code = isProblem ? (fault.cause instanceof Error ? fault.cause.message : '') : codeOf(fault);
  if (/CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code))
    return `the certificate is not trusted (${code}): name its authority by NODE_EXTRA_CA_CERTS`;
  if (isProblem && fault.cause instanceof TooLarge)
    return `larger than what is read at most (${code}): see docs/security.md; people can only withdraw from it`;
  const words = isProblem ? (meanings[fault.code] ?? fault.code) : fault.message || 'no answer';
  return code === '' ? words : `${words} (${code})`;
}

/** The code of the innermost cause that has one; empty if no cause has one. */
function codeOf(fault: Error): string {
  const inner = fault.cause instanceof Error ? codeOf(fault.cause) : '';
  if (inner !== '') return inner;
  return faultCode(fault) ?? '';
}

const meanings: Readonly<Record<string, string>> = {
  'platform-denied': 'refused: check the client id and secret, and that its scopes include CONSENT',
  'platform-unreachable': 'the platform does not answer: check PLATFORM_URL',
  'platform-slow': 'the platform takes too long to answer',
  'platform-busy': 'the platform limits requests: try again later',
  'quota-used-up': 'the platform’s quota is used up: try again later',
  'platform-unreadable': 'the answer is not what the interface describes: is PLATFORM_URL the API’s address?',
  'platform-refused': 'refused',
  'wrong-subject': 'the answer is about another person',
  'identifier-refused': 'PLATFORM_IDENTIFIER_ENCODING does not let such an identifier be sent',
};
