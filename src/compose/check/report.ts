import { Problem } from '../../core/model/problem.ts';

/** `off`: not set up, which is no fault. `told`, `refused`: a member of a center, see docs/platform-api.md. */
export type CheckStatus = 'ok' | 'warn' | 'fault' | 'off' | 'told' | 'refused';

export interface CheckLine {
  readonly status: CheckStatus;
  /** What was tried. */
  readonly about: string;
  /** One plain sentence; empty where `ok` says it all. */
  readonly words: string;
}

const marks: Readonly<Record<CheckStatus, string>> = {
  ok: 'ok    ',
  warn: 'WARN  ',
  fault: 'FAULT ',
  off: 'off   ',
  told: 'told  ',
  refused: 'REFUSE',
};

/** Of one center, on the screen; all are in the JSON. */
const mostTold = 12;

export function isWell(lines: readonly CheckLine[]): boolean {
  return lines.every(({ status }) => status !== 'fault' && status !== 'refused');
}

/** For a person: one line each, long lists cut. */
export function printedLines(lines: readonly CheckLine[]): readonly string[] {
  const counts = new Map<string, number>();
  const shown = lines.flatMap(({ status, about, words }): string[] => {
    const line = `  ${marks[status]} ${about}${words === '' ? '' : `: ${words}`}`;
    if (status !== 'told') return [line];
    const count = (counts.get(about) ?? 0) + 1;
    counts.set(about, count);
    return count <= mostTold ? [line] : [];
  });
  const cut = [...counts].filter(([, count]) => count > mostTold);
  return [
    ...shown,
    ...cut.map(([about, count]) => `         ${about}: ${count - mostTold} more, see --json`),
  ];
}

export function printedJson(lines: readonly CheckLine[]): string {
  return JSON.stringify({ ok: isWell(lines), lines }, undefined, 2);
}

/** Why something did not work. Causes hold codes, never an address, a secret or a body. */
export function reasonOf(fault: unknown): string {
  if (!(fault instanceof Problem)) return fault instanceof Error ? fault.message : 'unexpected';
  const code = fault.cause instanceof Error ? fault.cause.message : '';
  const words = meanings[fault.code] ?? fault.code;
  if (isOfCertificate(code))
    return `the certificate is not trusted (${code}): name its authority by NODE_EXTRA_CA_CERTS`;
  return code === '' ? words : `${words} (${code})`;
}

export function isOfCertificate(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code);
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
