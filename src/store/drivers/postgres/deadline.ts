import { DatabaseFault } from './fault.ts';

export const hung = new DatabaseFault('the database does not answer', { kind: 'away' });

/** Rejects with `hung` when there is no answer in time; one that has come and only waits to be read is read first. */
export async function answered<T>(asked: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => setImmediate(() => setImmediate(reject, hung)), ms);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
