import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export const receiverSecret = Buffer.from('a-secret-of-the-receiver-01').toString('base64');

export interface Heard {
  readonly id: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The body as it was received. */
  readonly text: string;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

type Behaviour = (response: ServerResponse, heard: Heard) => void;

export const takes: Behaviour = (response) => void response.writeHead(204).end();
export const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end('no');
export const hangs: Behaviour = () => undefined;

export type TestReceiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * Starts a receiver that checks every signature like docs/events.md, Checking a signature. With a certificate
 * it listens over https as `localhost`.
 */
export async function startReceiver(
  t?: TestContext,
  behave = takes,
  certificate?: { readonly key: string; readonly cert: string },
) {
  /** Messages with a valid signature, refused ones included. */
  const heard: Heard[] = [];
  /** Messages that were answered with success. */
  const taken: Heard[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    if (!isSigned(request.headers, text)) return void response.writeHead(401).end();
    const id = String(request.headers['webhook-id']);
    const { headers, url: path = '' } = request;
    const message = { id, path, headers, text, body: JSON.parse(text) };
    heard.push(message);
    response.on('finish', () => {
      if (response.statusCode < 300) taken.push(message);
    });
    receiver.behave(response, message);
  };
  const listener = (...call: Parameters<typeof handle>) => void handle(...call).catch(() => undefined);
  const make = () => {
    const made =
      certificate === undefined ? createServer(listener) : createSecureServer(certificate, listener);
    return made.on('connection', () => {
      receiver.connections += 1;
    });
  };
  let server = make();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver = {
    url: certificate === undefined ? `http://127.0.0.1:${port}/events` : `https://localhost:${port}/events`,
    /** Number of connections, also of those without a request. */
    connections: 0,
    port,
    heard,
    taken,
    behave,
    /** The port refuses connections until it is opened again. */
    async close() {
      server.closeAllConnections();
      if (server.listening) await once(server.close(), 'close');
    },
    async open() {
      server = make();
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
  };
  t?.after(receiver.close);
  return receiver;
}

function isSigned(headers: IncomingMessage['headers'], body: string): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', Buffer.from(receiverSecret, 'base64')).update(signed).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .map((each) => Buffer.from(each.replace(/^v1,/, ''), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
