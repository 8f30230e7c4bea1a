import { parse } from 'node:querystring';
import type { Request, RequestHandler, Response } from 'express';
import type { FormSize } from '../core/consent/form-size.ts';
import { Problem } from '../core/model/problem.ts';
import { lookAgain } from './after-body.ts';
import { type BodyBudget, createBodyBudget } from './body-budget.ts';
import { whenClosed } from './when-closed.ts';

/** The memory is the process's, so the budget is, too. */
const ofProcess = createBodyBudget();

/** How long a body may take. Slower ones are refused: they hold a place that others wait for. */
export interface BodyTimes {
  /** For all of it. */
  readonly wholeMs: number;
  /** Before this the rate does not matter: a phone in a tunnel. */
  readonly graceMs: number;
  /** From then on. */
  readonly leastPerSecond: number;
}

export const bodyTimes: BodyTimes = { wholeMs: 20_000, graceMs: 5_000, leastPerSecond: 1_024 };

const kibibyte = 1_024;

/** Names what a form may hold: `button` has sealed tokens and a few words, `page` what a page asks for. */
const sizes = {
  button: { bytes: 16 * kibibyte, fields: 100 },
  page: { bytes: 512 * kibibyte, fields: 5_000 },
} as const satisfies Readonly<Record<string, FormSize>>;

/** The most that a page may ask for, whatever its schema. */
const most: FormSize = { bytes: 4 * 1_024 * kibibyte, fields: 50_000 };
/** Characters, decoded: two ids of 100 and the words around them. */
const longestName = 256;

type Right = (request: Request, response: Response) => unknown;

/** What a route says of the body that it takes. */
interface BodyRule {
  /**
   * Runs before a byte of the body is read, and throws where the sender shows no right to send. Where it gives `answered`
   * it has refused in its own words. `anyone`: there is nothing to show, so the body is small.
   */
  readonly right: Right | 'anyone';
  /** undefined: of the process. */
  readonly budget?: BodyBudget | undefined;
  readonly times?: BodyTimes | undefined;
}

export interface FormRule extends BodyRule {
  readonly size: keyof typeof sizes;
  /** How much larger than `size` the form of this page may be, because of what it shows. */
  readonly displayed?: ((request: Request) => Promise<FormSize | undefined>) | undefined;
}

export interface JsonRule extends BodyRule {
  readonly bytes: number;
  readonly types?: readonly string[] | undefined;
}

/**
 * Reads a urlencoded form, with names of at most 256 characters. A field that came more than once is an array. Another
 * kind of body is a bad request. All of it takes time linear in the body. The sender is looked up again when it is in.
 */
export function formBody(rule: FormRule): RequestHandler {
  return afterRight(rule, async (request, response) => {
    if (request.is('urlencoded') === false || !isUtf8(request)) throw new Problem('bad-request');
    const more = (await rule.displayed?.(request)) ?? { bytes: 0, fields: 0 };
    const { bytes, fields } = sizes[rule.size];
    const mostBytes = Math.min(most.bytes, bytes + more.bytes);
    const body = await readBytes(request, response, { rule, mostBytes });
    request.body = readFields(body.toString('utf8'), Math.min(most.fields, fields + more.fields));
  });
}

/**
 * Reads JSON in UTF-8, as RFC 8259 has it; another kind of body is a bad request. Bytes that are none are refused, never
 * replaced: a name with one in its place would be somebody else's.
 */
export function jsonBody(rule: JsonRule): RequestHandler {
  return afterRight(rule, async (request, response) => {
    if (!request.is([...(rule.types ?? ['json'])])) throw new Problem('bad-request');
    request.body = readJson(await readBytes(request, response, { rule, mostBytes: rule.bytes }));
  });
}

/** Reads the file of a form that holds nothing else (RFC 7578); empty where none was chosen. Another kind of body is a bad request. */
export function fileBody(rule: BodyRule & { readonly bytes: number }): RequestHandler {
  return afterRight(rule, async (request, response) => {
    const type = request.get('content-type') ?? '';
    const [, boundary] = /^multipart\/form-data;\s*boundary="?([\w'()+,./:=?-]{1,70})"?$/i.exec(type) ?? [];
    if (boundary === undefined) throw new Problem('bad-request');
    const body = await readBytes(request, response, { rule, mostBytes: rule.bytes });
    const begin = body.indexOf('\r\n\r\n');
    const end = body.indexOf(`\r\n--${boundary}`, begin + 2);
    request.body =
      begin < 0 || end < 0 ? Buffer.alloc(0) : body.subarray(begin + 4, Math.max(begin + 4, end));
  });
}

