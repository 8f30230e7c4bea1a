import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createIdentifiers, type IdentifierEncoding } from '../../src/core/model/person/identifiers.ts';
import { readSubjectId } from '../../src/core/model/person/subject.ts';
import { Problem } from '../../src/core/model/problem.ts';
import { headerOf } from '../../src/upstream/identifier.ts';
import { times } from '../chaos/dice.ts';
import { anySign } from '../kit/any-sign.ts';
import { singlePageId } from './recorded.ts';
import { openPlatform } from './scripted-platform.ts';

const encodings: readonly IdentifierEncoding[] = ['refuse', 'utf-8', 'percent'];
const runs = times(1_000, 100_000);
const overTheWire = times(100, 5_000);

/** Decoders of a server with each encoding. */
const decoders: Readonly<Record<IdentifierEncoding, (header: string) => string>> = {
  refuse: (header) => header,
  'utf-8': (header) =>
    new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(header, (c) => c.charCodeAt(0))),
  // Some servers read a plus as a blank.
  percent: (header) => decodeURIComponent(header.replaceAll('+', ' ')),
};

const ascii = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;
const forms: Readonly<Record<IdentifierEncoding, RegExp>> = {
  refuse: ascii,
  'utf-8': /^[\x21-\x7e\x80-\xff]([\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/,
  percent: ascii,
};

const odd = fc.oneof(
  fc.string({ unit: anySign, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
  fc.array(fc.constantFrom('%20', 'e\u0301', ...'%+ é@\u00a0\u3000ß😀",\\=a')).map((parts) => parts.join('')),
  fc.emailAddress(),
);

describe('an identifier in a header', () => {
  for (const encoding of encodings) {
    it(`a header is exact or refused with ${encoding}, and no two people share one`, () => {
      const owners = new Map<string, string>();
      let sent = 0;
      fc.assert(
        fc.property(odd, (text) => {
          const subject = readSubjectId(text);
          const comesIn = createIdentifiers(encoding).read(text);
          if (subject === undefined) return assert.equal(comesIn, undefined);
          assert.equal(subject, text);
          let header: string;
          try {
            header = headerOf(subject, encoding);
          } catch (fault) {
            assert.ok(fault instanceof Problem && fault.code === 'identifier-refused', String(fault));
            assert.ok(encoding === 'refuse' && /[^\x20-\x7e]/.test(subject), 'the refusal has no reason');
            assert.equal(comesIn, undefined, 'an identifier that cannot be sent is not read either');
            return;
          }
          assert.equal(comesIn, subject);
          sent += 1;
          assert.match(header, forms[encoding]);
          assert.equal(decoders[encoding](header), subject);
          assert.equal(owners.get(header) ?? subject, subject);
          owners.set(header, subject);
        }),
        { numRuns: runs },
      );
      assert.ok(sent > runs / 10, `${sent} were sent`);
    });
  }

  it('an identifier reaches the platform byte for byte', async () => {
    for (const encoding of encodings) {
      let arrived: unknown;
      await using parts = await openPlatform(undefined, {
        answer: ({ headers }) => {
          arrived = headers['identifier'];
          return { body: { Purposes: [] } };
        },
        options: { identifierEncoding: encoding },
      });
      await fc.assert(
        fc.asyncProperty(odd, async (text) => {
          const subject = readSubjectId(text);
          if (subject === undefined) return;
          const code = await parts.platform.readSubject(singlePageId, subject).then(
            () => 'ok',
            (fault: unknown) => (fault instanceof Problem ? fault.code : String(fault)),
          );
          if (code === 'identifier-refused') return;
          assert.equal(code, 'ok');
          assert.equal(decoders[encoding](String(arrived)), subject);
        }),
        { numRuns: overTheWire },
      );
    }
  });
});
