export type CsvRows = readonly (readonly (string | number | undefined)[])[];

/**
 * RFC 4180 with CRLF and a byte order mark, so that spreadsheets read it as UTF-8. What a spreadsheet would take for a
 * formula gets an apostrophe in front (OWASP, CSV injection), also where its list separator is the semicolon. Line
 * breaks and tabs become blanks.
 */
export function toCsv(rows: CsvRows): string {
  return `\ufeff${toCsvRows(rows)}`;
}

/** More rows of the same table. */
export function toCsvRows(rows: CsvRows): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const tame = value.replaceAll(breaks, ' ').replaceAll(formulas, "$1'");
  return /[",;']|^\s|\s$/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame;
}

/** What may begin another row or cell, whatever separates cells there. */
const breaks = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g;

/**
 * Before what would be a formula at the beginning of a cell, or of the next one where the semicolon separates cells.
 * Also behind blanks, quotes and what cannot be seen, and in the wide forms that some spreadsheets accept.
 */
const formulas = /(^|;)(?=[\s\p{C}"']*[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;
