import { createHash } from 'node:crypto';
import type { Center } from '../core/model/center.ts';
import type { Problem } from '../core/model/problem.ts';
import { createTurn } from '../turn.ts';
import { type Call, type Client, successJson } from './client.ts';
import type { Answer } from './exchange.ts';
import { pageSchema, rootSchema, singlePageSchema } from './members/schemas.ts';
import { ToldMembers } from './members/tell.ts';
import { type BuiltCenter, Notes } from './notes.ts';
import type { OperationName, PlatformLog, PlatformMetrics } from './options.ts';
import { prepareSchema } from './prepare-schema.ts';
import {
  buildMultiPage,
  hasNoItems,
  type MultiPageParts,
  type PageEntry,
  type PageSchema,
  type RootSchema,
  readPage,
  readPageEntries,
  readRoot,
} from './wire-multi-page.ts';
import { unreadableAs } from './wire-shape.ts';
import {
  buildSinglePage,
  familyOf,
  purposesById,
  readSinglePage,
  type SinglePage,
} from './wire-single-page.ts';

const base = '/api/consentmanager';

/**
 * Of one center. Whatever a person does on a page looks at the purposes of all pages, so that all of them together must
 * not be too many; centers that people keep up have some ten pages of some ten kilobytes.
 */
const most = { pages: 50, bytes: 8 * 1_024 * 1_024 };
/** Of what is read at most, the part at which the operator is told. */
const nearly = 0.75;

/** Which calls go before which. */
export type CallOrder = Pick<Call, 'priority' | 'isFirst'>;

/** A center's schemas as the platform gives them. */
export interface RawCenter {
  readonly preferences: unknown;
  readonly root: unknown;
  readonly pages: readonly { readonly id: string; readonly schema: unknown }[];
}

/**
 * Reads a center of either family. The family is found out: the single-page schema is asked for first; where there
 * is none, or it says MULTIPAGE, the root and all its pages are. A page that cannot be had fails the center (half
 * a center is never shown), except one that the platform itself does not know.
 */
export async function readCenter(
  id: string,
  {
    client,
    order,
    log,
    metrics,
    imageHosts,
    schemaBytes,
  }: {
    client: Client;
    order: CallOrder;
    log: PlatformLog | undefined;
    metrics: PlatformMetrics | undefined;
    /** Whose images may be shown. */
    imageHosts: ReadonlySet<string>;
    /** Of one schema at most. */
    schemaBytes: number;
  },
): Promise<Center | undefined> {
  const notes = new Notes();
  const versions = new Set<string>();
  const size = { bytes: 0, longest: 0 };
  const told = new ToldMembers();
  const read = await build(id, { client, order, notes, versions, size, told });
  if (read === undefined) return undefined;
  const percent = Math.round(100 * Math.max(size.longest / schemaBytes, size.bytes / most.bytes));
  if (percent >= 100 * nearly) log?.warn('center nearly too large', { center: id, percent });
  const built = withListedImage(read, imageHosts);
  if (notes.dropped > 0) {
    log?.warn('center read in part', { center: id, dropped: notes.dropped });
    metrics?.dropped(id, notes.dropped);
  }
  return { ...built, revision: await revisionOf(built, versions), told: told.all };
}

/** Page by page, a long one in a turn of its own; of the same text as if it were written at once. */
async function revisionOf(center: BuiltCenter, versions: ReadonlySet<string>): Promise<string> {
  const hash = createHash('sha256');
  const turn = createTurn();
  let before = '[{';
  for (const [name, value] of Object.entries(center)) {
    if (value === undefined) continue;
    hash.update(`${before}${JSON.stringify(name)}:`);
    before = ',';
    if (name !== 'pages') {
      hash.update(JSON.stringify(value));
      continue;
    }
    for (const [place, page] of center.pages.entries()) {
      if (turn.isLong()) await turn.end();
      hash.update(`${place === 0 ? '[' : ','}${JSON.stringify(page)}`);
    }
    hash.update(']');
    if (turn.isLong()) await turn.end();
  }
  hash.update(`},${JSON.stringify([...versions].sort())}]`);
  return hash.digest('base64url').slice(0, 22);
}

/** Else the editor of a schema learns the readers' addresses from the logs of a host of their own. */
function withListedImage(center: BuiltCenter, hosts: ReadonlySet<string>): BuiltCenter {
  const { titleImageUrl, unread } = center;
  if (titleImageUrl === undefined || hosts.has(new URL(titleImageUrl).hostname)) return center;
  const words = 'The title image is of a host that the center’s imageHosts do not list';
  return { ...center, titleImageUrl: undefined, unread: [...unread, words] };
}

interface Size {
  bytes: number;
  /** Of one answer. */
  longest: number;
}

interface Reading {
  readonly client: Client;
  readonly order: CallOrder;
  readonly notes: Notes;
  /** Of everything in the schemas that has one, as `[id, version]`: a raised one is another revision by itself. */
  readonly versions: Set<string>;
  /** What was read so far. */
  readonly size: Size;
  readonly told: ToldMembers;
}

