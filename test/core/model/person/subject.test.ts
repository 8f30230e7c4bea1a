import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { maskIdentifier, readSubjectId, sealedSubjectId } from '../../../../src/core/model/person/subject.ts';

/** Characters that look like a blank or are invisible. */
const blanks = [
  ...' \t\n\u0085\u00a0\u00ad\u034f\u115f\u1680\u180e\u2003\u200b\u200c\u200d\u2028\u202f',
  ...'\u2060\u2800\u3000\u3164\ufe0f\ufeff\uffa0\u{e0020}',
];

describe('An identifier', () => {
  it('is taken as it is, to the byte', () => {
    const taken = [
      ...['anna@example.org', 'Anna@Example.ORG', 'a b', 'a\u00a0b', '\u00c5ngstr\u00f6m', 'K', '\ufb01ne'],
      ...['\uff21', 'me\u200cat', '%20', '0', '\u{1f600}', 'x'.repeat(512), '\u00e9'.repeat(256)],
    ];
    for (const text of taken) assert.equal(readSubjectId(text), text, JSON.stringify(text));
  });

  it('is refused where it is written in a form that others could share', () => {
    const refused = [
      '\u212a',
      'k\u212aa@example.org',
      '\u212b',
      'e\u0301va',
      'a\u0327\u0301',
      '\u2126',
      '\uf900',
    ];
    for (const text of refused) assert.equal(readSubjectId(text), undefined, JSON.stringify(text));
  });

  for (const blank of blanks) {
    it(`is refused with U+${blank.codePointAt(0)?.toString(16)} at either end, and nothing is cut off`, () => {
      for (const text of [`${blank}anna`, `anna${blank}`, blank, `${blank}anna${blank}`]) {
        assert.equal(readSubjectId(text), undefined);
      }
    });
  }

  it('is refused when it is no text, too long, or holds what writes over other text', () => {
    const refused = [
      ...[undefined, null, 7, ['anna'], '', 'x'.repeat(513), '\u00e9'.repeat(257)],
      ...['\ud800', 'a\u0000b', 'a\u202eb', 'a\u2066b', 'a\ufeffb', 'a\u2028b'],
    ];
    for (const value of refused) assert.equal(readSubjectId(value), undefined, JSON.stringify(value));
  });

  it('that an earlier version sealed is opened as it was sealed', () => {
    assert.equal(sealedSubjectId('anna\u200b'), 'anna\u200b');
    assert.equal(sealedSubjectId('anna'), 'anna');
    for (const value of ['', undefined, 7, '\ud800']) assert.equal(sealedSubjectId(value), undefined);
  });

  it('is masked to its ends', () => {
    const masks = { 'anna@example.org': 'a•••@example.org', 'c-1001': 'c•••1', abc: '•••', '@x': '•••' };
    for (const [text, mask] of Object.entries(masks)) {
      const id = readSubjectId(text);
      assert.ok(id !== undefined);
      assert.equal(maskIdentifier(id), mask);
    }
  });
});
