/**
 * What a spreadsheet would work out (OWASP, CSV injection) gets an apostrophe in front: at the beginning of a cell, and
 * where it begins one if the separator is the semicolon or the tab, for then a quote in the middle of a line quotes
 * nothing, and a line break in a cell begins a row. Also behind blanks, quotes and what cannot be seen, and in the wide
 * forms that some accept.
 */
export function withoutFormulas(text: string): string {
  const tame = text.replaceAll(formulas, "$&'");
  return /^[\t\n\v\f\r\u0085\u2028\u2029]/.test(tame) ? `'${tame}` : tame;
}

const formulas =
  /(?:^|[;\t\n\v\f\r\u0085\u2028\u2029])(?=[[\s\p{C}"']--[\t\n\v\f\r\u0085\u2028\u2029]]*[=+\-@\uff1d\uff0b\uff0d\uff20])/gv;
