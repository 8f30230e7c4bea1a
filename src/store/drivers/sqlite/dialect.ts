import type { Counter, Dialect } from '../../dialect.ts';
import { batchRows } from '../../sql.ts';

export const sqliteDialect: Dialect = {
  isIn: (column, name) => `${column} IN (SELECT value FROM json_each(:${name}))`,
  isAmong: (column, select) => `${column} IN (${select})`,
  rows(name, columns) {
    const named = Object.entries(columns).map(([column, type]) => {
      const value = `value ->> '${column}'`;
      return `${type === 'bytes' ? `unhex(substr(${value}, 3))` : value} AS ${column}`;
    });
    return `(SELECT ${[...named, 'key AS n'].join(', ')} FROM json_each(:${name})) AS ${name}`;
  },
  randomBelow: (name) => `abs(random() % :${name})`,
  mostRows: batchRows,
  skipLocked: '',
  lookUp: () => 'true',
  isWritten: (column) => `${column} IN (SELECT value ->> 'subject' FROM json_each(:lead))`,
  made(write, columns) {
    const named = columns.map((column) => `value ->> '${column}' AS ${column}`);
    return `(SELECT ${named.join(', ')} FROM json_each(:${write}))`;
  },
  isLocal: true,
  place: 'rowid',
  counter,
  position: 'instr',
  whole: 'integer',
  flag: 'integer',
  bytes: 'blob',
  numbered: 'integer PRIMARY KEY AUTOINCREMENT',
  tableEnd: 'STRICT',
  keyTableEnd: 'STRICT, WITHOUT ROWID',
};

const types = { text: 'text', whole: 'integer' } as const;

/** SQLite has one writer, so each key has one row. */
function counter({ name, table, keys, sums, largest = {}, changes }: Counter): string {
  const columns = [...Object.keys(keys), ...Object.keys(sums), ...Object.keys(largest)];
  const changed = [
    ...Object.keys(sums).map((sum) => `${sum} = ${sum} + excluded.${sum}`),
    ...Object.keys(largest).map((each) => `${each} = max(${each}, excluded.${each})`),
  ];
  const count = (row: 'new' | 'old', sign: 1 | -1) => {
    const values = [
      ...Object.values(keys).map(({ from }) => from),
      ...Object.values(sums).map((sum) => `${sign} * (${sum})`),
      ...Object.values(largest).map((each) => (sign === 1 ? each : '0')),
    ];
    return `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${values.join(', ').replaceAll(/\bit\./g, `${row}.`)})
     ON CONFLICT (${Object.keys(keys).join(', ')}) DO UPDATE SET ${changed.join(', ')};`;
  };
  const moved = `CREATE TRIGGER ${name}_moved AFTER UPDATE OF ${changes} ON ${table} WHEN old.${changes} <> new.${changes} BEGIN
           ${count('old', -1)} ${count('new', 1)} END;`;
  return `CREATE TABLE ${name} (
      ${Object.entries(keys).map(([key, { type }]) => `${key} ${types[type]} NOT NULL`)},
      ${columns.slice(Object.keys(keys).length).map((column) => `${column} integer NOT NULL`)},
      PRIMARY KEY (${Object.keys(keys)})
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER ${name}_made AFTER INSERT ON ${table} BEGIN ${count('new', 1)} END;
    CREATE TRIGGER ${name}_gone AFTER DELETE ON ${table} BEGIN ${count('old', -1)} END;
    ${changes === undefined ? '' : moved}`;
}
