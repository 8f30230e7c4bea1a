import { fold, isObject, type Json, type JsonObject } from './json.ts';
import { isOperation, OPERATIONS, type Operation } from './operations.ts';
import { badRequest } from './refusal.ts';

/** What can be made to go wrong; docs/sandbox.md tells what each does. */
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

/** What each kind can be told beside the members that all have. */
const MEMBERS: Readonly<Record<FaultKind, readonly string[]>> = {
  latency: ['milliseconds'],
  '401': ['when'],
  '429': ['when', 'retryAfter', 'period'],
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

/** What can be struck by kinds that are about one thing alone; every other kind strikes any call. */
const REACH: Partial<Readonly<Record<FaultKind, readonly Operation[]>>> = {
  refuse: ['update-subject', 'withdraw-subject'],
  ignore: ['update-subject', 'withdraw-subject'],
  lag: ['read-subject'],
  'unknown-subject': ['read-subject'],
};

/** How a call that is carried out late is answered: after that, by cutting the connection at once, or never. */
const LATE_ANSWERS = ['late', 'drop', 'never'] as const;

/** Everything that says "nothing is on record", and what looks like it. */
const UNKNOWN_ANSWERS = [
  '404',
  '400',
  'status-400',
  'purposes-null',
  'purposes-absent',
  'purposes-empty',
] as const;

export type FaultAnswer = (typeof LATE_ANSWERS)[number] | (typeof UNKNOWN_ANSWERS)[number];

/** A timer takes no more. */
const MAX_MILLISECONDS = 2 ** 31 - 1;

export interface Fault {
  readonly id: number;
  readonly kind: FaultKind;
  readonly operation: Operation | '*';
  /** Only calls for this data subject. */
  readonly identifier: string | undefined;
  /** Only calls with this in their path, such as the id of a center or of a page; folded. */
  readonly path: string | undefined;
  /** Calls that pass unharmed first. */
  skip: number;
  /** Calls still to be struck; undefined strikes until it is switched off. */
  count: number | undefined;
  /** Whether the call takes effect: struck `before` it does, or `after`. */
  readonly when: 'before' | 'after';
  readonly milliseconds: number;
  /** Seconds, for 429. */
  readonly retryAfter: number;
  readonly period: 'MINUTE' | 'HOUR';
  readonly status: number;
  readonly body: string;
  readonly contentType: string;
  readonly truncate: boolean;
  /** The purposes that `refuse` and `ignore` strike, folded; empty: all. */
  readonly purposes: readonly string[];
  /** For `late` and `unknown-subject`. */
  readonly answer: FaultAnswer | undefined;
}

export interface Lag {
  readonly milliseconds: number;
  /** How many changes there had been when it was set: what was before them is not shown. */
  readonly since: number;
}

/** What one call meets. */
export interface Mishap {
  /** Milliseconds. */
  readonly delay: number;
  /** How old the state is that a read shows: the oldest of these. */
  readonly lags: readonly Lag[];
  readonly fault: Fault | undefined;
}

export interface Faults {
  add(description: Json | undefined): Fault[];
  list(): Fault[];
  clear(id?: number): void;
  /** What this call meets; counts it. */
  strike(
    operation: Operation,
    call: { readonly identifier: string | undefined; readonly path: string },
  ): Mishap;
  /** Of the faults that are set, in milliseconds; 0 without any. */
  longestLag(): number;
}

const CALM: Mishap = { delay: 0, lags: [], fault: undefined };

/** `changes`: how many there have been of what is on record. */
export function createFaults({ changes }: { readonly changes: () => number }): Faults {
  let faults: Fault[] = [];
  const setAfter = new WeakMap<Fault, number>();
  let made = 0;

  /** Whether the fault strikes now; a call counts for it even when another fault comes first. */
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
  return {
    id,
    kind,
    operation: readOperation(item, kind),
    identifier: readIdentifier(item),
    path: fold(word(item, 'path') ?? '') || undefined,
    skip: whole(item, 'skip') ?? 0,
    count: whole(item, 'count', { min: 1, max: Number.MAX_SAFE_INTEGER }),
    when: oneOf(item, 'when', ['before', 'after']) ?? 'before',
    milliseconds: whole(item, 'milliseconds', { max: MAX_MILLISECONDS }) ?? 1000,
    retryAfter: whole(item, 'retryAfter') ?? 2,
    period: oneOf(item, 'period', ['MINUTE', 'HOUR']) ?? 'MINUTE',
    status: whole(item, 'status', { min: 200, max: 599 }) ?? (kind === '500' ? 500 : 200),
    body: word(item, 'body') ?? (kind === 'garbage' ? DEFAULT_GARBAGE : ''),
    contentType: headerValue(item, 'contentType') ?? 'text/html',
    truncate: flag(item, 'truncate'),
    purposes: words(item, 'purposes').map((purpose) => purpose.toLowerCase()),
    answer: readAnswer(item, kind),
  };
}

function readOperation(item: JsonObject, kind: FaultKind): Operation | '*' {
  const operation = item['operation'] ?? '*';
  if (operation !== '*' && !isOperation(operation)) {
    throw badRequest(`operation must be * or one of ${OPERATIONS.join(', ')}`);
  }
  const reach = REACH[kind];
  if (operation === '*') return reach?.length === 1 ? (reach[0] ?? '*') : '*';
  if (reach?.includes(operation) === false)
    throw badRequest(`a fault of kind ${kind} has the operation ${reach.join(' or ')}`);
  return operation;
}

function readAnswer(item: JsonObject, kind: FaultKind): FaultAnswer | undefined {
  if (kind === 'late') return oneOf(item, 'answer', LATE_ANSWERS) ?? 'late';
  if (kind === 'unknown-subject') return oneOf(item, 'answer', UNKNOWN_ANSWERS) ?? '404';
  return undefined;
}

function readIdentifier(item: JsonObject): string | undefined {
  const identifier = word(item, 'identifier');
  if (identifier === '') throw badRequest('identifier must not be empty');
  return identifier;
}

function word(item: JsonObject, member: string): string | undefined {
  const value = item[member];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw badRequest(`${member} must be a string`);
  return value;
}

function words(item: JsonObject, member: string): string[] {
  const value = item[member] ?? [];
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
    throw badRequest(`${member} must be an array of strings`);
  }
  return value.map(String);
}

function headerValue(item: JsonObject, member: string): string | undefined {
  const value = word(item, member);
  if (value !== undefined && !/^[\x20-\x7e]+$/.test(value))
    throw badRequest(`${member} must be printable ASCII`);
  return value;
}

function flag(item: JsonObject, member: string): boolean {
  const value = item[member] ?? false;
  if (typeof value !== 'boolean') throw badRequest(`${member} must be true or false`);
  return value;
}

function oneOf<T extends string>(item: JsonObject, member: string, allowed: readonly T[]): T | undefined {
  const value = item[member];
  if (value === undefined || value === null) return undefined;
  const found = allowed.find((each) => each === value);
  if (found === undefined) throw badRequest(`${member} must be one of ${allowed.join(', ')}`);
  return found;
}

function whole(
  item: JsonObject,
  member: string,
  { min, max }: { min?: number; max: number } = { max: Number.MAX_SAFE_INTEGER },
): number | undefined {
  const value = item[member];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < (min ?? 0) || value > max) {
    throw badRequest(
      `${member} must be a whole number, ${min ?? 0} or more${max < Number.MAX_SAFE_INTEGER ? ` and ${max} at most` : ''}`,
    );
  }
  return value;
}
