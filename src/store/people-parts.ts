import type { MessageWrites } from './messages.ts';
import type { EntryReader } from './people-entry.ts';
import type { PeopleNewsBoard } from './people-news.ts';
import type { WriteBeside } from './people-write.ts';
import type { StoreParts } from './sql.ts';

/** What the parts of the store of people share. */
export interface PeopleParts extends StoreParts {
  readonly reader: EntryReader;
  readonly beside: WriteBeside;
  readonly messageWrites: MessageWrites;
  readonly board: PeopleNewsBoard;
}
