import { createHash } from 'node:crypto';
import { type Center, everyPurpose } from '../core/model/center/center.ts';
import { endTurn } from '../turn.ts';
import { type Call, type Client, successJson } from './client.ts';
import { type Answer, crowdingOf, tooLarge } from './exchange.ts';
import { pageSchema, rootSchema, singlePageSchema } from './members/schemas.ts';
import { ToldMembers } from './members/tell.ts';
import { type BuiltCenter, Notes } from './notes.ts';
import type { Settings } from './options.ts';
import { prepareSchema } from './prepare-schema.ts';
import { buildMultiPage, hasNoItems, readPageEntries } from './wire-multi-page.ts';
import { parse, type Read, unreadableAs } from './wire-shape.ts';
import { buildSinglePage, familyOf, purposesById } from './wire-single-page.ts';

const base = '/api/consentmanager';

/**
 * The limits of one center. Each action on a page looks at the purposes of all pages, so there must not be
 * too many. Real centers have about ten pages of about ten kilobytes.
 */
const most = { pages: 50, bytes: 8 * 1_024 * 1_024, purposes: 10_000 };
/** The share of a limit at which the operator is warned. */
const nearly = 0.75;

/** The priority of the calls of one reading. */
type CallOrder = Pick<Call, 'priority' | 'isFirst'>;

/**
 * Reads a center of either family. The single-page schema is read first; if there is none, or it says
 * MULTIPAGE, the root and all its pages are read. A page that cannot be read fails the center, because half a
 * center is never shown; a page that the platform does not know is left out.
 */
export async function readCenter(
  id: string,
  { client, order, options }: { client: Client; order: CallOrder; options: Settings },
): Promise<Center | undefined> {
  const { log, metrics, limits } = options;
  const reading = startReading(client, order);
  const { notes, size, told } = reading;
  const read = await build(id, reading);
  if (read === undefined) return undefined;
  const purposes = everyPurpose(read).length;
  if (purposes > most.purposes) throw tooLarge(`a center of ${purposes} purposes`);
  const shares = {
    schemas: Math.max(size.longest / limits.schemaBytes, size.bytes / most.bytes, size.crowding),
    pages: read.pages.length / most.pages,
    purposes: purposes / most.purposes,
  };
  for (const [what, share] of Object.entries(shares))
    if (share >= nearly)
      log?.warn('center nearly too large', { center: id, what, percent: Math.round(100 * share) });
  const built = withListedImage(read, options);
  if (notes.dropped > 0) {
    log?.warn('center read in part', { center: id, dropped: notes.dropped });
    metrics?.dropped(id, notes.dropped);
  }
  await endTurn();
  return { ...built, revision: revisionOf(built), told: told.all };
}

function revisionOf(center: BuiltCenter): string {
  return createHash('sha256').update(JSON.stringify(center)).digest('base64url').slice(0, 22);
}

/**
 * Drops a title image whose host is not listed: that host would log the IP addresses of visitors, and an
 * editor of the schema could choose it for that.
 */
function withListedImage(center: BuiltCenter, { url, imageHosts }: Settings): BuiltCenter {
  const { titleImageUrl, unread } = center;
  const hosts = [new URL(url).hostname, ...(imageHosts?.(center.id) ?? [])];
  if (titleImageUrl === undefined || hosts.includes(new URL(titleImageUrl).hostname)) return center;
  const words = 'The title image is of a host that the center’s imageHosts do not list';
  return { ...center, titleImageUrl: undefined, unread: [...unread, { code: 'left-out', words }] };
}

function startReading(client: Client, order: CallOrder) {
  return {
    client,
    order,
    notes: new Notes(),
    told: new ToldMembers(),
    /** Bytes of all answers, bytes of the longest answer, and the largest `crowdingOf` an answer. */
    size: { bytes: 0, longest: 0, crowding: 0 },
  };
}

type Reading = ReturnType<typeof startReading>;

async function build(id: string, reading: Reading): Promise<BuiltCenter | undefined> {
  const { notes } = reading;
  const single = await askTwiceIfEmpty(
    () => askSchema('center-schema', id, reading),
    (body) => familyOf(body) !== 'none' && body.purposes.length === 0,
  );
  const family = single === undefined ? 'none' : familyOf(single);
  if (single !== undefined && family === 'single-page') return buildSinglePage(id, single, notes);
  const parts = await readMultiPage(id, reading);
  if (parts === undefined && family === 'multi-page') {
    throw unreadableAs('a Multi Page center without a root schema');
  }
  if (parts === undefined) return undefined;
  // The list is read twice: after one wrong "not found" no person could withdraw from a purpose that only
  // this list names.
  const list = family === 'none' ? await askSchema('center-schema', id, reading) : single;
  const known = list !== undefined && familyOf(list) === 'multi-page' ? purposesById(list, notes) : undefined;
  return buildMultiPage(id, { ...parts, known }, notes);
}

