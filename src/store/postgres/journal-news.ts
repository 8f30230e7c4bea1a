import type { JournalNews } from '../../ports/journal-queue.ts';
import type { Database } from '../drivers/postgres/database.ts';

type Listener = (news: JournalNews) => void;

/** What a node has recorded and has not begun with after so long is offered to all others. Milliseconds. */
const ownTurnMs = 50;
const most = 10_000;

export interface News {
  /** By this process. */
  recorded(reference: string): void;
  claimed(reference: string): void;
  due(): void;
  told(reference: string): void;
  on(listener: Listener): () => void;
  close(): void;
}

/**
 * Tells the processes of all nodes what happened, by NOTIFY, apart from the transaction that it happened in: commits
 * that notify wait for one another. Whoever did it is told at once, and not again.
 */
export function createNews(database: Database, self: string): News {
  const listeners = new Set<Listener>();
  const unclaimed = new Set<string>();
  let offering: NodeJS.Timeout | undefined;

  const tell = (news: JournalNews) => {
    for (const listener of listeners) listener(news);
  };
  const ignore = database.listen('journal', (text) => {
    if (text === undefined) return tell({ kind: 'due' });
    const [from, kind, reference = ''] = text.split(' ');
    if (from === self) return;
    tell(kind === 'told' ? { kind, reference } : { kind: 'due' });
  });

  const due = () => database.announce('journal', `${self} due`);

  return {
    recorded(reference) {
      if (unclaimed.size < most) unclaimed.add(reference);
      offering ??= setTimeout(() => {
        offering = undefined;
        if (unclaimed.size > 0) due();
        unclaimed.clear();
      }, ownTurnMs);
    },
    claimed: (reference) => void unclaimed.delete(reference),
    due,
    told(reference) {
      tell({ kind: 'told', reference });
      database.announce('journal', `${self} told ${reference}`);
    },
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      clearTimeout(offering);
      ignore();
    },
  };
}