async function build(id: string, reading: Reading): Promise<BuiltCenter | undefined> {
  const { notes } = reading;
  const single = await askUnlessHollow(
    () => askSinglePage(id, reading),
    (body) => familyOf(body) !== 'none' && body.purposes.length === 0,
  );
  const family = single === undefined ? 'none' : familyOf(single);
  if (single !== undefined && family === 'single-page') return buildSinglePage(id, single, notes);
  const parts = await readMultiPage(id, reading);
  if (parts === undefined && family === 'multi-page') {
    throw unreadableAs('a Multi Page center without a root schema');
  }
  if (parts === undefined) return undefined;
  // What only this list names could not be left after one passing "not found": it is asked for twice.
  const list = family === 'none' ? await askSinglePage(id, reading) : single;
  return buildMultiPage(id, { ...parts, known: await knownPurposes(list, notes) }, notes);
}

/** A schema without anything in it is asked for once more: what only it names could not be left by one such answer. */
async function askUnlessHollow<T>(
  ask: () => Promise<T | undefined>,
  isHollow: (read: T) => boolean,
): Promise<T | undefined> {
  const once = await ask();
  return once === undefined || !isHollow(once) ? once : ((await ask()) ?? once);
}

async function askSinglePage(id: string, reading: Reading): Promise<SinglePage | undefined> {
  const body = await askSchema('center-schema', singlePagePath(id), reading);
  return body === undefined ? undefined : readSinglePage(body);
}

async function knownPurposes(list: SinglePage | undefined, notes: Notes) {
  return list !== undefined && familyOf(list) === 'multi-page' ? purposesById(list, notes) : undefined;
}

async function readMultiPage(
  id: string,
  reading: Reading,
): Promise<Omit<MultiPageParts, 'known'> | undefined> {
  const { notes } = reading;
  const root = await askUnlessHollow(
    () => askRoot(id, reading),
    ({ pages }) => pages.length === 0,
  );
  if (root === undefined) return undefined;
  const entries = readPageEntries(root, notes);
  if (entries.length > most.pages) throw tooLarge(`${entries.length} pages`);
  const pages = await Promise.all(
    entries.map(async (entry): Promise<{ entry: PageEntry; schema: PageSchema }[]> => {
      const ask = () => askPage(entry.id, reading);
      // As with the list: what only this page has could not be left after one passing "not found".
      const schema = (await askUnlessHollow(ask, hasNoItems)) ?? (await ask());
      if (schema !== undefined) return [{ entry, schema }];
      notes.drop('A page that the platform does not know was left out');
      return [];
    }),
  );
  return { root, pages: pages.flat() };
}

async function askRoot(id: string, reading: Reading): Promise<RootSchema | undefined> {
  const body = await askSchema('root-schema', rootPath(id), reading);
  return body === undefined ? undefined : readRoot(body);
}

async function askPage(id: string, reading: Reading): Promise<PageSchema | undefined> {
  const body = await askSchema('page-schema', pagePath(id), reading);
  return body === undefined ? undefined : readPage(body);
}

/** A schema, its versions noted and its HTML made safe. */
async function askSchema(
  operation: 'center-schema' | 'root-schema' | 'page-schema',
  path: string,
  { client, order, notes, versions, size, told }: Reading,
): Promise<unknown> {
  const body = await ask(client, operation, { path, order, size });
  await prepareSchema(body, { notes, versions });
  await told.look(path, body, memberTables[operation]);
  return body;
}

const memberTables = {
  'center-schema': singlePageSchema,
  'root-schema': rootSchema,
  'page-schema': pageSchema,
} as const;

function tooLarge(what: string): Problem {
  return unreadableAs(`a center of ${what}`);
}

function singlePagePath(id: string): string {
  return `${base}/v1/preferencecenters/${id}/preferences`;
}

function rootPath(id: string): string {
  return `${base}/v2/preferencecenters/${id}/schema`;
}

function pagePath(id: string): string {
  return `${base}/v2/preferencecenterpage/${encodeURIComponent(id)}/schema`;
}

/** undefined: the platform does not have it. */
async function ask(
  client: Client,
  operation: OperationName,
  { path, order, size = { bytes: 0, longest: 0 } }: { path: string; order: CallOrder; size?: Size },
): Promise<unknown> {
  const answer: Answer = await client.call(operation, { path, ...order });
  const bytes = answer.body?.length ?? 0;
  size.bytes += bytes;
  size.longest = Math.max(size.longest, bytes);
  if (size.bytes > most.bytes) throw tooLarge(`${size.bytes} bytes`);
  if (answer.status === 404) return undefined;
  // The single-page address answers 400 for what it cannot retrieve, a Multi Page center among them.
  if (answer.status === 400 && operation !== 'page-schema') return undefined;
  return (await successJson(answer)) ?? undefined;
}

/** The schemas word for word, to be written down; never people. */
export async function captureCenter(id: string, client: Client): Promise<RawCenter | undefined> {
  const order = {};
  const preferences = await ask(client, 'center-schema', {
    path: singlePagePath(id),
    order,
  });
  const family = preferences === undefined ? 'none' : familyOf(readSinglePage(preferences));
  if (family === 'single-page') return { preferences, root: undefined, pages: [] };
  const root = await ask(client, 'root-schema', { path: rootPath(id), order });
  if (root === undefined) return undefined;
  const pages = await Promise.all(
    readPageEntries(readRoot(root), new Notes()).map(async (entry) => ({
      id: entry.id,
      schema: await ask(client, 'page-schema', { path: pagePath(entry.id), order }),
    })),
  );
  return { preferences, root, pages: pages.filter(({ schema }) => schema !== undefined) };
}
