import express, { type RequestHandler } from 'express';
import { Problem } from '../core/problem.ts';

const urlencoded = express.urlencoded({ extended: false, limit: '512kb', parameterLimit: 5_000 });

/**
 * Reads a urlencoded form: at most 512 KB and 5,000 fields, enough for a center of 1,000 purposes. A field that
 * came more than once is an array. Another kind of body is a bad request.
 */
export const formBody: RequestHandler = (request, response, next) => {
  if (request.is('urlencoded') === false) return next(new Problem('bad-request'));
  urlencoded(request, response, next);
};
