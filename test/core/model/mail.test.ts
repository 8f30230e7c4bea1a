import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { unbranded } from '../../../src/core/model/center/brand.ts';
import { asMailAddress, readTypedAddress } from '../../../src/core/model/person/mail-address.ts';
import { readSubjectId } from '../../../src/core/model/person/subject.ts';
import { builtIn } from '../../../src/i18n/catalogue.ts';
import { plainBrand } from '../../../src/pages/layout.ts';
import { buildSignInMail, buildStaffLinkMail, type Message } from '../../../src/pages/mail.ts';

const brand = plainBrand('Harbour Books');
const code = '042317';
const href = 'https://preferences.example.org/centers/x/sign-in/link?lang=fr&k=abc';

suite('The message with a link to sign in', () => {
  const about = { brand, colours: undefined, href };
  const messages: readonly (readonly [what: string, (language: string) => Message, life: RegExp])[] = [
    ['a passcode', (language) => buildSignInMail({ ...about, language, code, minutes: 10 }), /10|١٠/],
    ['no passcode, by staff', (language) => buildStaffLinkMail({ ...about, language, days: 7 }), /7|٧/],
  ];
  for (const [what, build, life] of messages)
    for (const language of builtIn.languages)
      test(`has its link and ${what} in ${language}, its brand, and no open placeholder`, () => {
        const { subject, text, page } = build(language);
        assert.match(subject, /Harbour Books/);
        assert.doesNotMatch(subject, /[\u2066-\u2069\r\n]/);
        const lines = text.split('\n');
        assert.ok(lines.includes(href), 'the link stands on a line of its own');
        assert.equal(lines.includes(code), what === 'a passcode');
        assert.equal(page.passcode === undefined, what !== 'a passcode');
        const said = [subject, text, page.preview, page.text, ...page.lines].join('\n');
        assert.doesNotMatch(said, /\{\w+\}|undefined/);
        assert.match(page.lines.join(), life, 'how long it is good for');
        const dir = ['ar', 'he'].includes(language) ? 'rtl' : 'ltr';
        assert.deepEqual([page.layout.lang, page.layout.dir, page.layout.who], [language, dir, undefined]);
      });

  test('has the colours of the brand, and its logo only over https', () => {
    const colours = { ...unbranded, name: 'Bank', accent: '#0b6b3a' };
    const build = (logoUrl: string) =>
      buildSignInMail({ language: 'en', brand: { ...brand, logoUrl }, colours, href, code: '1', minutes: 10 })
        .page;
    assert.deepEqual(build('/logo.svg').colours, { accent: '#0b6b3a', onAccent: '#ffffff' });
    assert.equal(build('/logo.svg').layout.brand.logoUrl, undefined);
    assert.equal(build('https://cdn.example/l.png').layout.brand.logoUrl, 'https://cdn.example/l.png');
  });
});

suite('An address', () => {
  const typed: Readonly<Record<string, string | undefined>> = {
    'anna@example.org': 'anna@example.org',
    ' Anna@Example.ORG ': 'anna@example.org',
    "o'neil+news@sub.example.co.uk": "o'neil+news@sub.example.co.uk",
    'müller@bücher.example': 'müller@bücher.example',
    anna: undefined,
    'anna@': undefined,
    '@example.org': undefined,
    'anna@example': undefined,
    'a@b.example,c@d.example': undefined,
    'a@b.example c@d.example': undefined,
    'a@b.example\nBcc: c@d.example': undefined,
    'Anna <a@b.example>': undefined,
    'a@b@c.example': undefined,
    'a@b..example': undefined,
    '"a b"@c.example': undefined,
    'a\u202eb@c.example': undefined,
    '\u00a0anna@example.org\u3000': 'anna@example.org',
    'J\u00dcrgen@example.org': 'j\u00fcrgen@example.org',
    '\u212aate@example.org': undefined,
    'ju\u0308rgen@example.org': undefined,
    'anna@example.org\u200b': undefined,
    '': undefined,
  };
  for (const [text, address] of Object.entries(typed)) {
    test(`typed as ${JSON.stringify(text)} is ${address ?? 'none'}`, () => {
      assert.equal(readTypedAddress(text), address);
    });
  }

  test('of an identifier is the unchanged identifier', () => {
    const exact = readSubjectId('Anna@Example.org');
    const number = readSubjectId('customer-4711');
    assert.ok(exact && number);
    assert.equal(asMailAddress(exact), 'Anna@Example.org');
    assert.equal(asMailAddress(number), undefined);
    assert.equal(readTypedAddress(`${'a'.repeat(65)}@example.org`), undefined);
    assert.equal(readTypedAddress(['a@b.example']), undefined);
  });
});
