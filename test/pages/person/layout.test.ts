import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildLayout } from '../../../src/pages/person/layout.ts';
import { aCenter } from '../../core/center-builder.ts';
import { pageContext } from '../../core/page-builder.ts';

const layoutOf = (change: Partial<Parameters<typeof buildLayout>[0]>) =>
  buildLayout({ pageContext, center: undefined, language: 'en', title: 'Title', ...change });

describe('The layout of a page', () => {
  test('has the masked visitor and the links onward and out, in the page’s language', () => {
    const center = aCenter([], {
      languages: ['en_us', 'fr', 'ar'],
      translations: { fr: { Logout: 'Partir', SessionExpirationTitle: 'Bientôt fini' } },
    });
    const layout = layoutOf({ center, language: 'fr' });
    assert.equal(layout.who, 'a•••@example.org');
    assert.deepEqual(layout.signOut, { action: '/out', token: 'out-token', label: 'Partir' });
    assert.deepEqual(layout.record, { href: '/record', label: 'Mon historique' });
    const { title, continueLabel, endsIn } = layout.session ?? {};
    assert.deepEqual([title, continueLabel, endsIn], ['Bientôt fini', 'Continuer', 900]);
    assert.equal(layout.languageLabel, 'Langue');
    assert.deepEqual(layout.languages, [
      { lang: 'en-US', name: 'English', dir: 'ltr', href: '?lang=en_us', current: false },
      { lang: 'fr', name: 'Français', dir: 'ltr', href: '?lang=fr', current: true },
      { lang: 'ar', name: 'العربية', dir: 'rtl', href: '?lang=ar', current: false },
    ]);
  });

  test('names a region only if two languages differ by it, and offers no choice of one language', () => {
    const names = (...languages: string[]) =>
      layoutOf({ center: aCenter([], { languages }) }).languages.map(({ name }) => name);
    assert.deepEqual(names('pt-BR', 'en'), ['Português', 'English']);
    assert.deepEqual(names('en-GB', 'en-US'), ['English (United Kingdom)', 'English (United States)']);
    assert.deepEqual(names('en'), []);
  });

  test('lists the pages of a center only for a signed-in visitor', () => {
    const pages = ['news', 'offers'].flatMap((id) => aCenter([]).pages.map((page) => ({ ...page, id })));
    const center = aCenter([], { pages });
    const hrefs = (subject: typeof pageContext.subject) =>
      layoutOf({ pageContext: { ...pageContext, subject }, center }).navigation.map(({ href }) => href);
    assert.deepEqual(hrefs(pageContext.subject), ['/centers/c/news', '/centers/c/offers']);
    assert.deepEqual(hrefs(undefined), []);
  });

  test('needs no center, no person and no session', () => {
    const nothing = { subject: undefined, signOut: undefined, recordHref: undefined, session: undefined };
    const layout = layoutOf({ pageContext: { ...pageContext, ...nothing }, language: 'ar' });
    assert.deepEqual(
      [layout.who, layout.signOut, layout.record, layout.session, layout.place],
      Array(5).fill(undefined),
    );
    assert.deepEqual([layout.lang, layout.dir, layout.navigation, layout.languages], ['ar', 'rtl', [], []]);
  });
});

test('The links of a brand are in the page’s language, else in their first, and not in a frame', () => {
  const brand = {
    ...pageContext.brand,
    headerLinks: [{ label: { en: 'Shop', fr: 'Boutique' }, href: 'https://shop.example/' }],
    footerLinks: [{ label: { '': 'Harbour' }, href: 'https://harbour.example/' }],
  };
  const linksIn = (language: string, frame: 'top' | 'embedded' = 'top') =>
    layoutOf({ pageContext: { ...pageContext, brand, frame }, language }).brandLinks;
  assert.deepEqual(linksIn('fr-CA').header, [
    { label: { text: 'Boutique', lang: 'fr', dir: 'ltr' }, href: 'https://shop.example/' },
  ]);
  assert.deepEqual(linksIn('en').header[0]?.label, { text: 'Shop' });
  assert.deepEqual(linksIn('ar').header[0]?.label, { text: 'Shop', lang: 'en', dir: 'ltr' });
  assert.deepEqual(linksIn('ar').footer[0]?.label, { text: 'Harbour' });
  assert.deepEqual(linksIn('en', 'embedded'), { header: [], footer: [] });
});
