import type { Response } from 'express';
import { toCsv } from '../../pages/staff/csv.ts';

/** A table to be kept: named after what it is, never after a person. */
export function sendCsv(
  response: Response,
  name: string,
  rows: readonly (readonly (string | number | undefined)[])[],
): void {
  response.setHeader('Content-Type', 'text/csv; charset=utf-8');
  response.setHeader('Content-Disposition', `attachment; filename="${name.replaceAll(/[^\w.-]/g, '-')}.csv"`);
  response.end(toCsv(rows));
}
