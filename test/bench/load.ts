import { connect } from 'node:net';

/** The request that this process sends to a server on loopback, over and over. */
export interface Load {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  /** Milliseconds of load; it ends earlier after `most` answers. */
  readonly duration: number;
  readonly most: number;
}

export interface Loaded {
  readonly answers: number;
  /** Answers that were not 200. */
  readonly others: number;
  /** Bytes of the last answer, with its head. */
  readonly bytes: number;
}

process.on('message', async (load: Load) => {
  process.send?.(await run(load));
});
process.once('disconnect', () => process.exit(0));

async function run(load: Load): Promise<Loaded> {
  const head = Object.entries({ host: `127.0.0.1:${load.port}`, ...load.headers });
  const request = `GET ${load.path} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  const from = performance.now();
  const counts = { answers: 0, others: 0, bytes: 0 };
  const isOver = () => counts.answers >= load.most || performance.now() - from > load.duration;
  await Promise.all(
    Array.from({ length: load.connections }, () => visit(load.port, request, { counts, isOver })),
  );
  return counts;
}

const lastChunk = Buffer.from('0\r\n\r\n');

/**
 * Sends requests on one connection, each when the last answer is complete, by its length or its last chunk.
 */
function visit(
  port: number,
  request: string,
  { counts, isOver }: { counts: { answers: number; others: number; bytes: number }; isOver: () => boolean },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let missing = 0;
    let isChunked = false;
    let bytes = 0;
    socket.once('connect', () => socket.write(request));
    socket.once('error', reject);
    socket.once('close', () => resolve());
    socket.on('data', (chunk: Buffer) => {
      if (missing === 0) {
        const end = chunk.indexOf('\r\n\r\n');
        const head = chunk.toString('latin1', 0, end);
        const length = /^content-length: (\d+)/im.exec(head)?.[1];
        isChunked = /^transfer-encoding: chunked/im.test(head);
        if (end < 0 || (length === undefined && !isChunked)) {
          socket.destroy(new Error(`an answer without an end: ${head}`));
          return;
        }
        if (!head.startsWith('HTTP/1.1 200')) counts.others += 1;
        bytes = 0;
        missing = isChunked ? Number.POSITIVE_INFINITY : end + 4 + Number(length);
      }
      bytes += chunk.length;
      missing -= chunk.length;
      if (isChunked && chunk.subarray(-lastChunk.length).equals(lastChunk)) missing = 0;
      if (missing > 0) return;
      counts.bytes = bytes;
      counts.answers += 1;
      if (isOver()) socket.destroy();
      else socket.write(request);
    });
  });
}