/** Bytes that are dropped to keep a connection. */
const longestDropped = 64 * kibibyte;

/** For a body in which nothing matters: it is not read, and none of it is kept. */
export function dropBody(request: Request, response: Response): void {
  if (Number(request.get('content-length') ?? 0) > longestDropped) response.setHeader('Connection', 'close');
  request.resume();
}

function afterRight(
  { right }: BodyRule,
  read: (request: Request, response: Response) => Promise<void>,
): RequestHandler {
  return async (request, response, next) => {
    if (right !== 'anyone' && (await right(request, response)) === 'answered') return;
    await read(request, response);
    await lookAgain(request);
    next();
  };
}

/** All of a body. Its room is free again when the request is answered. */
async function readBytes(
  request: Request,
  response: Response,
  { rule, mostBytes }: { readonly rule: BodyRule; readonly mostBytes: number },
): Promise<Buffer> {
  const { right, budget = ofProcess, times = bodyTimes } = rule;
  const encoding = request.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== '') throw new Problem('encoded-body');
  const declared = Number(request.get('content-length') ?? 0);
  if (declared > mostBytes) throw new Problem('too-large');
  const sender = right === 'anyone' ? 'stranger' : 'known';
  const room = await budget.enter(request, { sender, declared });
  if (response.closed) {
    room.free();
    throw brokenOff();
  }
  whenClosed(response, room.free);
  return collect(request, { times, mostBytes, take: room.take }).finally(room.arrived);
}

function collect(
  request: Request,
  {
    times,
    mostBytes,
    take,
  }: { readonly times: BodyTimes; readonly mostBytes: number; readonly take: (bytes: number) => void },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const began = performance.now();
    let arrived = 0;
    const end = (act: () => void) => {
      clearInterval(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', refuse);
      act();
    };
    const refuse = (fault: Error) => {
      // What is still to come is dropped.
      end(() => reject(fault));
      request.resume();
    };
    const onData = (chunk: Buffer) => {
      arrived += chunk.length;
      if (arrived > mostBytes) return refuse(new Problem('too-large'));
      try {
        take(chunk.length);
        chunks.push(chunk);
      } catch (fault) {
        refuse(fault instanceof Error ? fault : new Error(String(fault)));
      }
    };
    const onEnd = () => end(() => resolve(Buffer.concat(chunks, arrived)));
    const onClose = () => refuse(brokenOff());
    const timer = setInterval(
      () => {
        if (isTooSlow(times, { arrived, ms: performance.now() - began })) refuse(new Problem('too-slow'));
      },
      Math.min(1_000, times.graceMs / 2),
    );
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', refuse);
  });
}

export function isTooSlow(
  { wholeMs, graceMs, leastPerSecond }: BodyTimes,
  { arrived, ms }: { readonly arrived: number; readonly ms: number },
): boolean {
  if (ms > wholeMs) return true;
  return ms > graceMs && arrived < ((ms - graceMs) / 1_000) * leastPerSecond;
}

function brokenOff(): Error {
  return Object.assign(new Error('request aborted'), { type: 'request.aborted' });
}

/** What RFC 6657 calls it by default; browsers send forms in nothing else. */
function isUtf8(request: Request): boolean {
  const [, charset = 'utf-8'] =
    /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(request.get('content-type') ?? '') ?? [];
  return /^(utf-?8|us-ascii)$/i.test(charset);
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // Its fault quotes what stands in the body.
    throw new Problem('bad-request');
  }
}

function readFields(body: string, mostFields: number): object {
  if (countFields(body, mostFields) > mostFields) throw new Problem('too-large');
  // Its object has no prototype: `__proto__` is a name like any other.
  const fields = parse(body, '&', '=', { maxKeys: 0 });
  if (Object.keys(fields).some((name) => name.length > longestName)) throw new Problem('bad-request');
  return fields;
}

function countFields(body: string, mostFields: number): number {
  let count = 1;
  for (let at = body.indexOf('&'); at !== -1 && count <= mostFields; at = body.indexOf('&', at + 1))
    count += 1;
  return count;
}
