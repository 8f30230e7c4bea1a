import type { KeyedHash, Seal } from '../ports/seal.ts';
import type { MessageWrites } from './messages.ts';
import type { EntryReader } from './people-entry.ts';
import type { PeopleNewsBoard } from './people-news.ts';
import type { WriteBeside } from './people-write.ts';
import type { Sql } from './sql.ts';

/** What the parts of the store of people share. */
export interface PeopleParts {
  readonly sql: Sql;
  readonly seal: Seal & KeyedHash;
  readonly reader: EntryReader;
  readonly beside: WriteBeside;
  readonly messageWrites: MessageWrites;
  readonly board: PeopleNewsBoard;
}
