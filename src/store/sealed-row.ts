import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Seal } from '../ports/seal.ts';

/** Marks what is sealed for its row; a seal never makes a token with a dot. */
const mark = 'row.';

interface Where {
  readonly purpose: string;
  readonly row: string;
}

/** Sealed so that it opens in this row alone: what is moved into another one says nothing there. */
export function sealRow(seal: Seal, where: Where, value: unknown): string {
  return mark + seal.seal(where, value);
}

/** undefined for what was sealed for another row, or for none. */
export function openRow(seal: Seal, where: Where, sealed: unknown): unknown {
  if (typeof sealed !== 'string' || !sealed.startsWith(mark)) return undefined;
  return seal.open(where, sealed.slice(mark.length));
}

/** What is usual in evidence, the most usual last: it costs next to nothing then. A change of it is another layout. */
const dictionary = Buffer.from(
  [
    '"linkMadeBy":{"id":"staff-","name":"","onBehalf":{"staff":"","reason":"","isObjection":true,',
    '"by":"undone","by":"center","withdrawn-elsewhere","reworded","unconfirmed","in-doubt","waiting","locked"',
    '"aftermath":"watched","what":"data-element","change":"typed","what":"language","change":"language",',
    '"topicsOn":[["topicsOff":[["optionsOn":[["optionsOff":[["change":"adjust","change":"reduce","state":"failed"',
    '"outcome":"not-saved","outcome":"unchanged","from":"waiting","from":"on-by-default","template":"original"',
    '"template":"multipage","salt":"","subject":"@example.org","shown":{"by":"form","at":17,"words":"","language":"en',
    '","template":"enhanced","page":"","changes":[],"sentAt":17,"endedAt":17,"state":"done","items":[',
    '{"what":"purpose","id":"-4","change":"off","version":1,"from":"on"},',
    '{"what":"purpose","id":"-4","change":"on","version":1,"from":"off","outcome":"saved","receipt":"-4"}]}',
  ].join(''),
);

/** The same, shorter: for what is kept for years. */
export function sealPacked(seal: Seal, where: Where, value: unknown): string {
  const packed = deflateRawSync(JSON.stringify(value), {
    dictionary,
    windowBits: 12,
    memLevel: 6,
    chunkSize: 1_024,
  });
  return mark + seal.sealBytes(where, packed);
}

export function openPacked(seal: Seal, where: Where, sealed: unknown): unknown {
  if (typeof sealed !== 'string' || !sealed.startsWith(mark)) return undefined;
  const packed = seal.openBytes(where, sealed.slice(mark.length));
  return packed && JSON.parse(inflateRawSync(packed, { dictionary }).toString());
}
