import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { type Product, startProduct } from '../../kit/product.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { receiverSecret, startReceiver, type TestReceiver } from '../../webhooks/receiver.ts';

export type KeyName = 'newsletter' | 'asker' | 'bank';

export const keyOf = (name: KeyName) => `sayso-key-of-${name}-0123456789abcdef`;

const apiKey = (name: KeyName, scopes: readonly string[], more = {}) => ({
  ...{ name, scopes, ...more },
  sha256: createHash('sha256').update(keyOf(name)).digest('hex').toUpperCase(),
});

export interface EventFixture {
  readonly product: Product;
  /** Of the centers file. */
  readonly centers: readonly object[];
  readonly receiver: TestReceiver;
  /** Withdraws by one click; from everything without a purpose. */
  leave(identifier: string, purpose?: string, center?: string): Promise<void>;
  ask(
    name: KeyName | undefined,
    path: string,
    more?: {
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      /** Another product, with the same keys. */
      readonly at?: Product;
    },
  ): Promise<{
    readonly status: number;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly text: string;
  }>;
  /** Lines of an answer. */
  events(query?: string, name?: KeyName): Promise<readonly Line[]>;
  close(): Promise<void>;
}

export interface Line {
  readonly cursor: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export async function leave(
  product: Product,
  identifier: string,
  purpose?: string,
  center = 'books',
): Promise<void> {
  const flags = ['--one-click', ...(purpose === undefined ? [] : ['--purpose', purpose])];
  const address = await product.link({ center, identifier, flags });
  const answer = await request(address, { method: 'POST' });
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}`);
  await answer.body.dump();
}

/** A product whose center calls a receiver, and gives keys to systems that ask. */
export async function openEventFixture(): Promise<EventFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'sayso-receiver-'));
  const secretFile = join(folder, 'secret');
  const other = Buffer.from('another-secret-of-that-receiver').toString('base64');
  writeFileSync(secretFile, `whsec_${other}\nwhsec_${receiverSecret}\n`);
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const receiver = await startReceiver({ after: (end) => void ends.push(end as () => unknown) });
  const centers = [
    {
      address: 'books',
      center: books,
      events: [{ url: receiver.url, secretFile }],
      apiKeys: [
        apiKey('newsletter', ['events', 'may-send'], { label: 'Newsletter <system>' }),
        apiKey('asker', ['may-send']),
      ],
    },
    { address: 'bank', center: bank, apiKeys: [apiKey('bank', ['events', 'may-send'])] },
  ];
  const product = await startProduct({ env: { PLATFORM_IDENTIFIER_ENCODING: 'utf-8' }, centers });

  const fixture: EventFixture = {
    product,
    centers,
    receiver,
    leave: (identifier, purpose, center) => leave(product, identifier, purpose, center),
    async ask(name, path, { body, headers = {}, at = product } = {}) {
      const answer = await request(at.url + path, {
        method: body === undefined && !path.endsWith('/stopped') ? 'GET' : 'POST',
        headers: {
          ...(name === undefined ? {} : { authorization: `Bearer ${keyOf(name)}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body:
          body === undefined
            ? null
            : typeof body === 'string' || Buffer.isBuffer(body)
              ? body
              : JSON.stringify(body),
      });
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    },
    async events(query = '', name = 'newsletter') {
      const { status, text } = await fixture.ask(name, `/api/events${query}`);
      if (status !== 200) throw new Error(`${status} ${text}`);
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Line);
    },
    async close() {
      await product[Symbol.asyncDispose]();
      for (const end of ends) await end();
    },
  };
  return fixture;
}
