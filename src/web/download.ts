import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { toCsv, toCsvRows } from '../pages/csv.ts';

/**
 * A table of any length. `columns`: names of the columns, each with a function that gives the value of a row;
 * `parts`: the rows, part by part.
 */
interface Table<Row> {
  readonly columns: Readonly<Record<string, (row: Row) => string | number | undefined>>;
  readonly parts: Parts<Row>;
}

type Parts<Row> = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;

/**
 * Sends a table of any length as a CSV file. `name` names the content, never a person. A fault before the
 * first part shows an error page; a later one ends the download.
 */
export function streamCsv<Row>(
  response: Response,
  name: string,
  { columns, parts }: Table<Row>,
): Promise<void> {
  const readers = Object.values(columns);
  const toText = (rows: readonly Row[]) => toCsvRows(rows.map((row) => readers.map((read) => read(row))));
  const file = { name: `${name}.csv`, type: 'text/csv', head: toCsv([Object.keys(columns)]) };
  return stream(response, file, parts, toText);
}

/** Sends a table as JSON Lines, without members that are undefined. */
export function streamLines<Row>(
  response: Response,
  name: string,
  { columns, parts }: Table<Row>,
): Promise<void> {
  const readers = Object.entries(columns);
  const toLine = (row: Row) =>
    `${JSON.stringify(Object.fromEntries(readers.map(([column, read]) => [column, read(row)])))}\n`;
  const file = { name: `${name}.jsonl`, type: 'application/jsonl', head: '' };
  return stream(response, file, parts, (rows) => rows.map(toLine).join(''));
}

async function stream<Row>(
  response: Response,
  { name, type, head }: { readonly name: string; readonly type: string; readonly head: string },
  parts: Parts<Row>,
  toText: (rows: readonly Row[]) => string,
): Promise<void> {
  async function* textsOf() {
    for await (const rows of parts) yield toText(rows);
  }
  const texts = textsOf();
  const first = await texts.next();
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.setHeader('Content-Disposition', `attachment; filename="${name.replaceAll(/[^\w.-]/g, '-')}"`);
  async function* written() {
    yield head + (first.value ?? '');
    yield* texts;
  }
  await pipeline(Readable.from(written()), response);
}
