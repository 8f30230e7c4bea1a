import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readHostedLink, readLinkToken } from '../../../../src/core/model/person/hosted-link.ts';

const center = 'b00c5000-0000-4000-8000-000000000001';
const token = 'jNJW2e8vm8eWb6DlWyGbZ/7PsfC+AHFN8JqvZHPGzJQ=';
const plain = token.slice(0, -1);
const escaped = encodeURIComponent(token);

suite('A link of a hosted page', () => {
  const multi = { family: 'multi-page', center, token: plain } as const;
  const read: readonly (readonly [string, ReturnType<typeof readHostedLink>])[] = [
    [`#/preferences/multipage/token/${center}/${escaped}`, multi],
    [`/preferences/multipage/token/${center.toUpperCase()}/${escaped}`, multi],
    [`#!/preferences/multipage/token/${center}/${escaped}`, multi],
    [`#/preferences/multipage/token/${center}/${token}`, multi],
    [`#/preferences/multipage/token/${center}/${encodeURIComponent(escaped)}`, multi],
    [`#/preferences/multipage/token/${center}/${escaped}?utm_source=mail`, multi],
    [`#/preferences/multipage/token/${center}/${token.replaceAll('+', ' ')}`, multi],
    [`#/preferences/token/${center}/${escaped}`, { ...multi, family: 'single-page' }],
    [`#/preferences/multipage/login/${center}`, { ...multi, token: undefined }],
    [`#/preferences/multipage/login/${center}%20`, { ...multi, token: undefined }],
    [`#/preferences/login/${center}?BU=Deco`, { family: 'single-page', center, token: undefined }],
  ];
  for (const [text, link] of read) {
    test(`is read: ${text}.`, () => assert.deepEqual(readHostedLink(text), link));
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
    test(`is not read from ${JSON.stringify(text)?.slice(0, 90)}.`, () =>
      assert.equal(readHostedLink(text), undefined));
  }
});

suite('A link token', () => {
  test('is the same however it is written.', () => {
    const forms = [
      token,
      escaped,
      encodeURIComponent(escaped),
      token.replaceAll('+', '-').replaceAll('/', '_'),
    ];
    assert.deepEqual(forms.map(readLinkToken), Array(forms.length).fill(plain));
  });
});
