import type { Evidence, Work } from '../../core/model/journal-entry.ts';
import type { Submission } from '../../core/model/submission.ts';
import type { JournalFilter, JournalReports } from '../../ports/journal-reports.ts';
import type { JournalUpkeep } from '../../ports/journal-upkeep.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import { endTurn, longBytes } from '../../turn.ts';
import { bite, type Database, type Statement } from '../drivers/sqlite/file.ts';
import { asOwn, text } from '../journal-entry.ts';
import { sealEvidence } from '../journal-seal.ts';
import type { journalClicks } from './journal-clicks.ts';
import { journalCounters } from './journal-counters.ts';
import type { journalReasons } from './journal-reasons.ts';
import { entryOf, entryReader, ownSubjects, subjectsOf } from './journal-row.ts';

function evidenceOf({ items, request: { linkMadeBy } }: Work): Evidence {
  return linkMadeBy === undefined ? { items } : { items, linkMadeBy };
}

interface Asked {
  readonly state: Submission['state'] | undefined;
  readonly center: string | undefined;
  /** As `ownSubjects` takes them. */
  readonly subjects: string | undefined;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly withdraws: true | undefined;
}

type Reports = JournalReports & Pick<JournalUpkeep, 'sweep' | 'check'>;

/** What staff, metrics and readiness ask. */
export function journalReports(
  database: Database,
  {
    seal,
    reasons,
    clicks,
  }: {
    readonly seal: Seal & KeyedHash;
    readonly reasons: ReturnType<typeof journalReasons>;
    readonly clicks: ReturnType<typeof journalClicks>;
  },
): Reports {
  const { prepare, together } = database;
  const reader = entryReader(database, seal);
  const bySequence = prepare('SELECT * FROM submission WHERE sequence = :sequence');
  const lists = new Map<string, Statement>();
  /**
   * Each combination has a statement of its own, and finds numbers before rows: only what is asked for by name finds its
   * index, and a row is long. A plus keeps an index from being taken: where a time is asked for, its own is best, but for
   * what failed, which is little.
   */
  function listBy({ state, ...asked }: Asked): Statement {
    const isOfTime = asked.from !== undefined || asked.to !== undefined;
    const isOfFailed = state === 'failed';
    const center = isOfTime || isOfFailed ? '+center = :center' : 'lower(center) = :center';
    const time = isOfFailed ? '+submitted_at' : 'submitted_at';
    const where = [
      ...(state === undefined ? [] : [`${isOfTime && state === 'done' ? '+' : ''}state = '${state}'`]),
      ...(asked.center === undefined ? [] : [center]),
      ...(asked.subjects === undefined ? [] : [ownSubjects]),
      ...(asked.from === undefined ? [] : [`${time} >= :from`]),
      ...(asked.to === undefined ? [] : [`${time} < :to`]),
      ...(asked.withdraws === undefined ? [] : ['withdraws = 1']),
    ];
    // A plus again: what failed is found by its index, and not by looking at all in their order.
    const byNumber = isOfFailed ? '+sequence DESC' : 'sequence DESC';
    const order = isOfTime ? 'submitted_at DESC, sequence DESC' : byNumber;
    const sql = `SELECT ${reader.columns} FROM submission WHERE sequence IN (
         SELECT sequence FROM submission ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`}
         ORDER BY ${order} LIMIT :limit OFFSET :offset)
       ORDER BY ${order}`;
    const made = lists.get(sql) ?? prepare(sql);
    lists.set(sql, made);
    return made;
  }
  const counts = prepare(
    `SELECT state, count,
       iif(state = 'pending', (SELECT min(submitted_at) FROM submission INDEXED BY submission_withdrawal
         WHERE state = 'pending' AND done_at IS NULL), NULL) AS oldest
     FROM submission_count WHERE count > 0 ORDER BY state`,
  );
  const overWork = prepare(
    `SELECT ${reader.columns} FROM submission WHERE payload IS NOT NULL AND done_at < :before AND state <> 'pending'
     ORDER BY done_at LIMIT ${bite}`,
  );
  const reduce = prepare(
    'UPDATE submission SET payload = NULL, evidence = :evidence WHERE reference = :reference',
  );
  const deleteOver = prepare(
    `DELETE FROM submission WHERE sequence IN
       (SELECT sequence FROM submission WHERE done_at IS NOT NULL AND done_at < :before AND state <> 'pending'
        ORDER BY done_at LIMIT ${bite})`,
  );
  /** Of work that no key opens nothing can remain. */
  function reduceWork(before: number): number {
    return together(() => {
      let reduced = 0;
      let bytes = 0;
      for (const row of overWork.all({ before })) {
        bytes += Number(row['bytes']);
        // What is long together goes one by one.
        if (bytes >= longBytes && reduced > 0) break;
        const whole = bySequence.get({ sequence: Number(row['sequence']) });
        if (whole === undefined) continue;
        const { reference, work } = entryOf(seal, whole);
        const evidence = work === undefined ? null : sealEvidence(seal, whole, evidenceOf(work));
        reduce.run({ reference, evidence });
        reduced += 1;
      }
      return reduced;
    });
  }

  function found({ subject, state, center, from, to, withdraws, limit, offset = 0 }: JournalFilter) {
    const subjects = subject === undefined ? undefined : subjectsOf(seal, subject);
    const given = Object.entries({ center, subjects, from, to }).flatMap(
      ([name, value]): [string, string | number][] => (value === undefined ? [] : [[name, value]]),
    );
    const statement = listBy({ state, center, subjects, from, to, withdraws });
    return statement.all({ ...Object.fromEntries(given), limit, offset });
  }

  return {
    list: async (filter) => asOwn(filter.subject, await reader.all(found(filter))),
    async *parts(filter) {
      const rows = found(filter);
      for (let at = 0; at < rows.length; at += bite) {
        yield asOwn(filter.subject, await reader.all(rows.slice(at, at + bite)));
        await endTurn();
      }
    },
    async counts() {
      return counts.all().map((row) => ({
        state: text(row, 'state') as Submission['state'],
        count: Number(row['count']),
        oldestAt: row['oldest'] === null ? undefined : Number(row['oldest']),
      }));
    },
    ...journalCounters(database),
    reasons: reasons.reasons,
    ownWords: reasons.ownWords,
    async sweep({ now, workBefore, evidenceBefore, reasonsBefore }) {
      return (
        reduceWork(workBefore) +
        deleteOver.run({ before: evidenceBefore }) +
        reasons.sweep(reasonsBefore) +
        clicks.sweep(now)
      );
    },
    async check() {
      reasons.check();
    },
  };
}
