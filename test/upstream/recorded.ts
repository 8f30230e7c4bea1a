import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSubjectId, type SubjectId } from '../../src/core/model/person/subject.ts';
import { pageSchema, rootSchema, singlePageSchema } from '../../src/upstream/members/schemas.ts';
import { parse } from '../../src/upstream/wire-shape.ts';

const folder = join(import.meta.dirname, '..', 'payloads');

export const recordedNames = readdirSync(folder).sort();

export function recorded(name: string): unknown {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

export const singlePageId = '156129da-7441-498d-a0eb-a89da357d741';

export function subjectId(text: string): SubjectId {
  const id = readSubjectId(text);
  if (id === undefined) throw new Error('not an identifier');
  return id;
}

export const readSinglePage = (body: unknown) => parse(body, singlePageSchema, 'a schema');
export const readRoot = (body: unknown) => parse(body, rootSchema, 'a root schema');
export const readPage = (body: unknown) => parse(body, pageSchema, 'a page schema');
