import type { Journal } from '../ports/journal.ts';
import type { Random } from '../ports/random.ts';
import { endTurn } from '../turn.ts';
import { isIn } from './dialect.ts';
import { hashesOf, isLong } from './journal-seal.ts';
import type { MessageWrites } from './messages.ts';
import { entryReader, type JoinedRow, joinedRow, openSubmissionOf } from './people-entry.ts';
import { createPeopleNews } from './people-news.ts';
import { peopleQueue } from './people-queue.ts';
import { peopleRecord } from './people-record.ts';
import { peopleReports } from './people-reports.ts';
import { personRows } from './people-rows.ts';
import type { SubmissionRow } from './people-schema.ts';
import { peopleUpkeep } from './people-upkeep.ts';
import { type NewsWrites, type PeopleParts, writeBeside } from './people-write.ts';
import { type Columns, reading, type StoreParts } from './sql.ts';

const byReference = reading<JoinedRow>`${joinedRow} WHERE s.reference = :reference AND s.subject <> ''`;

const byOwner = reading<JoinedRow>`
  ${joinedRow} WHERE s.reference = :reference AND ${isIn('s.subject', 'subjects')}`;
// Only the first row is joined with the person. A column in an expression cannot use its index.
const history = reading<JoinedRow>`SELECT s.*, p.document, p.due_at FROM (
    SELECT found.*, row_number() OVER (ORDER BY sequence DESC) AS place FROM (
      SELECT * FROM submission WHERE center || '' = :center AND ${isIn('subject', 'subjects')}
      ORDER BY sequence DESC LIMIT :limit OFFSET :offset) AS found) AS s
  LEFT JOIN person p ON p.subject = s.subject AND s.place = 1
  ORDER BY s.sequence DESC`;
const historySize = reading<Columns<'count', number>>`
  SELECT count(*) AS count FROM submission WHERE center || '' = :center AND ${isIn('subject', 'subjects')}`;
const closed = reading<SubmissionRow>`
  SELECT * FROM submission WHERE ${isIn('reference', 'references')} AND ${isIn('subject', 'subjects')}
  ORDER BY sequence`;

/** The parts over which the journal is opened. Its `close` leaves `sql` open. */
export interface PeopleOptions extends StoreParts {
  readonly random: Random;
  /** Keeps news in the transaction in which they happen. */
  readonly newsWrites: NewsWrites;
  /** Queues messages about submissions in the same transaction. */
  readonly messageWrites?: MessageWrites | undefined;
}

/** The journal: desired states and submissions, sealed, and found only by the keyed hash of a person. */
export function openPeople(options: PeopleOptions): Journal {
  const { sql, seal, random, newsWrites, messageWrites = () => [] } = options;
  const reader = entryReader(seal);
  const board = createPeopleNews(sql, random.id());
  const beside = writeBeside(seal, newsWrites);
  const parts: PeopleParts = { sql, seal, reader, beside, messageWrites, board };

  async function entry(row: JoinedRow | undefined) {
    if (row !== undefined && (isLong(row.request) || isLong(row.document))) await endTurn();
    return row && reader.one(sql, row);
  }

  return {
    record: peopleRecord(parts),
    find: async (reference) => entry(await sql.get(byReference, { reference })),
    async findOwn(reference, subject) {
      return entry(await sql.get(byOwner, { reference, subjects: hashesOf(seal, subject) }));
    },
    async historyOf(center, subject, { limit, offset }) {
      const subjects = hashesOf(seal, subject);
      return reader.all(sql, await sql.all(history, { center, subjects, limit, offset }));
    },
    async historySize(center, subject) {
      const row = await sql.get(historySize, { center, subjects: hashesOf(seal, subject) });
      return row?.count ?? 0;
    },
    async personOf(subject) {
      const rows = await sql.all(personRows, { subjects: hashesOf(seal, subject) });
      if (rows.some((row) => isLong(row.document))) await endTurn();
      return reader.person(rows);
    },
    async submissionsOf(references, subject) {
      const rows = await sql.all(closed, { references, subjects: hashesOf(seal, subject) });
      return rows.flatMap((row) => openSubmissionOf(seal, row) ?? []);
    },
    ...peopleQueue(parts),
    onNews: board.on,
    ...peopleReports(parts),
    ...peopleUpkeep(parts),
  };
}
