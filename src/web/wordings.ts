import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { purposesOf } from '../core/consent/merge-set.ts';
import { canonical } from '../core/model/canonical.ts';
import { type Center, itemsOf, type Purpose, type Text } from '../core/model/center/center.ts';
import type {
  AroundText,
  AskedWords,
  NamedText,
  PurposeText,
  Wording,
  WordingLine,
} from '../core/model/evidence/wording.ts';
import { label } from '../i18n/label.ts';
import { chooseHtml, chooseText } from '../i18n/language.ts';
import type { Clock } from '../ports/clock.ts';
import type { KeptText, WordingStore, Wordings } from '../ports/wordings.ts';

/** Texts of the settings that stand beside the schema, the same in every language. */
export type AroundCenter = Pick<AroundText, 'controller' | 'rightsContact' | 'notice'>;

export interface WordingsOptions {
  readonly store: Pick<WordingStore, 'keep' | 'wordings' | 'texts'>;
  readonly clock: Clock;
  readonly around: (center: string) => Promise<AroundCenter>;
  /** Called if a wording could not be stored. It is stored again when it is next shown or referred to. */
  readonly warn: (event: string, fault: unknown) => void;
}

type Made = Awaited<ReturnType<typeof makeWording>>;

/**
 * Milliseconds after which a stored wording is stored again, so that the sweep never deletes one that is
 * shown.
 */
const keptFor = 24 * 60 * 60 * 1000;
const mostMade = 500;
const mostTexts = 5_000;
/** Texts made in one turn of the event loop. */
const inOneTurn = 100;

export function createWordings({ store, clock, around, warn }: WordingsOptions): Wordings {
  const known = new WeakMap<Center, Map<string, Promise<string>>>();
  const made = new Map<string, Made>();
  const keeping = new Map<string, { readonly at: number; readonly done: Promise<void> }>();
  const wordings = createTextCache<Wording>((digests) => store.wordings(digests), {
    most: mostMade,
    inTurn: 1,
  });
  const texts = createTextCache((digests) => store.texts(digests), { most: mostTexts, inTurn: inOneTurn });

  function keep(digest: string): Promise<void> {
    const each = made.get(digest);
    const last = keeping.get(digest);
    const now = clock.now();
    if (each === undefined) return Promise.resolve();
    if (last !== undefined && now - last.at < keptFor && now >= last.at) return last.done;
    const done = store.keep(each.wording, each.texts);
    remember(keeping, digest, { at: now, done }, mostMade);
    done.catch(() => {
      if (keeping.get(digest)?.done === done) keeping.delete(digest);
    });
    return done;
  }

  return {
    async shown(center, language) {
      if (center.revision === '') return undefined;
      const beside = await around(center.id);
      const key = canonical([language, beside]);
      const ofCenter = known.getOrInsertComputed(center, () => new Map());
      const found = await ofCenter.getOrInsertComputed(key, async () => {
        const each = await makeWording(center, language, beside);
        remember(made, each.wording.digest, each, mostMade);
        return each.wording.digest;
      });
      keep(found).catch((fault: unknown) => warn('the words of a center could not be kept', fault));
      return found;
    },
    kept: keep,
    async read(asked) {
      const byDigest = await wordings(asked.map(({ words }) => words));
      const ofThen = new Map([...byDigest].map(([digest, wording]) => [digest, linesOf(wording, asked)]));
      const needed = [...ofThen.values()].flatMap(({ lines, around }) => [
        around,
        ...[...lines.values()].map(({ text }) => text),
      ]);
      const found = await texts(needed);
      return {
        text(words, id) {
          const line = ofThen.get(words)?.lines.get(id);
          const text = line && (found.get(line.text) as PurposeText | undefined);
          return text && { version: line.version, ...text };
        },
        digest: (words, id) => ofThen.get(words)?.lines.get(id)?.text,
        around: (words) => found.get(ofThen.get(words)?.around ?? '') as AroundText | undefined,
      };
    },
  };
}

type ReadTexts = (digests: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Reads texts by their digests. It keeps the newest `most`, and reads the others from the store: `inTurn` of
 * them in one turn of the event loop.
 */
function createTextCache<T>(
  read: ReadTexts,
  { most, inTurn }: { readonly most: number; readonly inTurn: number },
) {
  const kept = new Map<string, T>();
  return async (digests: readonly string[]): Promise<ReadonlyMap<string, T>> => {
    const asked = new Set(digests);
    const found = new Map([...asked.intersection(kept)].map((digest) => [digest, kept.get(digest) as T]));
    for (const [digest, content] of await read([...asked.difference(found)])) {
      const value = JSON.parse(content) as T;
      found.set(digest, value);
      remember(kept, digest, value, most);
      if (found.size % inTurn === 0) await nextTurn();
    }
    return found;
  };
}

function linesOf(wording: Wording, asked: readonly AskedWords[]) {
  const ids = new Set(asked.flatMap((each) => each.ids));
  const lines = [...wording.purposes, ...wording.elements].filter(({ id }) => ids.has(id));
  return { around: wording.around, lines: new Map(lines.map((line) => [line.id, line])) };
}

function remember<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  if (map.size >= most) map.delete(map.keys().next().value ?? '');
  map.set(key, value);
}

async function makeWording(center: Center, language: string, beside: AroundCenter) {
  const texts = new Map<string, KeptText>();
  const lineOf = (id: string, text: PurposeText, version?: number): WordingLine => {
    const kept = keptText(text);
    texts.set(kept.digest, kept);
    return { id, version, text: kept.digest };
  };
  const purposes: WordingLine[] = [];
  for (const purpose of purposesOf(center).values()) {
    purposes.push(lineOf(purpose.id, purposeText(purpose, center, language), purpose.version));
    if (purposes.length % inOneTurn === 0) await nextTurn();
  }
  const elements = itemsOf(center).flatMap((item) => {
    if (item.kind !== 'data-element') return [];
    const { id, name, label: plain } = item.element;
    return lineOf(id, { name: textOf(name, center, language) ?? plain });
  });
  const around: AroundText = {
    title: center.title,
    save: label(center, language, 'change-preferences'),
    unsubscribeAll: label(center, language, 'unsubscribe-all'),
    ...beside,
  };
  const kept = keptText(around);
  texts.set(kept.digest, kept);
  const { id, revision } = center;
  const wording: Wording = { center: id, revision, language, around: kept.digest, purposes, elements };
  return { wording: keptText(wording), texts: [...texts.values()] };
}

function purposeText(purpose: Purpose, center: Center, language: string): PurposeText {
  const named = ({ id, name }: { readonly id: string; readonly name: Text }): NamedText => {
    return { id, name: textOf(name, center, language) ?? id };
  };
  const topics = purpose.topics.map(named);
  const preferences = purpose.preferences.map((preference) => {
    return { ...named(preference), options: preference.options.map(named) };
  });
  return {
    name: textOf(purpose.name, center, language) ?? purpose.id,
    description: chooseHtml(purpose.description, language, center.defaultLanguage)?.html,
    topics: topics.length === 0 ? undefined : topics,
    preferences: preferences.length === 0 ? undefined : preferences,
  };
}

function textOf(text: Text, center: Center, language: string): string | undefined {
  return chooseText(text, language, center.defaultLanguage)?.text;
}

function keptText(value: object): KeptText {
  const content = canonical(value);
  return { digest: hash('sha256', content, 'base64url'), content };
}
