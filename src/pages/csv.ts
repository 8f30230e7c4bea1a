import { withoutFormulas } from '../core/model/formula.ts';

type CsvRows = readonly (readonly (string | number | undefined)[])[];

/**
 * A CSV file after RFC 4180, with CRLF and a byte order mark, so that spreadsheets read it as UTF-8. Formulas
 * are disabled; line breaks and tabs become blanks.
 */
export function toCsv(rows: CsvRows): string {
  return `\ufeff${toCsvRows(rows)}`;
}

/** Further rows of the same table. */
export function toCsvRows(rows: CsvRows): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const tame = withoutFormulas(value.replaceAll(breaks, ' '));
  return /[",;']|^\s|\s$/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame;
}

/** Characters that may begin another row or cell, whatever the separator of the spreadsheet. */
const breaks = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g;
