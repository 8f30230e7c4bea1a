import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asMailAddress, readTypedAddress } from '../../../src/core/model/person/mail-address.ts';
import { readSubjectId } from '../../../src/core/model/person/subject.ts';
import { builtIn } from '../../../src/i18n/catalogue.ts';
import { plainBrand } from '../../../src/pages/layout.ts';
import { buildSignInMail, buildStaffLinkMail } from '../../../src/pages/mail/sign-in.ts';

const brand = plainBrand('Harbour Books');
const href = 'https://preferences.example.org/centers/x/sign-in/link?lang=fr&k=abc';

suite('The message that lets somebody in', () => {
  for (const language of builtIn.languages) {
    test(`has link, passcode and brand in ${language}, and no place left open.`, () => {
      const mail = buildSignInMail({
        language,
        brand,
        colours: undefined,
        href,
        code: '042317',
        minutes: 10,
      });
      assert.match(mail.subject, /Harbour Books/);
      assert.doesNotMatch(mail.subject, /[\u2066-\u2069\r\n]/);
      assert.ok(mail.text.split('\n').includes(href), 'the link stands on a line of its own');
      assert.ok(mail.text.split('\n').includes('042317'));
      const said = [mail.subject, mail.text, mail.page.preview, mail.page.text, ...mail.page.lines].join(
        '\n',
      );
      assert.doesNotMatch(said, /\{\w+\}|undefined/);
      assert.ok(/10|١٠/.test(mail.page.lines.join()), 'how long it is good for');
      assert.equal(mail.page.layout.lang, language);
      assert.equal(mail.page.layout.dir, ['ar', 'he'].includes(language) ? 'rtl' : 'ltr');
      assert.equal(mail.page.layout.who, undefined);
    });
  }

  for (const language of builtIn.languages) {
    test(`is sent for staff without a passcode in ${language}.`, () => {
      const mail = buildStaffLinkMail({ language, brand, colours: undefined, href, days: 7 });
      assert.ok(mail.text.split('\n').includes(href));
      assert.equal(mail.page.passcode, undefined);
      const said = [mail.subject, mail.text, mail.page.preview, mail.page.text, ...mail.page.lines].join();
      assert.doesNotMatch(said, /\{\w+\}|undefined/);
      assert.ok(/7|٧/.test(mail.page.lines.join()), 'how long it is good for');
    });
  }

  test('has the colours of the brand, and its logo only from https.', () => {
    const colours = {
      name: 'Bank',
      logoUrl: undefined,
      accent: '#0b6b3a',
      accentDark: undefined,
      radius: undefined,
      font: undefined,
      scheme: 'auto',
      stylesheetUrl: undefined,
      iconHref: undefined,
      showsName: true,
      headerLinks: [],
      footerLinks: [],
    } as const;
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
  };
  for (const [text, address] of Object.entries(typed)) {
    test(`typed as ${JSON.stringify(text)} is ${address ?? 'none'}.`, () => {
      assert.equal(readTypedAddress(text), address);
    });
  }

  test('of an identifier is the identifier as it is.', () => {
    const exact = readSubjectId('Anna@Example.org');
    const number = readSubjectId('customer-4711');
    assert.ok(exact && number);
    assert.equal(asMailAddress(exact), 'Anna@Example.org');
    assert.equal(asMailAddress(number), undefined);
    assert.equal(readTypedAddress(`${'a'.repeat(65)}@example.org`), undefined);
    assert.equal(readTypedAddress(['a@b.example']), undefined);
  });
});
