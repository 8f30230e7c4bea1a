/**
 * RFC 4180 with CRLF and a byte order mark, so that spreadsheets read it as UTF-8. A cell that a spreadsheet would
 * take for a formula gets an apostrophe in front (OWASP, CSV injection).
 */
export function toCsv(rows: readonly (readonly (string | number | undefined)[])[]): string {
  return `\ufeff${rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')}`;
}

function csvCell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  // Also behind blanks and the wide forms that some spreadsheets accept.
  const tame = /^[\s\u00a0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(value)
    ? `'${value}`
    : value;
  return /[",\r\n;\t']|^\s|\s$/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame;
}
