/**
 * Puts an apostrophe before text that a spreadsheet would calculate (OWASP, CSV injection): at the start of a cell, and
 * after a semicolon, a tab or a line break, which start a cell if the separator is another one. Also behind blanks,
 * quotes and invisible characters, and in the wide forms that some spreadsheets accept.
 */
export function withoutFormulas(text: string): string {
  const tame = text.replaceAll(formulas, "$&'");
  return /^[\t\n\v\f\r\u0085\u2028\u2029]/.test(tame) ? `'${tame}` : tame;
}

const formulas =
  /(?:^|[;\t\n\v\f\r\u0085\u2028\u2029])(?=[[\s\p{C}"']--[\t\n\v\f\r\u0085\u2028\u2029]]*[=+\-@\uff1d\uff0b\uff0d\uff20])/gv;
