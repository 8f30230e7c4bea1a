import type { Database } from '../drivers/sqlite/file.ts';

/** So many at most go into one transaction, and none once it took so many milliseconds: the process stands still meanwhile. */
const most = 100;
const mostMs = 20;

interface Waiting {
  readonly write: () => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (fault: unknown) => void;
}

/**
 * What is written within one turn of the event loop goes in one transaction, for most of what a row costs is making it
 * durable. Each resolves once it is; one that throws takes no other along.
 */
export function oncePerTurn({ prepare, together }: Pick<Database, 'prepare' | 'together'>) {
  const begin = prepare('SAVEPOINT one');
  const keep = prepare('RELEASE one');
  const undo = prepare('ROLLBACK TO one');
  let waiting: Waiting[] = [];

  function one({ write }: Waiting): { readonly result: unknown } | { readonly fault: unknown } {
    begin.run();
    try {
      const result = write();
      keep.run();
      return { result };
    } catch (fault) {
      undo.run();
      keep.run();
      return { fault };
    }
  }

  function flush(): void {
    const now = waiting.slice(0, most);
    const until = performance.now() + mostMs;
    const ended: ReturnType<typeof one>[] = [];
    try {
      together(() => {
        for (const each of now) {
          ended.push(one(each));
          if (performance.now() >= until) break;
        }
      });
      for (const [index, end] of ended.entries()) {
        if ('result' in end) now[index]?.resolve(end.result as never);
        else now[index]?.reject(end.fault);
      }
      waiting = waiting.slice(ended.length);
    } catch (fault) {
      for (const { reject } of now) reject(fault);
      waiting = waiting.slice(now.length);
    }
    if (waiting.length > 0) setImmediate(flush);
  }

  return <T>(write: () => T): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ write, resolve, reject });
      if (waiting.length === 1) setImmediate(flush);
    });
}
