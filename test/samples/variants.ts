import { catalogues } from '../../src/i18n/catalogue.ts';
import { direction } from '../../src/i18n/language.ts';
import type { Pages } from '../../src/pages/every-page.ts';
import type { BrandView } from '../../src/pages/layout.ts';

/** What the gallery may change of a sample; what is absent stays as the sample has it. */
export interface Variant {
  /** A language of the catalogues; a sample that is in another language than English keeps it. */
  readonly lang: string | undefined;
  readonly brand: Partial<BrandView>;
}

/** The texts of a center, which no catalogue knows, stay English, and say so. */
export function inVariant<V extends keyof Pages>(page: Pages[V], { lang, brand }: Variant): Pages[V] {
  const { layout } = page;
  const branded = { ...page, layout: { ...layout, brand: { ...layout.brand, ...brand } } };
  if (lang === undefined || lang === 'en' || layout.lang !== 'en') return branded;
  const { layout: translated, ...rest } = translate(branded, translationsTo(lang)) as Pages[V];
  return { ...rest, layout: { ...translated, lang, dir: direction(lang) } } as Pages[V];
}

function translate(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return texts.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => translate(item, texts));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, translate(part, texts)]),
  );
  const isEnglish =
    'text' in value && 'lang' in value && value.lang === undefined && value.text === inner['text'];
  return isEnglish ? { ...inner, lang: 'en', dir: 'ltr' } : inner;
}

/** English text → the same in that language. */
function translationsTo(lang: string): ReadonlyMap<string, string> {
  const translated = new Map(textsOf(catalogues[lang] ?? {}));
  return new Map(
    textsOf(catalogues['en'] ?? {}).flatMap(([key, english]) => {
      const text = translated.get(key);
      return text === undefined ? [] : [[english, text] as const];
    }),
  );
}

/** In the order of the catalogue. A key begins with a point. */
export function textsOf(messages: object, path = ''): (readonly [key: string, text: string])[] {
  return Object.entries(messages).flatMap(([name, text]) =>
    typeof text === 'string'
      ? [[`${path}.${name}`, text] as const]
      : textsOf(Object(text), `${path}.${name}`),
  );
}