/**
 * Reads a schema, and an empty one twice: after one wrong answer no person could withdraw from a purpose that
 * only this schema names.
 */
async function askTwiceIfEmpty<T>(ask: () => Promise<T | undefined>, isEmpty: (read: T) => boolean) {
  const first = await ask();
  return first === undefined || !isEmpty(first) ? first : ((await ask()) ?? first);
}

async function readMultiPage(id: string, reading: Reading) {
  const { notes } = reading;
  const root = await askTwiceIfEmpty(
    () => askSchema('root-schema', id, reading),
    ({ pages }) => pages.length === 0,
  );
  if (root === undefined) return undefined;
  const entries = readPageEntries(root, notes);
  if (entries.length > most.pages) throw tooLarge(`a center of ${entries.length} pages`);
  const pages = await Promise.all(
    entries.map(async (entry) => {
      const ask = () => askSchema('page-schema', entry.id, reading);
      // A missing page is read twice, like the list: after one wrong "not found" no person could withdraw
      // from a purpose that only this page names.
      const schema = (await askTwiceIfEmpty(ask, hasNoItems)) ?? (await ask());
      if (schema !== undefined) return [{ entry, schema }];
      notes.drop('A page that the platform does not know was left out');
      return [];
    }),
  );
  return { root, pages: pages.flat() };
}

const schemas = {
  'center-schema': {
    pathOf: (id: string) => `${base}/v1/preferencecenters/${id}/preferences`,
    members: singlePageSchema,
  },
  'root-schema': {
    pathOf: (id: string) => `${base}/v2/preferencecenters/${id}/schema`,
    members: rootSchema,
  },
  'page-schema': {
    pathOf: (id: string) => `${base}/v2/preferencecenterpage/${encodeURIComponent(id)}/schema`,
    members: pageSchema,
  },
} as const;
type SchemaName = keyof typeof schemas;

/** Reads a schema and makes its HTML safe; undefined if the platform does not know the schema. */
async function askSchema<Name extends SchemaName>(name: Name, id: string, reading: Reading) {
  const { pathOf, members } = schemas[name];
  const body = await ask(name, id, reading);
  await prepareSchema(body, reading.notes);
  reading.told.look(pathOf(id), body, members);
  await endTurn();
  if (body === undefined) return undefined;
  return parse<unknown>(body, members, `a ${members.name}`) as Read<(typeof schemas)[Name]['members']>;
}

/** The body of a schema; undefined if the platform does not know the schema. */
async function ask(name: SchemaName, id: string, { client, order, size }: Reading): Promise<unknown> {
  const answer: Answer = await client.call(name, { path: schemas[name].pathOf(id), ...order });
  const bytes = answer.body?.length ?? 0;
  size.bytes += bytes;
  size.longest = Math.max(size.longest, bytes);
  const crowding = crowdingOf(answer.body);
  size.crowding = Math.max(size.crowding, crowding);
  if (size.bytes > most.bytes) throw tooLarge(`a center of ${size.bytes} bytes`);
  if (answer.status === 404) return undefined;
  // The single-page address answers 400 for a center that it cannot retrieve, such as a Multi Page center.
  if (answer.status === 400 && name !== 'page-schema') return undefined;
  const body = successJson(answer, crowding) ?? undefined;
  await endTurn();
  return body;
}

/** The schemas of a center word for word, to save them; never the record of a person. */
export async function captureCenter(id: string, client: Client) {
  const reading = startReading(client, {});
  const preferences = await ask('center-schema', id, reading);
  const family =
    preferences === undefined ? 'none' : familyOf(parse(preferences, singlePageSchema, 'a schema'));
  if (family === 'single-page') return { preferences, root: undefined, pages: [] };
  const root = await ask('root-schema', id, reading);
  if (root === undefined) return undefined;
  const pages = await Promise.all(
    readPageEntries(parse(root, rootSchema, 'a root schema'), reading.notes).map(async (entry) => ({
      id: entry.id,
      schema: await ask('page-schema', entry.id, reading),
    })),
  );
  return { preferences, root, pages: pages.filter(({ schema }) => schema !== undefined) };
}
