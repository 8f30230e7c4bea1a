import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type Payload, payloads } from './payloads.ts';

const demo = join(import.meta.dirname, '..', '..', 'src', 'sandbox', 'demo', 'centers');

/** One hostile center, with the identifier of its person. */
export interface HostileCenter {
  readonly id: string;
  readonly identifier: string;
}

export interface HostileFolder {
  /** Path → text, in the layout of the sandbox's data folder. */
  readonly files: Readonly<Record<string, string>>;
  readonly centers: readonly HostileCenter[];
  /** Payload numbers by place, for example `preferences.json Purposes[].Label`. */
  readonly places: ReadonlyMap<string, ReadonlySet<number>>;
}

/** The person with the largest record, by the first digits of the center. */
const people: Readonly<Record<string, string>> = {
  b00c5000: 'anna@example.org',
  ba4c0000: 'emil@example.org',
  '0ca11000': 'anna@example.org',
};

/**
 * Copies the demo's centers `rounds` times, and replaces each text of the platform by payloads. Over the
 * rounds every place gets every payload; a place that occurs once in a center gets many at a time. Every
 * second round has no translations, so that the plain labels and descriptions show.
 */
export function hostileFolder(rounds: number): HostileFolder {
  const sources = globSync(`${demo}/**/*.json`).map((path) => {
    const file = relative(demo, path).replaceAll(sep, '/');
    return { file, json: JSON.parse(readFileSync(path, 'utf8')) as unknown };
  });
  const files: Record<string, string> = {};
  const centers: HostileCenter[] = [];
  const places = new Map<string, Set<number>>();
  const ids = [...new Set(sources.map(({ file }) => file.split('/')[0] ?? ''))];
  for (const id of ids) {
    const prefix = id.slice(0, 8);
    const person = people[prefix];
    if (person === undefined) throw new Error(`no person is named for the center ${id}`);
    const own = sources.filter(({ file }) => file.startsWith(id) && isWanted(file, person));
    const inEnglish = own.map(({ file, json }) => ({ file, json: onlyEnglish(json) }));
    const wanted = new Map<string, number>();
    for (const { file, json } of inEnglish)
      replaceTexts(json, placeOf(file), (place, text) => count(wanted, place, text));
    const given = new Map<string, number>();
    for (let round = 0; round < rounds; round++) {
      const own = prefix.slice(0, 6) + round.toString(16).padStart(2, '0');
      const labels = new Map<string, string>();
      for (const { file, json } of inEnglish) {
        const hostile = replaceTexts(json, placeOf(file), (place, text) => {
          const many = Math.ceil(payloads.length / rounds / (wanted.get(place) ?? 1));
          if (!/DataElements\[\] (Label|name)$/.test(place)) return next(place, many);
          const label = labels.get(text) ?? next(place, many);
          labels.set(text, label);
          return label;
        });
        const text = JSON.stringify(round % 2 === 0 ? withImage(hostile) : plain(hostile));
        files[`centers/${file}`.replaceAll(prefix, own)] = text.replaceAll(`${prefix}-`, `${own}-`);
      }
      const subject = `centers/${id}/subjects/${person}.json`.replaceAll(prefix, own);
      files[subject] = renameElements(files[subject] ?? '{}', labels);
      centers.push({ id: id.replace(prefix, own), identifier: person });
    }

    function next(place: string, many: number): string {
      const at = given.get(place) ?? 0;
      given.set(place, at + many);
      const chosen: Payload[] = Array.from({ length: many }, (_, index) => at + index).flatMap(
        (number) => payloads[number % payloads.length] ?? [],
      );
      const seen = places.get(place) ?? new Set();
      places.set(place, seen);
      for (const { number } of chosen) seen.add(number);
      return chosen.map(({ text }) => text).join(' ');
    }
  }
  return { files, centers, places };
}

function isWanted(file: string, person: string): boolean {
  return !file.includes('/subjects/') || file.endsWith(`/${person}.json`);
}

/** Names the kind of a file: `pages` for `0ca1…/pages/….json`, `preferences.json` for that of a center. */
function placeOf(file: string): string {
  const folder = basename(dirname(file));
  return /^[0-9a-f-]{36}$/.test(folder) ? basename(file) : folder;
}

function count(counts: Map<string, number>, place: string, text: string): string {
  counts.set(place, (counts.get(place) ?? 0) + 1);
  return text;
}

/** Members that hold no text: ids, dates, enumerations and language tags. */
const keep =
  /(^|[a-z])Ids?$|^ids?$|Date$|[Ll]anguages?$|^Template$|[Ss]tatus$|Type$|^[Dd]isplayAs$|Format$|^visibility$|^Visibility$|TriggerCondition$|^blobLocation$|^identifier$|^conditionalRules/;

type Replace = (place: string, text: string) => string;

/** Replaces all texts of a file; `place` is the path of a text without indices, ids and language tags. */
function replaceTexts(json: unknown, place: string, replace: Replace): unknown {
  if (typeof json === 'string') return replace(place, json);
  if (Array.isArray(json)) return json.map((item) => replaceTexts(item, `${place}[]`, replace));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      const isKept =
        keep.test(name) &&
        !name.startsWith('Consent.') &&
        (typeof value !== 'object' || name === 'conditionalRules');
      const isTags =
        /^[Ll]anguages$/.test(name) && Array.isArray(value) && value.every((tag) => typeof tag === 'string');
      if (isKept || isTags) return [name, value];
      return [name, replaceTexts(value, isEnglish(name) ? place : `${place} ${name}`, replace)];
    }),
  );
}

function isEnglish(tag: string): boolean {
  return /^en\b/.test(tag);
}

const otherLanguage = /^(fr|de|ar|it)$/;

function onlyEnglish(json: unknown): unknown {
  if (Array.isArray(json)) {
    const spoken = json.filter((item) => !otherLanguage.test(String(languageOf(item))));
    return spoken.map(onlyEnglish);
  }
  if (typeof json !== 'object' || json === null) return json;
  const members = Object.entries(json).filter(([name]) => !otherLanguage.test(name));
  return Object.fromEntries(members.map(([name, value]) => [name, onlyEnglish(value)]));
}

function languageOf(item: unknown): unknown {
  if (typeof item === 'string') return item;
  if (typeof item !== 'object' || item === null) return undefined;
  return Reflect.get(item, 'Language') ?? Reflect.get(item, 'language');
}

/** Removes the translations of single texts, but keeps the label sets of the center. */
function plain(json: unknown, name = ''): unknown {
  if (Array.isArray(json)) {
    const isTexts =
      /^[Ll]anguages$/.test(name) && json.some((item) => typeof item === 'object' && 'name' in lowered(item));
    return isTexts ? [] : json.map((item) => plain(item));
  }
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, plain(value, key)]));
}

function lowered(item: object): object {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Turns on title images, because their addresses are texts of the platform, too. */
function withImage(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json).replace(/"([uU])seTitleImage":false/, '"$1seTitleImage":true'));
}

function renameElements(subject: string, labels: ReadonlyMap<string, string>): string {
  const answer = JSON.parse(subject) as { DsDataElements?: Record<string, string> };
  const elements = Object.entries(answer.DsDataElements ?? {});
  const renamed = Object.fromEntries(elements.map(([label, value]) => [labels.get(label) ?? label, value]));
  return JSON.stringify({ ...answer, DsDataElements: renamed });
}
