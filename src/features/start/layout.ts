import type { Layout } from '../../pages/layout.ts';
import type { BrandOf } from '../../web/brand-view.ts';

/** English, like everything that only operators see. */
export function buildOperatorLayout(brandOf: BrandOf, title: string): Layout {
  return {
    lang: 'en',
    dir: 'ltr',
    title,
    place: undefined,
    brand: brandOf(undefined, undefined),
    who: undefined,
    navigation: [],
    languages: [],
    signOut: undefined,
    record: undefined,
    everywhere: undefined,
    brandLinks: { header: [], footer: [] },
    frame: 'top',
    hosts: undefined,
    showsBrand: true,
    words: {
      skip: 'Skip to the content',
      language: 'Language',
      pages: 'Pages',
      change: 'Change',
      colon: ': ',
    },
    session: undefined,
  };
}
