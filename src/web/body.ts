import { on } from 'node:events';
import { parse } from 'node:querystring';
import type { Request, RequestHandler, Response } from 'express';
import type { FormSize } from '../core/consent/form-size.ts';
import { Problem } from '../core/model/problem.ts';
import { type BodyBudget, createBodyBudget } from './body-budget.ts';
import { whenClosed } from './when-closed.ts';

/** One budget for the process, because the memory is the process's. */
const processBudget = createBodyBudget();

/** The longest times for a body. A slower body is refused, because it holds room that others wait for. */
export const bodyTimes = {
  /** Milliseconds for the whole body. */
  wholeMs: 20_000,
  /** Milliseconds in which the rate is not checked: a phone may be in a tunnel. */
  graceMs: 5_000,
  /** The lowest rate after the grace, in bytes. */
  leastPerSecond: 1_024,
};
export type BodyTimes = Readonly<typeof bodyTimes>;

const kibibyte = 1_024;

/** Limits of a form: `button` holds sealed tokens and a few words, `page` the fields of a page. */
const sizes = {
  button: { bytes: 16 * kibibyte, fields: 100 },
  page: { bytes: 512 * kibibyte, fields: 5_000 },
} as const satisfies Readonly<Record<string, FormSize>>;

/** The upper limit of a page's form, whatever its schema. */
const most: FormSize = { bytes: 4 * 1_024 * kibibyte, fields: 50_000 };
/** The most decoded characters of a field's name: two ids of 100, and the words around them. */
const longestName = 256;

type Right = (request: Request, response: Response) => unknown;

/** The rule that a route declares about its body. */
interface BodyRule {
  /**
   * Runs before the first byte of the body is read. It throws if the sender has no right; `answered` means
   * that it refused by itself. `anyone`: no right is needed, so the body must be small.
   */
  readonly right: Right | 'anyone';
  /** The budget of the body; if absent, the budget of the process. */
  readonly budget?: BodyBudget | undefined;
  readonly times?: BodyTimes | undefined;
}

export interface FormRule extends BodyRule {
  readonly size: keyof typeof sizes;
  /**
   * The bytes and fields by which this page's form may be larger than `size`, because of the purposes that it
   * shows.
   */
  readonly displayed?: ((request: Request, response: Response) => Promise<FormSize | undefined>) | undefined;
}

interface JsonRule extends BodyRule {
  readonly bytes: number;
  readonly types?: readonly string[] | undefined;
}

/**
 * Reads a urlencoded form. A repeated field is an array; a name has at most 256 characters; another content
 * type is a bad request. The time is linear in the body. The sender is checked again at the end.
 */
export function formBody(rule: FormRule): RequestHandler {
  return afterRight(rule, async (request, response) => {
    if (request.is('urlencoded') === false || !isUtf8(request)) throw new Problem('bad-request');
    const more = (await rule.displayed?.(request, response)) ?? { bytes: 0, fields: 0 };
    const { bytes, fields } = sizes[rule.size];
    const mostBytes = Math.min(most.bytes, bytes + more.bytes);
    const body = await readBytes(request, response, { rule, mostBytes });
    request.body = readFields(body.toString('utf8'), Math.min(most.fields, fields + more.fields));
  });
}

/**
 * Reads JSON in UTF-8 (RFC 8259); another content type is a bad request. Invalid UTF-8 is refused, not
 * replaced: a replaced byte in an identifier could name another person.
 */
export function jsonBody(rule: JsonRule): RequestHandler {
  return afterRight(rule, async (request, response) => {
    if (!request.is([...(rule.types ?? ['json'])])) throw new Problem('bad-request');
    request.body = readJson(await readBytes(request, response, { rule, mostBytes: rule.bytes }));
  });
}

/**
 * Reads a multipart form that holds one file (RFC 7578); empty if none was chosen. Another content type is a
 * bad request.
 */
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

/** The most bytes that are read and dropped, to keep the connection. */
const longestDropped = 64 * kibibyte;

/** Drops a body whose content does not matter. */
export function dropBody(request: Request, response: Response): void {
  if (Number(request.get('content-length') ?? 0) > longestDropped) response.setHeader('Connection', 'close');
  request.resume();
}

type Look = () => Promise<void> | void;

const looks = new WeakMap<Request, Look[]>();

/**
 * Registers a check of the sender that runs again when the body has arrived: a visitor who sends the body
 * slowly may have been signed out meanwhile.
 */
export function afterBody(request: Request, look: Look): void {
  looks.getOrInsert(request, []).push(look);
}

/** Runs these checks. Each body reader calls it before its handler runs. */
export async function lookAgain(request: Request): Promise<void> {
  for (const look of looks.get(request) ?? []) await look();
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

/**
 * Reads the whole body. Its room is freed when the request is answered. After any failure the rest of the
 * body is dropped, so that the sender can be answered.
 */
async function readBytes(
  request: Request,
  response: Response,
  { rule, mostBytes }: { readonly rule: BodyRule; readonly mostBytes: number },
): Promise<Buffer> {
  const { right, budget = processBudget, times = bodyTimes } = rule;
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
  const chunks: Buffer[] = [];
  const began = performance.now();
  let arrived = 0;
  const slow = new AbortController();
  const check = () => {
    if (isTooSlow(times, { arrived, ms: performance.now() - began })) slow.abort();
  };
  const timer = setInterval(check, Math.min(1_000, times.graceMs / 2));
  try {
    for await (const [chunk] of on(request, 'data', { signal: slow.signal, close: ['end', 'close'] })) {
      arrived += chunk.length;
      if (arrived > mostBytes) throw new Problem('too-large');
      room.take(chunk.length);
      chunks.push(chunk);
    }
  } catch (fault) {
    throw slow.signal.aborted ? new Problem('too-slow') : fault;
  } finally {
    clearInterval(timer);
    room.arrived();
    request.resume();
  }
  if (!request.complete) throw brokenOff();
  return Buffer.concat(chunks, arrived);
}

export function isTooSlow(
  { wholeMs, graceMs, leastPerSecond }: BodyTimes,
  { arrived, ms }: { readonly arrived: number; readonly ms: number },
): boolean {
  if (ms > wholeMs) return true;
  return ms > graceMs && arrived < ((ms - graceMs) / 1_000) * leastPerSecond;
}

function brokenOff(): Error {
  return Object.assign(new Error('request aborted'), { code: 'ECONNABORTED' });
}

/** UTF-8 is the default (RFC 6657), and browsers send forms in nothing else. */
function isUtf8(request: Request): boolean {
  const [, charset = 'utf-8'] =
    /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(request.get('content-type') ?? '') ?? [];
  return /^(utf-?8|us-ascii)$/i.test(charset);
}

/** No body of ours nests so deep. Parsing brackets alone holds the event loop for a tenth of a second. */
const tooDeep = /[[{]{16}/;

function readJson(body: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    if (tooDeep.test(text)) throw new SyntaxError('nested too deep');
    return JSON.parse(text);
  } catch {
    // The parser's error quotes the body, so it must not become the cause.
    throw new Problem('bad-request');
  }
}

function readFields(body: string, mostFields: number): object {
  if (body.split('&', mostFields + 1).length > mostFields) throw new Problem('too-large');
  // `parse` returns an object without prototype, so `__proto__` is an ordinary name.
  const fields = parse(body, '&', '=', { maxKeys: 0 });
  if (Object.keys(fields).some((name) => name.length > longestName)) throw new Problem('bad-request');
  return fields;
}
