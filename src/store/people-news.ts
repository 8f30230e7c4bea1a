import type { PeopleNews } from '../ports/people.ts';
import type { Sql } from './sql.ts';

type Listener = (news: PeopleNews) => void;

/** Milliseconds after which a node offers to all others the people whom it has recorded and not claimed. */
const ownTurnMs = 50;
const most = 10_000;

/**
 * Tells the processes of all nodes what happened. It does so outside of the transaction: commits that notify
 * wait for one another. The process that did it hears of it at once, and only once.
 */
export function createPeopleNews(sql: Pick<Sql, 'announce' | 'listen'>, self: string) {
  const listeners = new Set<Listener>();
  const unclaimed = new Set<string>();
  let offering: NodeJS.Timeout | undefined;

  const tell = (news: PeopleNews) => {
    for (const listener of listeners) listener(news);
  };
  const ignore = sql.listen((text) => {
    if (text === undefined) return tell({ kind: 'due' });
    const [from, kind, reference = ''] = text.split(' ');
    if (from === self) return;
    tell(kind === 'told' ? { kind, reference } : { kind: 'due' });
  });

  const due = () => sql.announce(`${self} due`);

  return {
    /**
     * Notes that this process has recorded a submission, and has not claimed its person yet. `id`: the row's.
     */
    recorded(id: string): void {
      if (unclaimed.size < most) unclaimed.add(id);
      offering ??= setTimeout(() => {
        offering = undefined;
        if (unclaimed.size > 0) due();
        unclaimed.clear();
      }, ownTurnMs);
    },
    claimed: (id: string) => void unclaimed.delete(id),
    due,
    told(reference: string): void {
      tell({ kind: 'told', reference });
      sql.announce(`${self} told ${reference}`);
    },
    on(listener: Listener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close(): void {
      clearTimeout(offering);
      ignore();
    },
  };
}
