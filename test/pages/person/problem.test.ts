import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ProblemCode, problems } from '../../../src/core/model/problem.ts';
import { catalogues } from '../../../src/i18n/catalogue.ts';
import {
  buildProblemPage,
  buildSignedOutPage,
  type ProblemPageInput,
} from '../../../src/pages/person/problem.ts';
import { aCenter } from '../../core/center-builder.ts';
import { pageContext } from '../../core/page-builder.ts';
import { toHtml } from '../to-html.ts';

const codes = Object.keys(problems) as ProblemCode[];

function build(code: ProblemCode, change: Partial<ProblemPageInput> = {}) {
  return buildProblemPage({
    code,
    pageContext,
    center: undefined,
    language: 'en',
    onward: undefined,
    reference: 'abc123',
    retryAfter: undefined,
    ...change,
  });
}

describe('A problem', () => {
  test('has a title, a line or two and its reference, in every language', () => {
    for (const language of Object.keys(catalogues)) {
      for (const code of codes) {
        const page = build(code, { language });
        const lines = page.lines.filter((line) => line.trim() !== '').length;
        assert.ok(page.layout.title && lines > 0 && lines <= 2, `${code} ${language}`);
        assert.equal(page.lines.length, lines);
        assert.equal(page.reference, 'abc123');
      }
    }
  });

  test('has the same title as others that a visitor cannot tell apart', () => {
    const titles = (...same: ProblemCode[]) => new Set(same.map((code) => build(code).layout.title)).size;
    assert.equal(
      titles('platform-refused', 'platform-unreadable', 'platform-denied', 'wrong-subject', 'unexpected'),
      1,
    );
    assert.equal(titles('not-found', 'link-expired', 'link-invalid', 'not-signed-in', 'not-allowed'), 5);
  });

  const waits: readonly [seconds: number, line: string | undefined][] = [
    [0, 'Please try again in one second.'],
    [1.2, 'Please try again in 2 seconds.'],
    [99, 'Please try again in 99 seconds.'],
    [100, 'Please try again in 2 minutes.'],
    [3600, 'Please try again in 60 minutes.'],
  ];
  for (const [seconds, line] of waits) {
    test(`with a retry after ${seconds} s says “${line}”`, () => {
      assert.deepEqual(build('platform-busy', { retryAfter: seconds }).lines, [line]);
      const slow = build('platform-slow', { retryAfter: seconds }).lines;
      assert.deepEqual(slow, ['It’s our fault, not yours.', line]);
      assert.equal(build('link-expired', { retryAfter: seconds }).lines.length, 1);
    });
  }

  test('links onward if there is a link', () => {
    const link = (to: 'choices' | 'again' | 'home') =>
      build('not-found', { onward: { href: '/x', to } }).links;
    assert.deepEqual(link('choices'), [{ href: '/x', label: 'Back to your preferences' }]);
    assert.deepEqual(link('again'), [{ href: '/x', label: 'Try again' }]);
    assert.deepEqual(link('home'), [{ href: '/x', label: 'To the start page' }]);
    assert.deepEqual(build('not-found').links, []);
  });

  test('of a missing session names only the ways in that exist', () => {
    const said = 'Your session has ended, or you haven’t signed in yet.';
    const signIn = { href: '/centers/x/sign-in', to: 'signIn' } as const;
    const site = 'https://www.harbour-books.example';
    const byMail = build('not-signed-in', { onward: signIn, site });
    assert.deepEqual([byMail.lines, byMail.links.map(({ href }) => href)], [[said], ['/centers/x/sign-in']]);
    const fromSite = build('not-signed-in', { site });
    assert.deepEqual(fromSite.lines, [said]);
    assert.deepEqual(fromSite.links, [{ href: site, label: 'www.harbour-books.example' }]);
    const byLink = build('not-signed-in');
    assert.deepEqual([byLink.lines, byLink.links], [[said, 'Open a link in one of our messages.'], []]);
    assert.deepEqual(build('not-found', { site }).links, []);
  });

  test('names each contact of the brand once, and none in a frame', () => {
    const link = (label: string, href: string) => ({ label: { en: label, fr: `${label} (fr)` }, href });
    const brand = {
      ...pageContext.brand,
      headerLinks: [link('Shop', 'https://shop.example/'), link('Mail', 'mailto:help@shop.example')],
      footerLinks: [link('Write', 'mailto:help@shop.example'), link('Call', 'TEL:+442079460000')],
    };
    const contactIn = (language: string, frame: 'top' | 'embedded' = 'top') =>
      build('unexpected', { language, pageContext: { ...pageContext, brand, frame } }).contact;
    const shown = contactIn('en');
    const html = toHtml('errors/problem', { ...build('unexpected'), contact: shown });
    assert.match(html, /<p>Need help\?<\/p>/);
    const links = shown.map(({ label, href }) => `${label.text} ${href}`);
    assert.deepEqual(links, ['Write mailto:help@shop.example', 'Call TEL:+442079460000']);
    assert.equal(contactIn('fr')[0]?.label.text, 'Write (fr)');
    assert.deepEqual(contactIn('en', 'embedded'), []);
    assert.deepEqual(build('unexpected').contact, []);
  });

  test('in a frame leads to the sign-in page outside it, and mentions no message with a link', () => {
    const framed = { ...pageContext, frame: 'embedded' as const };
    const signIn = { href: '/in', to: 'signIn' } as const;
    for (const language of Object.keys(catalogues)) {
      const page = build('link-invalid', { language, pageContext: framed, onward: signIn });
      assert.equal(page.opensOutside, true);
      assert.equal(page.lines.length, 2);
      assert.notEqual(page.lines[0], build('link-invalid', { language }).lines[0]);
    }
    const page = build('link-invalid', { pageContext: framed, onward: signIn });
    assert.deepEqual(page.links, [{ href: '/in', label: 'Open in a new window' }]);
    assert.equal(build('link-invalid', { onward: signIn }).opensOutside, false);
    const again = build('unexpected', { pageContext: framed, onward: { href: '', to: 'again' } });
    assert.equal(again.opensOutside, false);
    const { lines } = build('link-invalid', { pageContext: framed });
    assert.deepEqual(lines, ['This view couldn’t be opened. Please reload the page.']);
  });

  test('of the visitor does not use the words of the center for an error of the product', () => {
    const center = aCenter([], { translations: { en: { GenericErrorMessage: 'Oops.' } } });
    assert.equal(build('not-found', { center }).layout.title, 'This page doesn’t exist');
  });
});

test('The signed-out page links to the sign-in page if the center has one', () => {
  const input = { pageContext, center: undefined, language: 'de', again: undefined };
  assert.equal(buildSignedOutPage(input).layout.title, 'Sie sind abgemeldet');
  assert.deepEqual(buildSignedOutPage(input).links, []);
  assert.deepEqual(buildSignedOutPage({ ...input, again: '/in' }).links, [
    { href: '/in', label: 'Wieder anmelden' },
  ]);
});
