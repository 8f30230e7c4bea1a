import { parse } from 'node:querystring';
import express, { type RequestHandler } from 'express';
import { Problem } from '../core/problem.ts';

const mostFields = 5_000;
/** Characters, decoded: two ids of 100 and the words around them. */
const longestName = 256;

const text = express.text({ type: 'urlencoded', limit: '512kb' });

/**
 * Reads a urlencoded form: at most 512 KB and 5,000 fields, enough for a center of 1,000 purposes, with names of at
 * most 256 characters. A field that came more than once is an array. Another kind of body is a bad request. All of
 * it takes time linear in the body.
 */
export const formBody: RequestHandler = (request, response, next) => {
  if (request.is('urlencoded') === false) return next(new Problem('bad-request'));
  text(request, response, (fault?: unknown) => {
    if (fault !== undefined) return next(fault);
    if (typeof request.body === 'string') {
      const fields = readFields(request.body);
      if (fields instanceof Problem) return next(fields);
      request.body = fields;
    }
    next();
  });
};

function readFields(body: string): Problem | object {
  if (countFields(body) > mostFields) return new Problem('too-large');
  // Its object has no prototype: `__proto__` is a name like any other.
  const fields = parse(body, '&', '=', { maxKeys: 0 });
  const isShort = Object.keys(fields).every((name) => name.length <= longestName);
  return isShort ? fields : new Problem('bad-request');
}

function countFields(body: string): number {
  let count = 1;
  for (let at = body.indexOf('&'); at !== -1 && count <= mostFields; at = body.indexOf('&', at + 1))
    count += 1;
  return count;
}
