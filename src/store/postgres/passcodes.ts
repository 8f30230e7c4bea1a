import type { LinkAnswer } from '../../core/model/passcode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Passcodes } from '../../ports/passcodes.ts';
import type { Seal } from '../../ports/seal.ts';
import { mostAttempts, passcodeRows, rememberedMs } from '../passcode-row.ts';
import type { Database } from './database.ts';
import { deleteSome, upkeep } from './maintained.ts';
import { statement } from './statement.ts';

const isOpen = 'spent_at IS NULL AND ends_at > :now';
const insert = statement(
  `INSERT INTO passcode (id, link, code, center, subject, person, ends_at, digits, receiver, link_names_subject)
   VALUES (:id, :link, :code, :center, :subject, :person, :endsAt, :digits, :receiver, true)`,
);
const attempt = statement(
  `UPDATE passcode SET attempts = attempts + 1
   WHERE id = :id AND center = :center AND attempts < ${mostAttempts} AND ${isOpen}
   RETURNING id, link, code, subject, attempts, ended_at`,
);
const tryable = statement(
  `SELECT 1 FROM passcode WHERE id = :id AND center = :center AND attempts < ${mostAttempts} AND ${isOpen}`,
);
// One that was ended is found like any other: nobody is told that a person has signed out everywhere.
const latest = statement(
  `SELECT id, digits FROM passcode WHERE receiver = ANY (:receivers) AND ${isOpen} ORDER BY ends_at DESC LIMIT 1`,
);
const spend = statement(
  `UPDATE passcode SET spent_at = :now WHERE id = :id AND ended_at IS NULL AND ${isOpen}`,
);
const find = statement(
  `SELECT id, link, subject, ${isOpen} AND ended_at IS NULL AS open FROM passcode
   WHERE link = ANY (:links) AND center = :center`,
);
// What an earlier version sent names nobody: it lives ten minutes, and then nothing of it is left to end.
const end = statement(
  `UPDATE passcode SET ended_at = :now WHERE (person = ANY (:people) OR person IS NULL) AND ended_at IS NULL AND ${isOpen}`,
);
const sweep = deleteSome('passcode', 'ends_at', '(link_names_subject OR ends_at < :old)');

/** Passcodes and links: codes and links as keyed hashes, the person sealed. */
export function openPasscodes({
  database,
  seal,
  clock = database.clock,
}: {
  database: Database;
  seal: Seal & KeyedHash;
  clock?: Clock;
}): Passcodes {
  const rows = passcodeRows(seal);

  async function look(link: string, center: string): Promise<{ id: string; answer: LinkAnswer }> {
    const links = rows.linksOf(link);
    const row = await database.get(find, { links, center, now: clock.now() });
    const subject = row === undefined ? undefined : rows.subjectOf(row);
    if (row === undefined || subject === undefined) return { id: '', answer: { kind: 'unknown' } };
    return { id: String(row['id']), answer: { kind: row['open'] === true ? 'right' : 'over', subject } };
  }

  const isSpent = async (id: string) => (await database.run(spend, { id, now: clock.now() })) === 1;

  return {
    async open(passcode) {
      await database.run(insert, rows.valuesOf(passcode));
    },
    async isTryable(id, center) {
      return (await database.get(tryable, { id, center, now: clock.now() })) !== undefined;
    },
    async findShared(center, subject) {
      const receivers = rows.receiversOf(center, subject);
      const row = await database.get(latest, { receivers, now: clock.now() });
      return row && rows.readShared(row);
    },
    // Two statements, each of which is final: what was counted stays so, and one alone spends it.
    async tryCode(id, center, code) {
      const row = await database.get(attempt, { id, center, now: clock.now() });
      const subject = row === undefined ? undefined : rows.subjectOf(row);
      if (row === undefined || subject === undefined) return { kind: 'over' };
      if (rows.isCode(row, id, code) && row['ended_at'] === null)
        return (await isSpent(id)) ? { kind: 'right', subject } : { kind: 'over' };
      return { kind: 'wrong', left: mostAttempts - Number(row['attempts']) };
    },
    findLink: async (link, center) => (await look(link, center)).answer,
    async takeLink(link, center) {
      const { id, answer } = await look(link, center);
      if (answer.kind !== 'right' || (await isSpent(id))) return answer;
      return { kind: 'over', subject: answer.subject };
    },
    async endOf(subject) {
      await database.run(end, { people: rows.peopleOf(subject), now: clock.now() });
    },
    sweep: () => database.run(sweep, { before: clock.now(), old: clock.now() - rememberedMs }),
    ...upkeep(database),
  };
}
