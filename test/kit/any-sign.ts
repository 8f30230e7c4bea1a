import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/**
 * Any code point but half a pair, to make strings of. As fast-check's `binary`, which writes them all into a table
 * first, to find its dangerous words again: a second and more.
 */
export const anySign = fc.nat({ max: 0x10ffff - surrogates.count }).map(
  (number) => String.fromCodePoint(number < surrogates.first ? number : number + surrogates.count),
  (sign) => {
    const codePoint = typeof sign === 'string' ? sign.codePointAt(0) : undefined;
    if (codePoint === undefined || sign !== String.fromCodePoint(codePoint)) throw new Error('no sign');
    return codePoint < surrogates.first ? codePoint : codePoint - surrogates.count;
  },
);
