import type { LinkAnswer } from '../../core/model/passcode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Passcodes } from '../../ports/passcodes.ts';
import type { Seal } from '../../ports/seal.ts';
import { mostAttempts, passcodeRows, rememberedMs, sealedPasscode } from '../passcode-row.ts';
import { bindRows } from './bind-rows.ts';
import { bite, type Migration, openDatabase, upkeep } from './database.ts';

const migrations = (seal: Seal): readonly Migration[] => [
  `CREATE TABLE passcode (
     id TEXT PRIMARY KEY,
     link TEXT NOT NULL UNIQUE,
     code TEXT NOT NULL,
     center TEXT NOT NULL,
     subject TEXT NOT NULL,
     attempts INTEGER NOT NULL DEFAULT 0,
     ends_at INTEGER NOT NULL,
     spent_at INTEGER
   ) STRICT;
   CREATE INDEX passcode_end ON passcode (ends_at)`,
  bindRows(seal, { ...sealedPasscode, table: 'passcode', id: 'id', column: 'subject' }),
  `ALTER TABLE passcode ADD COLUMN person TEXT;
   ALTER TABLE passcode ADD COLUMN ended_at INTEGER;
   CREATE INDEX passcode_person ON passcode (person)`,
  `ALTER TABLE passcode ADD COLUMN digits INTEGER NOT NULL DEFAULT 6;
   ALTER TABLE passcode ADD COLUMN receiver TEXT;
   CREATE INDEX passcode_receiver ON passcode (receiver, ends_at) WHERE receiver IS NOT NULL`,
  'ALTER TABLE passcode ADD COLUMN link_names_subject INTEGER NOT NULL DEFAULT 0',
];

export interface PasscodesOptions {
  readonly file: string;
  readonly seal: Seal & KeyedHash;
  readonly clock: Clock;
}

/** Passcodes and links in one SQLite file: codes and links as keyed hashes, the person sealed. */
export function openPasscodes({ file, seal, clock }: PasscodesOptions): Passcodes {
  const database = openDatabase(file, migrations(seal));
  const { prepare, together } = database;
  const isOpen = `spent_at IS NULL AND ends_at > :now`;
  const insert = prepare(
    `INSERT INTO passcode (id, link, code, center, subject, person, ends_at, digits, receiver, link_names_subject)
     VALUES (:id, :link, :code, :center, :subject, :person, :endsAt, :digits, :receiver, 1)`,
  );
  const attempt = prepare(
    `UPDATE passcode SET attempts = attempts + 1
     WHERE id = :id AND center = :center AND attempts < ${mostAttempts} AND ${isOpen}
     RETURNING id, link, code, subject, attempts, ended_at`,
  );
  const tryable = prepare(
    `SELECT 1 FROM passcode
     WHERE id = :id AND center = :center AND attempts < ${mostAttempts} AND ${isOpen}`,
  );
  // One that was ended is found like any other: nobody is told that a person has signed out everywhere.
  const latest = prepare(
    `SELECT id, digits FROM passcode
     WHERE receiver IN (SELECT value FROM json_each(:receivers)) AND ${isOpen}
     ORDER BY ends_at DESC LIMIT 1`,
  );
  const spend = prepare(`UPDATE passcode SET spent_at = :now WHERE id = :id AND ${isOpen}`);
  const find = prepare(
    `SELECT id, link, subject, ${isOpen} AND ended_at IS NULL AS open FROM passcode
     WHERE link IN (SELECT value FROM json_each(:links)) AND center = :center`,
  );
  // What an earlier version sent names nobody: it lives ten minutes, and then nothing of it is left to end.
  const end = prepare(
    `UPDATE passcode SET ended_at = :now
     WHERE (person IN (SELECT value FROM json_each(:people)) OR person IS NULL) AND ended_at IS NULL AND ${isOpen}`,
  );
  const sweep = prepare(
    `DELETE FROM passcode WHERE id IN
       (SELECT id FROM passcode WHERE ends_at < :now AND (link_names_subject = 1 OR ends_at < :before)
        ORDER BY ends_at LIMIT ${bite})`,
  );

  const rows = passcodeRows(seal);

  function look(link: string, center: string, isTaken: boolean): LinkAnswer {
    const now = clock.now();
    return together(() => {
      const row = find.get({ links: JSON.stringify(rows.linksOf(link)), center, now });
      const subject = row === undefined ? undefined : rows.subjectOf(row);
      if (row === undefined || subject === undefined) return { kind: 'unknown' };
      if (row['open'] !== 1) return { kind: 'over', subject };
      if (isTaken && spend.run({ id: String(row['id']), now }) !== 1) return { kind: 'over', subject };
      return { kind: 'right', subject };
    });
  }

  return {
    async open(passcode) {
      insert.run(rows.valuesOf(passcode));
    },
    isTryable: async (id, center) => tryable.get({ id, center, now: clock.now() }) !== undefined,
    async findShared(center, subject) {
      const receivers = JSON.stringify(rows.receiversOf(center, subject));
      const row = latest.get({ receivers, now: clock.now() });
      return row && rows.readShared(row);
    },
    async tryCode(id, center, code) {
      const now = clock.now();
      return together(() => {
        const row = attempt.get({ id, center, now });
        const subject = row === undefined ? undefined : rows.subjectOf(row);
        if (row === undefined || subject === undefined) return { kind: 'over' };
        if (rows.isCode(row, id, code) && row['ended_at'] === null) {
          return spend.run({ id, now }) === 1 ? { kind: 'right', subject } : { kind: 'over' };
        }
        return { kind: 'wrong', left: mostAttempts - Number(row['attempts']) };
      });
    },
    findLink: async (link, center) => look(link, center, false),
    takeLink: async (link, center) => look(link, center, true),
    async endOf(subject) {
      const people = JSON.stringify(rows.peopleOf(subject));
      end.run({ people, now: clock.now() });
    },
    sweep: async () => sweep.run({ now: clock.now(), before: clock.now() - rememberedMs }),
    ...upkeep(database),
  };
}
