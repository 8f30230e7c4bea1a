import type { StuckTask, StuckTasks } from '../ports/stuck-tasks.ts';
import type { Tables } from './dialect.ts';
import { reading, type Sql, writing } from './sql.ts';

/** The table is in the database of the submissions that it names. It holds nothing about a person. */
export const stuckTaskTables: Tables = ({ whole, tableEnd }) => [
  `CREATE TABLE stuck_task (
     reference text PRIMARY KEY,
     center text NOT NULL,
     submitted_at ${whole} NOT NULL,
     state text NOT NULL,
     task text,
     due_at ${whole} NOT NULL
   ) ${tableEnd};
   CREATE INDEX stuck_task_due ON stuck_task (state, due_at)`,
];

const columns = 'reference, center, submitted_at AS "submittedAt", state, task';
const pending = `s.state = 'pending' AND s.withdraws = 1`;

// Two processes may find the same submission: only the one that inserts the row gets it.
const mark = writing<StuckTask>`INSERT INTO stuck_task (reference, center, submitted_at, state, due_at)
  SELECT s.reference, s.center, s.submitted_at, 'making', :now FROM submission s
  WHERE ${pending} AND s.submitted_at <= :before AND coalesce(s.done_at, 0) <= :before
    AND NOT EXISTS (SELECT 1 FROM stuck_task t WHERE t.reference = s.reference)
  ORDER BY s.submitted_at LIMIT 1
  ON CONFLICT (reference) DO NOTHING RETURNING ${columns}`;
const markAgain = writing<StuckTask>`UPDATE stuck_task SET state = 'making', due_at = :now
  WHERE state = 'due' AND reference = (
    SELECT t.reference FROM stuck_task t JOIN submission s ON s.reference = t.reference
    WHERE t.state = 'due' AND t.due_at <= :now AND ${pending} ORDER BY t.due_at LIMIT 1)
  RETURNING ${columns}`;
// A task that was given up meanwhile is changed, too: it exists after all.
const setMade = writing`UPDATE stuck_task SET state = 'open', task = :task WHERE reference = :reference`;
const setState = writing`
  UPDATE stuck_task SET state = :state, due_at = :dueAt WHERE reference = :reference AND state = :was`;
const giveUp = writing`UPDATE stuck_task SET state = 'lost' WHERE state = 'making' AND due_at < :before`;
const isOver = (of: string) =>
  `NOT EXISTS (SELECT 1 FROM submission s WHERE s.reference = ${of}.reference AND s.state <> 'done')`;
const nextToClose = writing<StuckTask>`UPDATE stuck_task SET due_at = :again
  WHERE state = 'open' AND due_at <= :now AND reference = (
    SELECT t.reference FROM stuck_task t WHERE t.state = 'open' AND t.due_at <= :now AND ${isOver('t')}
    ORDER BY t.due_at LIMIT 1) RETURNING ${columns}`;
const find = reading<StuckTask>`SELECT ${columns} FROM stuck_task WHERE reference = :reference`;
// An open task must be closed before its row is deleted.
const sweep = writing`DELETE FROM stuck_task WHERE reference IN (
  SELECT t.reference FROM stuck_task t WHERE t.state <> 'open'
    AND NOT EXISTS (SELECT 1 FROM submission s WHERE s.reference = t.reference) LIMIT 100)`;

/** Tasks in the database of the submissions. */
export function openStuckTasks({ sql }: { readonly sql: Sql }): StuckTasks {
  async function set(reference: string, was: string, state: string, dueAt = 0): Promise<void> {
    await sql.run(setState, { reference, was, state, dueAt });
  }
  return {
    claim: async ({ now, before }) => (await sql.get(markAgain, { now })) ?? sql.get(mark, { now, before }),
    async made(reference, task) {
      await sql.run(setMade, { reference, task });
    },
    lost: (reference) => set(reference, 'making', 'lost'),
    putOff: (reference, dueAt) => set(reference, 'making', 'due', dueAt),
    giveUp: (before) => sql.run(giveUp, { before }),
    nextToClose: (which) => sql.get(nextToClose, which),
    closed: (reference) => set(reference, 'open', 'closed'),
    find: (reference) => sql.get(find, { reference }),
    sweep: () => sql.run(sweep),
  };
}
