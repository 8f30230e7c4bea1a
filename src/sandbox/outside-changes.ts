import { join } from 'node:path';
import { Router } from 'express';
import { readBody, readJson, readJsonOf } from './body.ts';
import { queryOf } from './calls.ts';
import type { Center, Centers } from './centers.ts';
import { fold, isGuid, isObject, type Json, objects, text } from './json.ts';
import { subjectAnswer } from './record.ts';
import { badRequest, centerNotFound } from './refusal.ts';
import type { Replacements } from './replacements.ts';
import type { SubjectRecords } from './subject-records.ts';
import { applyOutsideChange, type OutsideChange, readChange } from './transitions.ts';

const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** Routes for changes that others make on the platform, outside its interface: consents and centers. */
export function outsideChangeRoutes(parts: {
  centers: Centers;
  records: SubjectRecords;
  replacements: Replacements;
  seedDir: string;
  now: () => Date;
}): Router {
  const { centers, records, replacements, now } = parts;
  const home = join(parts.seedDir, 'centers');

  function centerCalled(id: string | undefined): Center {
    const center = centers.find(id ?? '');
    if (center === undefined) throw centerNotFound(id ?? '');
    return center;
  }

  /** Returns the folder of a center; a new center is created by its first file. */
  function folderOf(id: string): string {
    const name = replacements.folder.names(home).find((candidate) => fold(candidate) === fold(id));
    if (name === undefined && !isGuid(id)) throw badRequest('A center is called by a GUID');
    return join(home, name ?? fold(id));
  }

  function pageFile(center: string, id: string): string {
    const pages = join(folderOf(center), 'pages');
    const { folder } = replacements;
    const name = folder
      .names(pages)
      .find((each) => fold(each) === fold(`${id}.json`) || idInside(join(pages, each)) === fold(id));
    if (name === undefined && !isGuid(id)) throw badRequest('A page is called by a GUID');
    return join(pages, name ?? `${fold(id)}.json`);
  }

  function idInside(path: string): string {
    return fold(text(replacements.folder.file(path)?.value['id']) ?? '');
  }

  function show(center: Center, identifier: string): Json {
    const { catalogue, language } = center;
    const record = records.find(center, identifier);
    return subjectAnswer({ record, catalogue, identifier, language, now: now().getTime() }).body;
  }

  return Router({ caseSensitive: true })
    .patch('/_sandbox/subjects', async (request, response) => {
      const body = await readJsonOf(request);
      if (!isObject(body)) throw badRequest('The body must be a JSON object');
      const center = centerCalled(text(body['center']));
      const identifier = text(body['identifier']);
      if (identifier === undefined) throw badRequest('identifier is required');
      const changes = readChanges(body['Purposes'] ?? null);
      const record = applyOutsideChange(records.find(center, identifier), changes, {
        catalogue: center.catalogue,
        now: now().getTime(),
      });
      const gone = changes.flatMap(({ asked, status }) => (status === undefined ? [asked.id] : []));
      records.save(center, identifier, record, gone);
      response.json(show(center, identifier));
    })
    .delete('/_sandbox/subjects', (request, response) => {
      const query = new URLSearchParams(queryOf(request.originalUrl));
      const center = centerCalled(query.get('center') ?? undefined);
      const identifier = query.get('identifier') ?? '';
      if (identifier === '') throw badRequest('identifier is required');
      records.clear(center, identifier);
      response.status(204).end();
    })
    .put('/_sandbox/centers/:center/preferences', async (request, response) => {
      await replace(request, join(folderOf(request.params.center), 'preferences.json'));
      response.status(204).end();
    })
    .put('/_sandbox/centers/:center/schema', async (request, response) => {
      await replace(request, join(folderOf(request.params.center), 'schema.json'));
      response.status(204).end();
    })
    .put('/_sandbox/centers/:center/pages/:page', async (request, response) => {
      await replace(request, pageFile(request.params.center, request.params.page));
      response.status(204).end();
    })
    .delete('/_sandbox/centers/:center', (request, response) => {
      replacements.remove(folderOf(request.params.center));
      response.status(204).end();
    });

  async function replace(request: Parameters<typeof readBody>[0], path: string): Promise<void> {
    const source = (await readBody(request, MAX_FILE_BYTES)).toString();
    if (!isObject(readJson(source))) throw badRequest('The body must be a JSON object');
    replacements.put(path, source);
  }
}

/** Reads changes in the platform's own form; a status of null deletes the purpose from the record. */
function readChanges(value: Json): OutsideChange[] {
  if (!Array.isArray(value) || value.length === 0)
    throw badRequest('Purposes must name at least one purpose');
  const items = objects(value);
  if (items.length < value.length) throw badRequest('Purposes must be an array of objects');
  return items.flatMap((item, index) => {
    const status = item['TransactionStatus'];
    if (status !== null && text(status) === undefined) {
      throw badRequest(`Purposes[${index}].TransactionStatus must be a string, or null`);
    }
    return readChange(item, text(status));
  });
}
