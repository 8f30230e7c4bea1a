import { parse } from 'node:querystring';
import express, { type Request, type RequestHandler } from 'express';
import type { FormSize } from '../core/consent/form-size.ts';
import { Problem } from '../core/model/problem.ts';
import { lookAgain } from './after-body.ts';

const usual: FormSize = { bytes: 512 * 1024, fields: 5_000 };
/** Whatever a schema would ask for. */
const most: FormSize = { bytes: 4 * 1024 * 1024, fields: 50_000 };
/** Characters, decoded: two ids of 100 and the words around them. */
const longestName = 256;

/**
 * Reads a urlencoded form: at most 512 KB and 5,000 fields, with names of at most 256 characters. A field that came
 * more than once is an array. Another kind of body is a bad request. All of it takes time linear in the body. Who
 * sends it is looked up again when it is in.
 */
export const formBody: RequestHandler = readForm(usual);

/** As `formBody`, for a form that may be large because the page it was drawn on is: it may be so much larger. */
export function formBodyAs(drawn: (request: Request) => Promise<FormSize | undefined>): RequestHandler {
  return async (request, response, next) => {
    const { bytes, fields } = (await drawn(request)) ?? { bytes: 0, fields: 0 };
    const size = {
      bytes: Math.min(most.bytes, usual.bytes + bytes),
      fields: Math.min(most.fields, usual.fields + fields),
    };
    readForm(size)(request, response, next);
  };
}

function readForm(size: FormSize): RequestHandler {
  const text = express.text({ type: 'urlencoded', limit: size.bytes });
  return (request, response, next) => {
    if (request.is('urlencoded') === false) return next(new Problem('bad-request'));
    text(request, response, (fault?: unknown) => {
      if (fault !== undefined) return next(fault);
      if (typeof request.body === 'string') {
        const fields = readFields(request.body, size.fields);
        if (fields instanceof Problem) return next(fields);
        request.body = fields;
      }
      lookAgain(request).then(() => next(), next);
    });
  };
}

/**
 * Reads JSON of at most so many bytes, in UTF-8 as RFC 8259 has it; another kind of body is a bad request. Bytes that are
 * none are refused, never replaced: a name with one in its place would be somebody else's.
 */
export function jsonBody(limit: number): RequestHandler {
  const bytes = express.raw({ type: 'json', limit });
  return (request, response, next) => {
    if (request.is('json') === false) return next(new Problem('bad-request'));
    bytes(request, response, (fault?: unknown) => {
      if (fault !== undefined) return next(fault);
      request.body = readJson(request.body);
      if (request.body === undefined) return next(new Problem('bad-request'));
      lookAgain(request).then(() => next(), next);
    });
  };
}

function readJson(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

function readFields(body: string, mostFields: number): Problem | object {
  if (countFields(body, mostFields) > mostFields) return new Problem('too-large');
  // Its object has no prototype: `__proto__` is a name like any other.
  const fields = parse(body, '&', '=', { maxKeys: 0 });
  const isShort = Object.keys(fields).every((name) => name.length <= longestName);
  return isShort ? fields : new Problem('bad-request');
}

function countFields(body: string, mostFields: number): number {
  let count = 1;
  for (let at = body.indexOf('&'); at !== -1 && count <= mostFields; at = body.indexOf('&', at + 1))
    count += 1;
  return count;
}
