import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readHostedLink, readLinkToken } from '../../../../src/core/model/person/hosted-link.ts';

const center = 'b00c5000-0000-4000-8000-000000000001';
const token = 'jNJW2e8vm8eWb6DlWyGbZ/7PsfC+AHFN8JqvZHPGzJQ=';
const plain = token.slice(0, -1);
const escaped = encodeURIComponent(token);

suite('A link of a hosted page', () => {
  const link = { center, token: plain };
  const read: readonly (readonly [string, ReturnType<typeof readHostedLink>])[] = [
    [`#/preferences/multipage/token/${center}/${escaped}`, link],
    [`/preferences/multipage/token/${center.toUpperCase()}/${escaped}`, link],
    [`#!/preferences/multipage/token/${center}/${escaped}`, link],
    [`#/preferences/multipage/token/${center}/${token}`, link],
    [`#/preferences/multipage/token/${center}/${encodeURIComponent(escaped)}`, link],
    [`#/preferences/multipage/token/${center}/${escaped}?utm_source=mail`, link],
    [`#/preferences/multipage/token/${center}/${token.replaceAll('+', ' ')}`, link],
    [`#/preferences/token/${center}/${escaped}`, link],
    [`#/preferences/multipage/login/${center}`, { ...link, token: undefined }],
    [`#/preferences/multipage/login/${center}%20`, { ...link, token: undefined }],
    [`#/preferences/login/${center}?BU=Deco`, { ...link, token: undefined }],
  ];
  for (const [text, expected] of read) {
    test(`is read: ${text}`, () => assert.deepEqual(readHostedLink(text), expected));
  }

  const others: readonly unknown[] = [
    '',
    '#',
    undefined,
    ['#/preferences/login', center],
    `#/preferences/multipage/token/${center}`,
    `#/preferences/multipage/token/${center}/`,
    `#/preferences/multipage/token/${center}/short`,
    `#/preferences/multipage/token/${center}/%E0%A4%A`,
    `#/preferences/multipage/token/${center}/<script>alert(1)</script>`,
    `#/preferences/multipage/token/https:%2F%2Fevil.example/${escaped}`,
    `#/preferences/multipage/login/..%2F..%2Fstaff`,
    `#//evil.example/preferences/login/${center}`,
    `#/dsar/webform/${center}`,
    `#/preferences/multipage/token/${center}/${'a'.repeat(3_000)}`,
  ];
  for (const text of others) {
    test(`is not read from ${JSON.stringify(text)?.slice(0, 90)}`, () =>
      assert.equal(readHostedLink(text), undefined));
  }
});

suite('A link token', () => {
  test('is the same in every notation', () => {
    const forms = [
      token,
      escaped,
      encodeURIComponent(escaped),
      token.replaceAll('+', '-').replaceAll('/', '_'),
    ];
    assert.deepEqual(forms.map(readLinkToken), Array(forms.length).fill(plain));
  });
});
