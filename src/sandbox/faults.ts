import * as z from 'zod';
import { fold, isObject, type Json } from './json.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { badRequest } from './refusal.ts';
import { flag, optional, readShape, usual, whole, words } from './shape.ts';

/** Kinds of faults; docs/sandbox.md explains each. */
const FAULT_KINDS = [
  'latency',
  '401',
  '429',
  '500',
  'garbage',
  'drop',
  'refuse',
  'ignore',
  'late',
  'lag',
  'unknown-subject',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** Members of each kind, beside the members that all kinds have. */
const MEMBERS: Readonly<Record<FaultKind, readonly string[]>> = {
  latency: ['milliseconds'],
  '401': ['when'],
  '429': ['when', 'retryAfter', 'period', 'allowed'],
  '500': ['when', 'status'],
  garbage: ['when', 'status', 'body', 'contentType', 'truncate'],
  drop: ['when'],
  refuse: ['purposes'],
  ignore: ['purposes'],
  late: ['milliseconds', 'answer'],
  lag: ['milliseconds'],
  'unknown-subject': ['answer'],
};

const COMMON_MEMBERS = ['kind', 'operation', 'identifier', 'path', 'skip', 'count'];

/** Operations that these kinds can strike; every other kind strikes any call. */
const REACH: Partial<Readonly<Record<FaultKind, readonly Operation[]>>> = {
  refuse: ['update-subject', 'withdraw-subject'],
  ignore: ['update-subject', 'withdraw-subject'],
  lag: ['read-subject'],
  'unknown-subject': ['read-subject'],
};

/** Possible answers by kind; the first is the default. */
const ANSWERS = {
  /** Answer after the call took effect, cut the connection at once, or never answer. */
  late: ['late', 'drop', 'never'],
  /** All answers that say "nothing is on record", or look like it. */
  'unknown-subject': ['404', '400', 'status-400', 'purposes-null', 'purposes-absent', 'purposes-empty'],
} as const satisfies Partial<Record<FaultKind, readonly string[]>>;

export type FaultAnswer = (typeof ANSWERS)[keyof typeof ANSWERS][number];

/** Longest delay that a timer accepts. */
const MAX_MILLISECONDS = 2 ** 31 - 1;

export interface Fault {
  readonly id: number;
  readonly kind: FaultKind;
  readonly operation: Operation | '*';
  /** When given, the fault strikes only calls for this data subject. */
  readonly identifier: string | undefined;
  /** When given, the path of the call must contain it, such as the id of a center or page; folded. */
  readonly path: string | undefined;
  /** Number of calls that pass before the fault strikes. */
  skip: number;
  /** Number of calls still to strike; undefined strikes until the fault is deleted. */
  count: number | undefined;
  /** Whether the fault strikes before or after the call takes effect. */
  readonly when: 'before' | 'after';
  readonly milliseconds: number;
  /** Seconds, for kind 429. */
  readonly retryAfter: number;
  readonly period: 'MINUTE' | 'HOUR';
  /** Number of requests that a 429 says are allowed; it counts one more as made. */
  readonly allowed: number;
  readonly status: number;
  readonly body: string;
  readonly contentType: string;
  readonly truncate: boolean;
  /** Folded ids of the purposes that `refuse` and `ignore` strike; empty means all. */
  readonly purposes: readonly string[];
  /** The answer of kinds `late` and `unknown-subject`. */
  readonly answer: FaultAnswer | undefined;
}

export interface Lag {
  readonly milliseconds: number;
  /** Number of changes when the lag was set: a reading never shows an older state than that. */
  readonly since: number;
}

/** All faults that strike one call. */
export interface Mishap {
  /** Milliseconds. */
  readonly delay: number;
  /** Lags of a reading, which shows the oldest state of all these. */
  readonly lags: readonly Lag[];
  readonly fault: Fault | undefined;
}

export interface Faults {
  add(description: Json | undefined): Fault[];
  list(): Fault[];
  clear(id?: number): void;
  /** Returns the faults that strike this call, and counts the call. */
  strike(
    operation: Operation,
    call: { readonly identifier: string | undefined; readonly path: string },
  ): Mishap;
  /** Milliseconds of the longest lag that is set; 0 without any. */
  longestLag(): number;
}

const CALM: Mishap = { delay: 0, lags: [], fault: undefined };

/** `changes` returns the number of changes of records so far. */
export function createFaults({ changes }: { readonly changes: () => number }): Faults {
  let faults: Fault[] = [];
  const setAfter = new WeakMap<Fault, number>();
  let made = 0;

  /** Counts the call and returns whether the fault strikes now. */
  function isDue(fault: Fault): boolean {
    if (fault.skip > 0) {
      fault.skip -= 1;
      return false;
    }
    if (fault.count === undefined) return true;
    fault.count -= 1;
    return fault.count >= 0;
  }

  return {
    add(description) {
      const items = Array.isArray(description) ? description : [description];
      const added = items.map((item, index) => readFault(item, made + index + 1));
      made += added.length;
      for (const fault of added) setAfter.set(fault, changes());
      faults.push(...added);
      return added;
    },
    list: () => faults,
    clear(id) {
      faults = id === undefined ? [] : faults.filter((fault) => fault.id !== id);
    },
    strike(operation, { identifier, path }) {
      if (faults.length === 0) return CALM;
      const folded = fold(path);
      let delay = 0;
      const lags: Lag[] = [];
      let struck: Fault | undefined;
      for (const fault of faults) {
        if (fault.operation !== '*' && fault.operation !== operation) continue;
        if (REACH[fault.kind]?.includes(operation) === false) continue;
        if (fault.identifier !== undefined && fault.identifier !== identifier) continue;
        if (fault.path !== undefined && !folded.includes(fault.path)) continue;
        const isBeside = fault.kind === 'latency' || fault.kind === 'lag';
        if (!isBeside && struck !== undefined) continue;
        if (!isDue(fault)) continue;
        if (fault.kind === 'latency') delay += fault.milliseconds;
        else if (fault.kind === 'lag')
          lags.push({ milliseconds: fault.milliseconds, since: setAfter.get(fault) ?? 0 });
        else struck = fault;
      }
      faults = faults.filter((fault) => fault.count === undefined || fault.count > 0);
      return { delay, lags, fault: struck };
    },
    longestLag: () =>
      faults.reduce(
        (longest, fault) => (fault.kind === 'lag' ? Math.max(longest, fault.milliseconds) : longest),
        0,
      ),
  };
}

const DEFAULT_GARBAGE = '<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>';

function readFault(item: Json | undefined, id: number): Fault {
  if (!isObject(item))
    throw badRequest('A fault is an object like {"kind": "500", "operation": "read-subject", "count": 1}');
  const kind = FAULT_KINDS.find((known) => known === String(item['kind']));
  if (kind === undefined) throw badRequest(`kind must be one of ${FAULT_KINDS.join(', ')}`);
  const members = [...COMMON_MEMBERS, ...MEMBERS[kind]];
  const stranger = Object.keys(item).find((member) => !members.includes(member));
  if (stranger !== undefined) {
    throw badRequest(
      `${stranger} is not a member of a fault of kind ${kind}, which knows ${members.join(', ')}`,
    );
  }
  const given = readShape(faultShape, item);
  return {
    ...given,
    id,
    kind,
    operation: operationOf(given.operation, kind),
    path: fold(given.path ?? '') || undefined,
    allowed: given.allowed ?? (given.period === 'HOUR' ? 200_000 : 1000),
    status: given.status ?? (kind === '500' ? 500 : 200),
    body: given.body ?? (kind === 'garbage' ? DEFAULT_GARBAGE : ''),
    answer: answerOf(given.answer, kind),
  };
}

const faultShape = z.object({
  operation: usual(z.enum(['*', ...OPERATIONS]), '*'),
  identifier: optional(words(1, Infinity)),
  path: optional(z.string()),
  skip: usual(whole(), 0),
  count: optional(whole({ min: 1 })),
  when: usual(z.enum(['before', 'after']), 'before'),
  milliseconds: usual(whole({ max: MAX_MILLISECONDS }), 1000),
  retryAfter: usual(whole(), 2),
  period: usual(z.enum(['MINUTE', 'HOUR']), 'MINUTE'),
  allowed: optional(whole()),
  status: optional(whole({ min: 200, max: 599 })),
  body: optional(z.string()),
  contentType: usual(z.string().regex(/^[\x20-\x7e]+$/, 'must be printable ASCII'), 'text/html'),
  truncate: usual(flag, false),
  purposes: usual(z.array(z.string().toLowerCase()), []),
  answer: optional(z.string()),
});

function operationOf(operation: Operation | '*', kind: FaultKind): Operation | '*' {
  const reach = REACH[kind];
  if (operation === '*') return reach?.length === 1 ? (reach[0] ?? '*') : '*';
  if (reach?.includes(operation) === false)
    throw badRequest(`a fault of kind ${kind} has the operation ${reach.join(' or ')}`);
  return operation;
}

function answerOf(answer: string | undefined, kind: FaultKind): FaultAnswer | undefined {
  const answers: readonly FaultAnswer[] = kind === 'late' || kind === 'unknown-subject' ? ANSWERS[kind] : [];
  const found = answer === undefined ? answers[0] : answers.find((each) => each === answer);
  if (answers.length > 0 && found === undefined)
    throw badRequest(`answer must be one of ${answers.join(', ')}`);
  return found;
}
