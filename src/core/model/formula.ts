/**
 * Puts an apostrophe before text that a spreadsheet would calculate (OWASP, CSV injection). Such text begins
 * at the start of a cell, or after a semicolon, a tab or a line break, which start a cell if the spreadsheet
 * splits by that character. Blanks, quotes and invisible characters may stand before it, and some
 * spreadsheets accept wide forms of the sign.
 */
export function withoutFormulas(text: string): string {
  const tame = text.replaceAll(formulas, "$&'");
  return /^[\t\n\v\f\r\u0085\u2028\u2029]/.test(tame) ? `'${tame}` : tame;
}

const formulas =
  /(?:^|[;\t\n\v\f\r\u0085\u2028\u2029])(?=[[\s\p{C}"']--[\t\n\v\f\r\u0085\u2028\u2029]]*[=+\-@\uff1d\uff0b\uff0d\uff20])/gv;
