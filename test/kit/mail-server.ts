import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly messageId: string;
  /** The message as it came. */
  readonly source: string;
  /** The message with its parts decoded. */
  readonly text: string;
}

export interface MailServer {
  readonly url: string;
  /** All messages that arrived whole, also those whose answer was lost. */
  readonly received: readonly ReceivedMail[];
  /** `lost`: the connection breaks before the answer; `silent`: a message is never answered; or a refusal. */
  behave: 'takes' | 'lost' | 'silent' | { readonly refuses: 'RCPT' | 'DATA'; readonly code: number };
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server that accepts every message; `options` change that. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const refusal = (at: 'RCPT' | 'DATA') =>
    typeof mail.behave === 'object' && mail.behave.refuses === at
      ? Object.assign(new Error('no'), { responseCode: mail.behave.code })
      : undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, done) => done(refusal('RCPT')),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const refused = refusal('DATA');
        if (refused !== undefined) return done(refused);
        const source = Buffer.concat(chunks).toString();
        received.push({
          from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
          to: session.envelope.rcptTo.map(({ address }) => address).join(),
          source,
          messageId: /^Message-ID: (\S+)/im.exec(source)?.[1] ?? '',
          text: decoded(source),
        });
        if (mail.behave === 'silent') return;
        if (mail.behave === 'lost') for (const socket of sockets) socket.destroy();
        else done();
      });
    },
    ...options,
  });
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  // A connection that ends in the middle is no error here.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const mail: MailServer = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    behave: 'takes',
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return mail;
}

/** The message with quoted-printable and base64 parts as text. */
function decoded(source: string): string {
  return source
    .split(/\r\n--[^\r\n]+\r\n/)
    .map((part) => {
      const [head = '', ...body] = part.split('\r\n\r\n');
      const text = body.join('\r\n\r\n');
      if (/Content-Transfer-Encoding: base64/i.test(head)) return Buffer.from(text, 'base64').toString();
      const bytes = text
        .replaceAll('=\r\n', '')
        .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );
      return `${head}\n\n${/quoted-printable/i.test(head) ? Buffer.from(bytes, 'latin1').toString() : text}`;
    })
    .join('\n');
}
