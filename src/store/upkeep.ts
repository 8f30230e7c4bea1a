import type { Maintained } from '../ports/maintained.ts';
import type { Sql } from './sql.ts';

/** What all stores over one database do alike. */
export function upkeep({ emptyLog, check }: Sql): Pick<Maintained, 'emptyLog' | 'check'> {
  return { emptyLog, check };
}
