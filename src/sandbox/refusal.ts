import { STATUS_CODES } from 'node:http';
import { isGuid, type Json } from './json.ts';

/** Thrown to answer a call with an error status. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: Json | undefined;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, rest: { body?: Json; headers?: Record<string, string> } = {}) {
    super(message);
    this.status = status;
    this.body = rest.body ?? { status, error: STATUS_CODES[status] ?? 'Error', message };
    this.headers = rest.headers ?? {};
  }
}

export function badRequest(message: string): Refusal {
  return new Refusal(400, message);
}

export function malformed(name: string): Refusal {
  return badRequest(`${name} must be a UUID`);
}

/** Refuses an unknown center; the paths of preference centers document their 404 as a bare string. */
export function centerNotFound(id: string): Refusal {
  if (!isGuid(id)) return malformed('prefcenterId');
  const message = `Preference center ${id} was not found`;
  return new Refusal(404, message, { body: message });
}

export function notFound(message: string): Refusal {
  return new Refusal(404, message);
}

/** Refuses an unknown id with 404, or with a 400 that names the parameter when the id is no UUID. */
export function unknownId(id: string, name: string, title: string): Refusal {
  return isGuid(id) ? notFound(`${title} ${id} was not found`) : malformed(name);
}

/** A 404 without a body, as real tenants answer for unknown notices and tasks. */
export class NothingThere extends Refusal {
  override readonly body: undefined;

  constructor() {
    super(404, 'Not found');
    this.body = undefined;
  }
}
