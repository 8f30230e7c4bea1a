import { DatabaseSync, StatementSync } from 'node:sqlite';
import pg from 'pg';

/**
 * Calls `begins` with the number of each statement of an erasure, from 0. Gives the function that ends it.
 */
export function followErasure(begins: (statement: number) => void): () => void {
  let count = -1;
  const ends: (() => void)[] = [];

  function note(sql: unknown): void {
    if (count < 0 && /INSERT INTO person\b/.test(String(sql))) count = 0;
    if (count >= 0) begins(count++);
  }

  function follow(prototype: object, name: string, textOf: (self: never, first: unknown) => unknown): void {
    const asked = Reflect.get(prototype, name) as (...given: unknown[]) => unknown;
    const followed = function (this: never, ...given: unknown[]): unknown {
      note(textOf(this, given[0]));
      return Reflect.apply(asked, this, given);
    };
    Object.defineProperty(prototype, name, { value: followed, configurable: true });
    ends.push(() => Object.defineProperty(prototype, name, { value: asked, configurable: true }));
  }

  for (const name of ['run', 'get', 'all'])
    follow(StatementSync.prototype, name, (self: StatementSync) => self.sourceSQL);
  follow(DatabaseSync.prototype, 'exec', (_, sql) => sql);
  follow(pg.Client.prototype, 'query', (_, first) =>
    typeof first === 'object' && first !== null && 'text' in first ? first.text : first,
  );
  return () => {
    for (const end of ends) end();
  };
}
