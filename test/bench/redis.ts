import { connect, createServer, type Server } from 'node:net';
import session, { type SessionData } from 'express-session';

/** The answer (RESP 2) at the head of the text, and its length; undefined while it is not complete. */
function readAnswer(text: string): { readonly value: string | null; readonly length: number } | undefined {
  const end = text.indexOf('\r\n');
  if (end < 0) return undefined;
  const line = text.slice(1, end);
  if (text[0] !== '$') return { value: line, length: end + 2 };
  const bytes = Number(line);
  if (bytes < 0) return { value: null, length: end + 2 };
  const length = end + 2 + bytes + 2;
  return text.length < length ? undefined : { value: text.slice(end + 2, length - 2), length };
}

type Done = (fault?: unknown) => void;
type Answered = (value: string | null) => void;

/** Keeps sessions in Redis as connect-redis does: each request reads its session and prolongs it. */
export class RedisStore extends session.Store {
  readonly #socket;
  readonly #waiting: Answered[] = [];
  readonly #lifeSeconds = 1_800;

  constructor(port: number) {
    super();
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
    let text = '';
    this.#socket.on('data', (chunk: string) => {
      text += chunk;
      for (let answer = readAnswer(text); answer !== undefined; answer = readAnswer(text)) {
        text = text.slice(answer.length);
        this.#waiting.shift()?.(answer.value);
      }
    });
  }

  #ask(parts: readonly string[], answered: Answered): void {
    this.#waiting.push(answered);
    const words = parts.map((part) => `$${part.length}\r\n${part}\r\n`);
    this.#socket.write(`*${parts.length}\r\n${words.join('')}`, 'latin1');
  }

  override get(id: string, done: (fault: unknown, session?: SessionData | null) => void): void {
    this.#ask(['GET', `sess:${id}`], (value) => done(undefined, value === null ? null : JSON.parse(value)));
  }

  override set(id: string, data: SessionData, done: Done = ignore): void {
    const parts = ['SET', `sess:${id}`, JSON.stringify(data), 'EX', String(this.#lifeSeconds)];
    this.#ask(parts, () => done());
  }

  override touch(id: string, _data: SessionData, done: Done = ignore): void {
    this.#ask(['EXPIRE', `sess:${id}`, String(this.#lifeSeconds)], () => done());
  }

  override destroy(id: string, done: Done = ignore): void {
    this.#ask(['DEL', `sess:${id}`], () => done());
  }
}

function ignore(): void {}

/** A Redis server with the commands of the store. It may be slow, for only the CPU of a contestant counts. */
export function createRedis(): Server {
  const values = new Map<string, string>();
  return createServer((socket) => {
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      for (let count = Number(/^\*(\d+)\r\n/.exec(text)?.[1]); count > 0; ) {
        let at = text.indexOf('\r\n') + 2;
        const parts: string[] = [];
        while (parts.length < count) {
          const part = readAnswer(text.slice(at));
          if (part === undefined) return;
          parts.push(part.value ?? '');
          at += part.length;
        }
        text = text.slice(at);
        socket.write(obey(parts), 'latin1');
        count = Number(/^\*(\d+)\r\n/.exec(text)?.[1]);
      }
    });
    socket.on('error', () => socket.destroy());
  });

  function obey([command, key = '', value = '']: readonly string[]): string {
    if (command === 'SET') values.set(key, value);
    if (command === 'SET') return '+OK\r\n';
    if (command === 'DEL') return `:${Number(values.delete(key))}\r\n`;
    if (command === 'EXPIRE') return `:${Number(values.has(key))}\r\n`;
    const found = values.get(key);
    return found === undefined ? '$-1\r\n' : `$${found.length}\r\n${found}\r\n`;
  }
}
