import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createIdentifiers, type IdentifierEncoding } from '../../src/core/model/person/identifiers.ts';
import { readSubjectId } from '../../src/core/model/person/subject.ts';
import { Problem } from '../../src/core/model/problem.ts';
import { headerOf } from '../../src/upstream/identifier.ts';
import { times } from '../chaos/dice.ts';
import { anySign } from '../kit/any-sign.ts';
import { singlePageId, subjectId } from './recorded.ts';
import { platformAt } from './scripted-platform.ts';

const encodings: readonly IdentifierEncoding[] = ['refuse', 'utf-8', 'percent'];
const runs = times(1_000, 100_000);
const overTheWire = times(100, 5_000);

/** What a server of that encoding makes of the header's bytes. */
const decoders: Readonly<Record<IdentifierEncoding, (header: string) => string>> = {
  refuse: (header) => header,
  'utf-8': (header) =>
    new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(header, (c) => c.charCodeAt(0))),
  percent: (header) => decodeURIComponent(header),
};

const odd = fc.oneof(
  fc.string({ unit: anySign, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        '%',
        '+',
        ' ',
        'é',
        'e\u0301',
        '@',
        '%20',
        '\u00a0',
        '\u3000',
        'ß',
        '😀',
        '"',
        ',',
        '\\',
        '=',
        'a',
      ),
    )
    .map((parts) => parts.join('')),
  fc.emailAddress(),
);

describe('an identifier in a header', () => {
  for (const encoding of encodings) {
    it(`is exact or refused with ${encoding}, and no two people share one`, () => {
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
            assert.ok(encoding === 'refuse' && /[^\x20-\x7e]/.test(subject), 'refused without need');
            assert.equal(comesIn, undefined, 'what cannot be sent does not come in');
            return;
          }
          assert.equal(comesIn, subject);
          sent += 1;
          assert.match(header, /^[\x21-\x7e\x80-\xff]([\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/);
          assert.equal(decoders[encoding](header), subject);
          assert.equal(owners.get(header) ?? subject, subject);
          owners.set(header, subject);
        }),
        { numRuns: runs },
      );
      assert.ok(sent > runs / 10, `${sent} were sent`);
    });
  }

  const cases: readonly { text: string; encoding: IdentifierEncoding; header: string | undefined }[] = [
    { text: 'anna@example.org', encoding: 'refuse', header: 'anna@example.org' },
    { text: 'a b', encoding: 'refuse', header: 'a b' },
    { text: 'zoë', encoding: 'refuse', header: undefined },
    { text: 'zoë', encoding: 'utf-8', header: 'zo\u00c3\u00ab' },
    { text: 'zoë', encoding: 'percent', header: 'zo%C3%AB' },
    { text: 'zo%C3%AB', encoding: 'percent', header: 'zo%25C3%25AB' },
    { text: 'a+b@example.org', encoding: 'percent', header: 'a%2Bb@example.org' },
    { text: 'a+b@example.org', encoding: 'utf-8', header: 'a+b@example.org' },
  ];
  for (const { text, encoding, header } of cases) {
    it(`${text} with ${encoding} is ${header ?? 'refused'}`, () => {
      if (header === undefined)
        assert.throws(() => headerOf(subjectId(text), encoding), { code: 'identifier-refused' });
      else assert.equal(headerOf(subjectId(text), encoding), header);
    });
  }

  it('reaches the platform byte for byte', async () => {
    let arrived: string[] = [];
    const server = createServer((request, response) => {
      arrived = request.headersDistinct['identifier'] ?? [];
      const isToken = request.url?.endsWith('/token') === true;
      request.resume();
      response.end(JSON.stringify(isToken ? { access_token: 't', expires_in: 60 } : { Purposes: [] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    for (const encoding of encodings) {
      const platform = platformAt(`http://127.0.0.1:${address.port}`, { identifierEncoding: encoding });
      await fc.assert(
        fc.asyncProperty(odd, async (text) => {
          const subject = readSubjectId(text);
          if (subject === undefined) return;
          const code = await platform.readSubject(singlePageId, subject).then(
            () => 'ok',
            (fault: unknown) => (fault instanceof Problem ? fault.code : String(fault)),
          );
          if (code === 'identifier-refused') return;
          assert.equal(code, 'ok');
          assert.deepEqual(arrived.map(decoders[encoding]), [subject]);
        }),
        { numRuns: overTheWire },
      );
      await platform.close();
    }
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
