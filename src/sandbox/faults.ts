import { isObject, type Json, type JsonObject } from './json.ts';
import { isOperation, OPERATIONS, type Operation } from './operations.ts';
import { badRequest } from './refusal.ts';

/**
 * What can be made to go wrong:
 * `latency` waits; `401`, `429`, `500` (or another `status`) answer so; `garbage` sends `body` as it is, or
 * with `truncate` the first half of the true answer; `drop` cuts the connection; `refuse` answers the items
 * of a consent update with Status false and changes nothing for them; `ignore` says "updated" and changes nothing.
 */
const FAULT_KINDS = ['latency', '401', '429', '500', 'garbage', 'drop', 'refuse', 'ignore'] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly id: number;
  readonly kind: FaultKind;
  readonly operation: Operation | '*';
  /** Only calls for this data subject. */
  readonly identifier: string | undefined;
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
}

/** What one call meets. */
export interface Mishap {
  readonly delay: number;
  readonly fault: Fault | undefined;
}

export interface Faults {
  add(description: Json | undefined): Fault[];
  list(): Fault[];
  clear(id?: number): void;
  /** What this call meets; counts it. */
  strike(operation: Operation, identifier: string | undefined): Mishap;
}

const CALM: Mishap = { delay: 0, fault: undefined };

export function createFaults(): Faults {
  let faults: Fault[] = [];
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
      const added = items.map((item) => {
        made += 1;
        return readFault(item, made);
      });
      faults.push(...added);
      return added;
    },
    list: () => faults,
    clear(id) {
      faults = id === undefined ? [] : faults.filter((fault) => fault.id !== id);
    },
    strike(operation, identifier) {
      if (faults.length === 0) return CALM;
      let delay = 0;
      let struck: Fault | undefined;
      for (const fault of faults) {
        if (fault.operation !== '*' && fault.operation !== operation) continue;
        if (fault.identifier !== undefined && fault.identifier !== identifier) continue;
        if (fault.kind !== 'latency' && struck !== undefined) continue;
        if (!isDue(fault)) continue;
        if (fault.kind === 'latency') delay += fault.milliseconds;
        else struck = fault;
      }
      faults = faults.filter((fault) => fault.count === undefined || fault.count > 0);
      return { delay, fault: struck };
    },
  };
}

const DEFAULT_GARBAGE = '<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>';

function readFault(item: Json | undefined, id: number): Fault {
  if (!isObject(item))
    throw badRequest('A fault is an object like {"kind": "500", "operation": "read-subject", "count": 1}');
  const kind = FAULT_KINDS.find((known) => known === String(item['kind']));
  if (kind === undefined) throw badRequest(`kind must be one of ${FAULT_KINDS.join(', ')}`);
  const operation = item['operation'] ?? '*';
  if (operation !== '*' && !isOperation(operation)) {
    throw badRequest(`operation must be * or one of ${OPERATIONS.join(', ')}`);
  }
  const purposes = item['purposes'];
  return {
    id,
    kind,
    operation,
    identifier: word(item, 'identifier'),
    skip: whole(item, 'skip') ?? 0,
    count: whole(item, 'count'),
    when: item['when'] === 'after' ? 'after' : 'before',
    milliseconds: whole(item, 'milliseconds') ?? 1000,
    retryAfter: whole(item, 'retryAfter') ?? 2,
    period: item['period'] === 'HOUR' ? 'HOUR' : 'MINUTE',
    status: whole(item, 'status') ?? (kind === '500' ? 500 : 200),
    body: word(item, 'body') ?? (kind === 'garbage' ? DEFAULT_GARBAGE : ''),
    contentType: word(item, 'contentType') ?? 'text/html',
    truncate: item['truncate'] === true,
    purposes: Array.isArray(purposes) ? purposes.map((purpose) => String(purpose).toLowerCase()) : [],
  };
}

function word(item: JsonObject, member: string): string | undefined {
  const value = item[member];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw badRequest(`${member} must be a string`);
  return value;
}

function whole(item: JsonObject, member: string): number | undefined {
  const value = item[member];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw badRequest(`${member} must be a whole number, 0 or more`);
  }
  return value;
}
