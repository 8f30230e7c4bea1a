import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts';
import { answerFault } from '../contract/documents.ts';

export const CLIENT = { clientId: 'sandbox', clientSecret: 'sandbox-secret' };

export interface Ask {
  readonly identifier?: string | Buffer;
  readonly body?: unknown;
  readonly raw?: string | Buffer;
  readonly headers?: Record<string, string>;
  /** Whether the answer may break the contract, because of a fault or odd data. */
  readonly unchecked?: boolean;
  /** Replaces the tenant's token; empty sends none. */
  readonly token?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  /** The parsed JSON body; undefined when there is none. */
  readonly body: unknown;
}

/** Returns the value at a path into JSON; undefined when the path does not exist. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );
}

/** Returns the list at a path; empty when there is no list. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Returns one member of each item of a list. The last step of the path is the member. */
export function ofEach(value: unknown, ...path: readonly (string | number)[]): unknown[] {
  return listAt(value, ...path.slice(0, -1)).map((item) => at(item, path.at(-1) ?? ''));
}

/** A sandbox with its folder, and a client that checks every answer against the contract. */
export type Tenant = Awaited<ReturnType<typeof openTenant>>;

/** Creates the calls for people of one center. */
export function centerOf(tenant: Pick<Tenant, 'call'>, center: string) {
  const ask = (method: string, identifier: string, more: Ask = {}) =>
    tenant.call(method, subjectPath(center), { identifier, ...more });
  return {
    ask,
    read: (identifier: string, more?: Ask) => ask('GET', identifier, more),
    withdraw: (identifier: string) => ask('DELETE', identifier),
    /** Grants these purposes, each given by its id or whole. */
    put: (identifier: string, ...purposes: readonly (string | object)[]) =>
      ask('PUT', identifier, {
        body: { Purposes: purposes.map((each) => (typeof each === 'string' ? { Id: each } : each)) },
      }),
    /** Reads the status of each purpose on record. */
    async statuses(identifier: string, more?: Ask): Promise<Record<string, unknown>> {
      const { body } = await ask('GET', identifier, more);
      const purposes = listAt(body, 'Purposes');
      return Object.fromEntries(purposes.map((each) => [at(each, 'Id'), at(each, 'TransactionStatus')]));
    },
  };
}

/** Returns the items of a PUT or DELETE by purpose: the status, then the messages. */
export function itemsOf({ body }: Reply): Record<string, unknown[]> {
  return Object.fromEntries(
    listAt(body, 'Purposes').map((each) => [
      at(each, 'Id'),
      [at(each, 'Status'), ...listAt(each, 'Messages')],
    ]),
  );
}

/** Adds a fault, or a list of faults, to the tenant. */
export async function addFault(tenant: Pick<Tenant, 'call'>, description: unknown): Promise<unknown> {
  const { status, body } = await tenant.call('POST', '/_sandbox/faults', { body: description });
  assert.equal(status, 201);
  return body;
}

/** Asserts a 400 whose message matches. */
export function assertRefused({ status, body }: Reply, message: RegExp): void {
  assert.equal(status, 400, message.source);
  assert.match(String(at(body, 'message')), message);
}

/** Reads a payload recorded from a real tenant. */
export function payloadText(name: string): string {
  return readFileSync(join(import.meta.dirname, `../payloads/${name}.json`), 'utf8');
}

export function payload(name: string): Record<string, unknown> {
  return JSON.parse(payloadText(name));
}

let people = 0;

/** Returns the identifier of a new person. */
export function someone(): string {
  people += 1;
  return `person-${people}@example.org`;
}

/** Starts a sandbox on a folder of its own; `demo` serves the shipped data instead. */
export async function openTenant(
  given: { files?: Record<string, unknown>; demo?: boolean; options?: Partial<SandboxOptions> } = {},
) {
  const home = await mkdtemp(join(tmpdir(), 'sandbox-'));
  const seedDir = join(home, 'seed');
  const lines: string[] = [];

  async function write(path: string, content: unknown): Promise<void> {
    const target = join(seedDir, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, typeof content === 'string' ? content : JSON.stringify(content));
  }

  await mkdir(seedDir);
  for (const [path, content] of Object.entries(given.files ?? {})) await write(path, content);

  const start = (more: Partial<SandboxOptions> = {}) =>
    startSandbox({
      port: 0,
      dataDir: join(home, 'data'),
      ...(given.demo === true ? {} : { seedDir }),
      ...CLIENT,
      log: (line) => lines.push(line),
      ...given.options,
      ...more,
    });
  let sandbox = await start().catch(async (fault: unknown) => {
    await rm(home, { recursive: true, force: true });
    throw fault;
  });

  const scoped = (scope: string) => connect(sandbox.url, scope);
  const token = await scoped('');
  const close = async () => {
    await sandbox.close();
    await rm(home, { recursive: true, force: true });
  };
  return {
    get url() {
      return sandbox.url;
    },
    token,
    lines,
    scoped,
    write,
    close,
    [Symbol.asyncDispose]: close,
    async call(method: string, path: string, ask: Ask = {}): Promise<Reply> {
      const reply = await send(sandbox.url, method, path, { token, ...ask });
      const fault = ask.unchecked === true ? undefined : answerFault(method, path, reply);
      assert.equal(fault, undefined, `${method} ${path} breaks the contract: ${fault}`);
      return reply;
    },
    async restart(options?: Partial<SandboxOptions>) {
      await sandbox.close();
      sandbox = await start(options);
    },
  };
}

/** Gets a token; `scope` narrows it. */
export async function connect(url: string, scope = ''): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: CLIENT.clientId,
    client_secret: CLIENT.clientSecret,
    ...(scope === '' ? {} : { scope }),
  });
  const answer = await fetch(`${url}/api/access/v1/oauth/token`, { method: 'POST', body });
  return String(at(await answer.json(), 'access_token'));
}

/** Sends one request with exactly these bytes, on a connection of its own. */
export function send(url: string, method: string, path: string, ask: Ask): Promise<Reply> {
  const source = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
  // With a text body, Node would also write the headers as UTF-8.
  const body = source === undefined ? undefined : Buffer.from(source);
  const headers: Record<string, string> = { ...ask.headers };
  if (ask.token !== undefined && ask.token !== '') headers['authorization'] ??= `Bearer ${ask.token}`;
  if (ask.identifier !== undefined) headers['identifier'] = Buffer.from(ask.identifier).toString('latin1');
  if (body !== undefined) headers['content-length'] = String(body.length);
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        const text = Buffer.concat(chunks).toString();
        const isJson = headers['content-type']?.startsWith('application/json') === true;
        resolve({ status, headers, text, body: isJson ? jsonOf(text) : undefined });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Parses a body; undefined when it is cut off. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const V1 = '/api/consentmanager/v1/preferencecenters';
export const V2 = '/api/consentmanager/v2/preferencecenters';
export const PAGES = '/api/consentmanager/v2/preferencecenterpage';
export const NOTICES = '/api/privacynotice/v2/privacynotices';
export const TASKS = '/api/task-management/v1/tasks';

export function subjectPath(center: string): string {
  return `${V1}/${center}/datasubjects/preferences`;
}
