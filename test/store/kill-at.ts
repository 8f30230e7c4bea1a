/*
 * Loaded before a command that erases: ends its process by kill -9 as it begins statement `KILL_AT` of the erasure, and
 * else says how many there were.
 */

import process from 'node:process';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import pg from 'pg';

const at = Number(process.env['KILL_AT']);
let count = -1;

function note(sql: unknown): void {
  if (count < 0 && /INSERT INTO person\b/.test(String(sql))) count = 0;
  if (count >= 0 && count++ === at) process.kill(process.pid, 'SIGKILL');
}

for (const name of ['run', 'get', 'all'] as const) {
  const asked = StatementSync.prototype[name] as (...values: unknown[]) => unknown;
  Object.defineProperty(StatementSync.prototype, name, {
    value(this: StatementSync, ...values: unknown[]) {
      note(this.sourceSQL);
      return Reflect.apply(asked, this, values);
    },
  });
}
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
  note(sql);
  return exec.call(this, sql);
};
const query = pg.Client.prototype.query as (...asked: unknown[]) => unknown;
Object.defineProperty(pg.Client.prototype, 'query', {
  value(this: pg.Client, ...asked: unknown[]) {
    const [first] = asked;
    note(typeof first === 'object' && first !== null && 'text' in first ? first.text : first);
    return Reflect.apply(query, this, asked);
  },
});
process.on('exit', () => process.stderr.write(`statements: ${count}\n`));
