import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildShell } from '../../../src/pages/person/layout.ts';
import { aCenter } from '../../core/center-builder.ts';
import { pageContext } from '../../core/page-builder.ts';

describe('What stands around a page', () => {
  test('says who is there, masked, and the ways on and out, in the page’s language', () => {
    const center = aCenter([], {
      languages: ['en_us', 'fr', 'ar'],
      translations: { fr: { Logout: 'Partir', SessionExpirationTitle: 'Bientôt fini' } },
    });
    const shell = buildShell({ pageContext, center, language: 'fr', title: 'Titre' });
    assert.equal(shell.who, 'a•••@example.org');
    assert.deepEqual(shell.signOut, { action: '/out', token: 'out-token', label: 'Partir' });
    assert.deepEqual(shell.record, { href: '/record', label: 'Mon historique' });
    assert.equal(shell.session?.title, 'Bientôt fini');
    assert.equal(shell.session?.continueLabel, 'Continuer');
    assert.equal(shell.session?.endsIn, 900);
    assert.equal(shell.words.language, 'Langue');
    assert.deepEqual(shell.languages, [
      { tag: 'en-US', name: 'English', dir: 'ltr', href: '?lang=en_us', current: false },
      { tag: 'fr', name: 'Français', dir: 'ltr', href: '?lang=fr', current: true },
      { tag: 'ar', name: 'العربية', dir: 'rtl', href: '?lang=ar', current: false },
    ]);
  });

  test('names a region only where two languages differ by it, and offers no choice of one', () => {
    const names = (...languages: string[]) =>
      buildShell({
        pageContext,
        center: aCenter([], { languages }),
        language: 'en',
        title: '',
      }).languages.map((language) => language.name);
    assert.deepEqual(names('pt-BR', 'en'), ['Português', 'English']);
    assert.deepEqual(names('en-GB', 'en-US'), ['English (United Kingdom)', 'English (United States)']);
    assert.deepEqual(names('en'), []);
  });

  test('lists the pages of a center only to somebody who is let in', () => {
    const pages = ['news', 'offers'].flatMap((id) => aCenter([]).pages.map((page) => ({ ...page, id })));
    const center = aCenter([], { pages });
    const hrefs = (subject: typeof pageContext.subject) =>
      buildShell({
        pageContext: { ...pageContext, subject },
        center,
        language: 'en',
        title: '',
      }).navigation.map((item) => item.href);
    assert.deepEqual(hrefs(pageContext.subject), ['/centers/c/news', '/centers/c/offers']);
    assert.deepEqual(hrefs(undefined), []);
  });

  test('needs no center, no person and no session', () => {
    const nobody = {
      ...pageContext,
      subject: undefined,
      signOut: undefined,
      recordHref: undefined,
      session: undefined,
    };
    const shell = buildShell({ pageContext: nobody, center: undefined, language: 'ar', title: 'T' });
    assert.deepEqual(
      [shell.who, shell.signOut, shell.record, shell.session, shell.place],
      Array(5).fill(undefined),
    );
    assert.deepEqual([shell.lang, shell.dir, shell.navigation, shell.languages], ['ar', 'rtl', [], []]);
  });
});
