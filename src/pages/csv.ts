import { withoutFormulas } from '../core/model/formula.ts';

type CsvRows = readonly (readonly (string | number | undefined)[])[];

/**
 * RFC 4180 with CRLF and a byte order mark, so that spreadsheets read it as UTF-8. Without formulas; line breaks and
 * tabs become blanks.
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
  const tame = withoutFormulas(value.replaceAll(breaks, ' '));
  return /[",;']|^\s|\s$/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame;
}

/** What may begin another row or cell, whatever separates cells there. */
const breaks = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g;
