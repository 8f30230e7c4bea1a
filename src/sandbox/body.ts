import type { IncomingMessage } from 'node:http';
import { isTooDeep, type Json, parseJson } from './json.ts';
import { badRequest, Refusal } from './refusal.ts';

/** Far more than any body of the interface has. */
const LIMIT_BYTES = 1024 * 1024;

/** Parses a body as JSON; throws 400. */
export function readJson(source: string): Json {
  if (isTooDeep(source)) throw badRequest('The body is nested too deep');
  try {
    return parseJson(source);
  } catch {
    throw badRequest('The body is not valid JSON');
  }
}

/** Reads the whole body as JSON; throws 400 or 413. */
export async function readJsonOf(request: IncomingMessage): Promise<Json> {
  return readJson((await readBody(request)).toString());
}

/** Reads the whole body; throws 413 once it grows past the limit, which is in bytes. */
export function readBody(request: IncomingMessage, limit = LIMIT_BYTES): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      request.removeAllListeners('data');
      request.resume();
      reject(new Refusal(413, `A body has at most ${limit} bytes`, { headers: { Connection: 'close' } }));
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => reject(new Refusal(400, 'The body ended early')));
  });
}
