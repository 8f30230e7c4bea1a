import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/**
 * Any code point but a surrogate, as a unit of strings. The unit `binary` of fast-check gives the same, but
 * first builds a table of all of them, to map strings back: that takes a second or more.
 */
export const anySign = fc.nat({ max: 0x10ffff - surrogates.count }).map(
  (number) => String.fromCodePoint(number < surrogates.first ? number : number + surrogates.count),
  (sign) => {
    const codePoint = typeof sign === 'string' ? sign.codePointAt(0) : undefined;
    if (codePoint === undefined || sign !== String.fromCodePoint(codePoint)) throw new Error('no sign');
    return codePoint < surrogates.first ? codePoint : codePoint - surrogates.count;
  },
);
