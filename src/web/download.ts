import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { type CsvRows, toCsv, toCsvRows } from '../pages/csv.ts';

/** A table as a file. `name` says what it holds, never whose it is. */
export function sendCsv(response: Response, name: string, rows: CsvRows): void {
  announce(response, `${name}.csv`, 'text/csv');
  response.end(toCsv(rows));
}

/** A table of any length, part by part. A fault before the first part is an error page; a later one ends the download. */
export async function streamCsv(
  response: Response,
  name: string,
  table: { readonly columns: readonly string[]; readonly parts: AsyncGenerator<CsvRows> },
): Promise<void> {
  const first = await table.parts.next();
  announce(response, `${name}.csv`, 'text/csv');
  async function* written() {
    yield toCsv([table.columns, ...(first.done === true ? [] : first.value)]);
    for await (const rows of table.parts) yield toCsvRows(rows);
  }
  await pipeline(Readable.from(written()), response);
}

/** The same as JSON Lines, without members that are undefined. */
export async function streamLines(
  response: Response,
  name: string,
  { columns, parts }: Parameters<typeof streamCsv>[2],
): Promise<void> {
  const first = await parts.next();
  announce(response, `${name}.jsonl`, 'application/jsonl');
  const linesOf = (rows: CsvRows) =>
    rows
      .map((row) => `${JSON.stringify(Object.fromEntries(columns.map((column, at) => [column, row[at]])))}\n`)
      .join('');
  async function* written() {
    if (first.done !== true) yield linesOf(first.value);
    for await (const rows of parts) yield linesOf(rows);
  }
  await pipeline(Readable.from(written()), response);
}

function announce(response: Response, name: string, type: string): void {
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.setHeader('Content-Disposition', `attachment; filename="${name.replaceAll(/[^\w.-]/g, '-')}"`);
}
