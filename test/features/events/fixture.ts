import { createHash } from 'node:crypto';
import { request } from 'undici';
import { oneClick } from '../../kit/one-click.ts';
import { startProduct } from '../../kit/product.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { receiverSecret, startReceiver } from '../../webhooks/receiver.ts';

export type KeyName = 'newsletter' | 'asker' | 'bank';

export const keyOf = (name: KeyName) => `sayso-key-of-${name}-0123456789abcdef`;

const apiKey = (name: KeyName, scopes: readonly string[], more = {}) => ({
  name,
  scopes,
  ...more,
  sha256: createHash('sha256').update(keyOf(name)).digest('hex').toUpperCase(),
});

interface Line {
  readonly cursor: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Starts a product whose center has a receiver and API keys. */
export async function openEventFixture() {
  const other = Buffer.from('another-secret-of-that-receiver').toString('base64');
  const receiver = await startReceiver();
  const centers = [
    {
      address: 'books',
      center: books,
      events: [{ url: receiver.url, secretFile: '{home}/secret' }],
      apiKeys: [
        apiKey('newsletter', ['events', 'may-send'], { label: 'Newsletter <system>' }),
        apiKey('asker', ['may-send']),
      ],
    },
    { address: 'bank', center: bank, apiKeys: [apiKey('bank', ['events', 'may-send'])] },
  ];
  const env = { PLATFORM_IDENTIFIER_ENCODING: 'utf-8' };
  const files = { secret: `whsec_${other}\nwhsec_${receiverSecret}\n` };
  const product = await startProduct({ env, centers, files });

  const ask = async (
    name: KeyName | undefined,
    path: string,
    {
      body,
      headers = {},
    }: {
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) => {
    const isBytes = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
    const answer = await request(product.url + path, {
      method: body === undefined && !path.endsWith('/stopped') ? 'GET' : 'POST',
      headers: {
        ...(name === undefined ? {} : { authorization: `Bearer ${keyOf(name)}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: isBytes ? (body ?? null) : JSON.stringify(body),
    });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  };
  return {
    product,
    receiver,
    ask,
    /** Withdraws a purpose by one click, or all without a purpose. */
    leave: (identifier: string, purpose?: string, center?: string) =>
      oneClick(product, identifier, purpose, center),
    /** The events of an answer, one for each line. */
    async events(query = '', name: KeyName = 'newsletter') {
      const { status, text } = await ask(name, `/api/events${query}`);
      if (status !== 200) throw new Error(`${status} ${text}`);
      const lines = text.split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as Line);
    },
    async [Symbol.asyncDispose]() {
      await product[Symbol.asyncDispose]();
      await receiver.close();
    },
  };
}
