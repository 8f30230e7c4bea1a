import type { PeopleNews } from '../ports/people.ts';
import type { Sql } from './sql.ts';

type Listener = (news: PeopleNews) => void;

/** What a node has recorded and has not begun with after so long is offered to all others. Milliseconds. */
const ownTurnMs = 50;
const most = 10_000;

/**
 * Tells the processes of all nodes what happened, apart from the transaction that it happened in: commits that notify
 * wait for one another. The process that did it hears at once, and not again.
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
    /** By this process. */
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
