import { STATUS_CODES } from 'node:http';
import { isGuid, type Json } from './json.ts';

/** A call that is answered with an error, on purpose. */
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

/** No center has this id; the preference center paths describe their 404 as a bare string. */
export function centerNotFound(id: string): Refusal {
  if (!isGuid(id)) return malformed('prefcenterId');
  const message = `Preference center ${id} was not found`;
  return new Refusal(404, message, { body: message });
}

export function notFound(message: string): Refusal {
  return new Refusal(404, message);
}

/** Nothing has this id; `name`: of the parameter, where the id is no UUID. */
export function unknownId(id: string, name: string, what: string): Refusal {
  return isGuid(id) ? notFound(`${what} ${id} was not found`) : malformed(name);
}

/** Notices and tasks that are not there: 404 without a body, as live tenants answer. */
export class NothingThere extends Refusal {
  override readonly body: undefined;

  constructor() {
    super(404, 'Not found');
    this.body = undefined;
  }
}
