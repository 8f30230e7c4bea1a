import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Seal, SealPurpose } from '../ports/seal.ts';

/** The prefix of a text that is sealed for its row; a token of a seal never has a dot. */
const mark = 'row.';

type Where = Exclude<SealPurpose, string>;

/** Seals values of one purpose, each for its row: a value that is moved to another row does not open. */
export function rowSeal<Value>(purpose: string) {
  return {
    seal: (seal: Seal, row: string, value: Value) => mark + seal.seal({ purpose, row }, value),
    /** undefined if no key opens the text, or it was sealed for another row, or for none. */
    open(seal: Seal, row: string, sealed: unknown): Value | undefined {
      if (typeof sealed !== 'string' || !sealed.startsWith(mark)) return undefined;
      return seal.open({ purpose, row }, sealed.slice(mark.length)) as Value | undefined;
    },
  };
}

/**
 * Precedes the place of a GUID, a character that counts from the next one on: JSON has no such characters.
 */
const guidMark = '\u0001';
const firstPlace = 2;
const [first, second] = [`"${guidMark}\u0002"`, `"${guidMark}\u0003"`];

/**
 * Texts that are frequent in evidence, the most frequent last: compressed, they cost next to nothing. Kept
 * evidence opens with the same dictionary alone.
 */
const dictionary = Buffer.from(
  [
    '"linkMadeBy":{"id":"staff-","name":"","onBehalf":{"staff":"","reason":"","isObjection":true,',
    '"by":"undone","by":"center","withdrawn-elsewhere","reworded","unconfirmed","in-doubt","waiting","locked"',
    '"aftermath":"watched","what":"data-element","change":"typed","what":"language","change":"language",',
    '"topicsOn":[["topicsOff":[["optionsOn":[["optionsOff":[["change":"adjust","change":"reduce","state":"failed"',
    '"outcome":"not-saved","outcome":"unchanged","from":"waiting","from":"on-by-default","template":"original"',
    '"template":"multipage","},{"salt":"","state":"done","endedAt":17","items":[{"what":"purpose",',
    `"id":${first},"change":"off","outcome":"saved","receipt":${second}}],"sentAt":17`,
    '{"salt":"","subject":"@example.org","shown":{"by":"form","at":17,"words":"","language":"en",',
    `"page":${first},"template":"enhanced"},"changes":[{"what":"purpose","id":${second},"change":"off","version":1,`,
    `"from":"on"}]},"change":"on","version":1,"from":"off"}]}"change":"on","outcome":"saved","receipt":${second}}]`,
  ].join(''),
);

const guid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const guidBytes = 16;
const mostGuids = 255;

/**
 * Seals evidence, compressed, since it is kept for years. GUIDs, which do not compress, come first, as bytes.
 */
export function sealPacked(seal: Seal, where: Where, value: unknown): Uint8Array {
  const json = JSON.stringify(value);
  const guids = [...new Set(json.match(guid))].slice(0, mostGuids);
  const text = json.replaceAll(guid, (each) => {
    const place = guids.indexOf(each);
    return place < 0 ? each : guidMark + String.fromCharCode(place + firstPlace);
  });
  const head = Buffer.from(guids.join('').replaceAll('-', ''), 'hex');
  const packed = deflateRawSync(text, { dictionary, windowBits: 12, memLevel: 6, chunkSize: 1_024 });
  const sealed = seal.sealBytes(where, Buffer.concat([Buffer.of(guids.length), head, packed]));
  return Buffer.from(sealed, 'base64url');
}

export function openPacked(seal: Seal, where: Where, sealed: unknown): unknown {
  if (!(sealed instanceof Uint8Array)) return undefined;
  const opened = seal.openBytes(where, Buffer.from(sealed).toString('base64url'));
  if (opened === undefined) return undefined;
  const [count = 0] = opened;
  const head = 1 + count * guidBytes;
  const hex = Buffer.from(opened.subarray(1, head)).toString('hex');
  const guids = (hex.match(/.{32}/g) ?? []).map((each) =>
    each.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  );
  const text = inflateRawSync(opened.subarray(head), { dictionary }).toString();
  const [start = '', ...parts] = text.split(guidMark);
  return JSON.parse(
    start + parts.map((part) => (guids[part.charCodeAt(0) - firstPlace] ?? '') + part.slice(1)).join(''),
  );
}
