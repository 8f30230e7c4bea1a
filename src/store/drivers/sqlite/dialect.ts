import { batchRows, type Dialect, writing } from '../../sql.ts';

export const sqliteDialect: Dialect = {
  isIn: (column, name) => `${column} IN (SELECT value FROM json_each(:${name}))`,
  deleteSome: (table, column, only = 'true') =>
    writing(
      `DELETE FROM ${table} WHERE rowid IN
         (SELECT rowid FROM ${table} WHERE ${column} < :before AND ${only} ORDER BY ${column} LIMIT ${batchRows})`,
    ),
  skipLocked: '',
  position: 'instr',
  whole: 'integer',
  numbered: 'integer PRIMARY KEY AUTOINCREMENT',
  tableEnd: 'STRICT',
};
