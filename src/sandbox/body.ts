import type { IncomingMessage } from 'node:http';
import { isTooDeep, type Json, parseJson } from './json.ts';
import { badRequest, Refusal } from './refusal.ts';

/** No body of the interface comes near this. */
const LIMIT_BYTES = 1024 * 1024;

/** A body as JSON; throws 400. */
export function readJson(source: string): Json {
  if (isTooDeep(source)) throw badRequest('The body is nested too deep');
  try {
    return parseJson(source);
  } catch {
    throw badRequest('The body is not valid JSON');
  }
}

/** The whole body as JSON. */
export async function readJsonOf(request: IncomingMessage): Promise<Json> {
  return readJson((await readBody(request)).toString());
}

/** The whole body; 413 once it grows past the limit. */
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
