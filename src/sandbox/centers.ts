import { join } from 'node:path';
import { readInstant } from './clock.ts';
import { type Catalogue, catalogueOf, defaultLanguage, deriveSchema } from './consent-schema.ts';
import { type Folder, type JsonFile, jsonFiles } from './folder.ts';
import { fold, type JsonObject, object, objects, text } from './json.ts';

/** One preference center of the data folder. */
export interface Center {
  /** Name of the center's folder, folded. */
  readonly id: string;
  readonly path: string;
  readonly template: string;
  readonly language: string;
  /** JSON of the v1 answer: the text of the file, or derived from the pages. */
  readonly schema: string;
  /** JSON of the v2 root, unchanged; single-page centers have none. */
  readonly root: string | undefined;
  readonly catalogue: Catalogue;
  readonly dataElementIds: ReadonlySet<string>;
  readonly summary: Summary;
}

/** One entry of the list of centers. */
export interface Summary {
  readonly name: string;
  readonly organizationName: string;
  readonly status: string;
  readonly version: number;
  readonly created: Date;
  readonly published: Date | undefined;
  readonly modified: Date;
}

export type SchemaState = 'PUBLISHED' | 'DRAFT';

export interface Centers {
  /** Finds the published center. */
  find(id: string): Center | undefined;
  /** Finds the center in that state; undefined also for a draft that was never published. */
  findIn(state: SchemaState, id: string): Center | undefined;
  list(): Center[];
  /** Finds the page with this id in all centers that have this state; returns its JSON. */
  findPage(state: SchemaState, id: string): string | undefined;
}

export function createCenters(folder: Folder, seedDir: string): Centers {
  const home = join(seedDir, 'centers');
  const made = new Map<string, { from: readonly (JsonFile | undefined)[]; center: Center }>();

  function pagesOf(path: string, root: JsonObject): JsonFile[] {
    const home = join(path, 'pages');
    const wanted = objects(root['pages']).flatMap((page) => text(page['id']) ?? []);
    const names = jsonFiles(folder, home).map(({ name }) => name);
    const files = (wanted.length > 0 ? wanted : names).map((id) => pageIn([home], id));
    return files.filter((file) => file !== undefined);
  }

  /** Finds the page whose file has this name, or else the page that has this id inside its file. */
  function pageIn(homes: readonly string[], id: string): JsonFile | undefined {
    const files = homes.flatMap((path) => jsonFiles(folder, path));
    const named = files.filter(({ name }) => fold(name) === fold(id)).map(({ path }) => folder.file(path));
    return (
      named.find((file) => file !== undefined) ??
      files
        .map(({ path }) => folder.file(path))
        .find((file) => fold(text(file?.value['id']) ?? '') === fold(id))
    );
  }

  /** Reads a center. `path` is its folder, or the folder of its draft, which shares `center.json`. */
  function read(name: string, path = join(home, name)): Center | undefined {
    const single = folder.file(join(path, 'preferences.json'));
    const root = folder.file(join(path, 'schema.json'));
    if (single === undefined && root === undefined) return undefined;
    const pages = root === undefined ? [] : pagesOf(path, root.value);
    const about = folder.file(join(home, name, 'center.json'));
    const from = [single, root, about, ...pages];
    const known = made.get(path);
    if (
      known !== undefined &&
      known.from.length === from.length &&
      known.from.every((file, i) => file === from[i])
    ) {
      return known.center;
    }
    const center = makeCenter({ id: fold(name), path, single, root, pages, about });
    made.set(path, { from, center });
    return center;
  }

  const nameOf = (id: string) => folder.names(home).find((candidate) => fold(candidate) === fold(id));
  const draftOf = (name: string) => join(home, name, 'draft');

  return {
    find(id) {
      const name = nameOf(id);
      return name === undefined ? undefined : read(name);
    },
    findIn(state, id) {
      const name = nameOf(id);
      if (name === undefined) return undefined;
      if (state === 'DRAFT') return read(name, draftOf(name)) ?? read(name);
      const center = read(name);
      return center?.summary.status === 'DRAFT' ? undefined : center;
    },
    list: () => folder.names(home).flatMap((name) => read(name) ?? []),
    findPage(state, id) {
      const shown = folder
        .names(home)
        .filter((name) => state === 'DRAFT' || read(name)?.summary.status !== 'DRAFT');
      const homes = shown.map((name) => join(home, name, 'pages'));
      const drafts = folder.names(home).map((name) => join(draftOf(name), 'pages'));
      const draft = state === 'DRAFT' ? pageIn(drafts, id) : undefined;
      return (draft ?? pageIn(homes, id))?.text;
    },
  };
}

interface Parts {
  id: string;
  path: string;
  single: JsonFile | undefined;
  root: JsonFile | undefined;
  pages: JsonFile[];
  about: JsonFile | undefined;
}

function makeCenter({ id, path, single, root, pages, about }: Parts): Center {
  const derived =
    root === undefined
      ? undefined
      : deriveSchema(
          id,
          root.value,
          pages.map((page) => page.value),
        );
  const schema = single?.value ?? derived ?? {};
  const purposes = [...objects(schema['Purposes']), ...objects(derived?.['Purposes'])];
  const elements = [object(schema['ProfileSettings']), object(derived?.['ProfileSettings'])].flatMap(
    (profile) => objects(profile['DataElements']),
  );
  const language = text(schema['Language']) ?? (root === undefined ? 'en-us' : defaultLanguage(root.value));
  return {
    id,
    path,
    template: text(schema['Template']) ?? (root === undefined ? 'ORIGINAL' : 'MULTIPAGE'),
    language,
    schema: single?.text ?? JSON.stringify(schema),
    root: root?.text,
    catalogue: catalogueOf(purposes),
    dataElementIds: new Set(elements.flatMap((element) => fold(text(element['Id']) ?? '') || [])),
    summary: summarise({ id, schema, language, source: root ?? single, about: object(about?.value) }),
  };
}

function summarise(parts: {
  id: string;
  schema: JsonObject;
  language: string;
  source: JsonFile | undefined;
  about: JsonObject;
}): Summary {
  const { about, schema, source } = parts;
  const labels = object(object(object(schema['PreferenceCenterSettings'])['Languages'])[parts.language]);
  const version = about['version'];
  const modified = source?.modified ?? new Date(0);
  return {
    name:
      text(about['name']) ??
      text(object(schema['PortalSettings'])['Title']) ??
      text(labels['Title']) ??
      parts.id,
    organizationName: text(about['organizationName']) ?? 'Sandbox',
    status: text(about['status']) ?? 'ACTIVE',
    version: typeof version === 'number' ? version : 1,
    created: dateIn(about, 'createdDate') ?? modified,
    published: dateIn(about, 'publishedDate') ?? modified,
    modified,
  };
}

function dateIn(about: JsonObject, member: string): Date | undefined {
  return readInstant(text(about[member]) ?? '');
}
