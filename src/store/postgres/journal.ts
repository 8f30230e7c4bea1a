import { isBounded } from '../../core/consent/one-click.ts';
import { withdraws } from '../../core/model/intent.ts';
import type { SubjectId } from '../../core/model/subject.ts';
import type { SubmissionRequest } from '../../core/model/submission-request.ts';
import type { EventRoutes } from '../../ports/event-routes.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Recorded, SubmissionMade } from '../../ports/journal-intake.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Random } from '../../ports/random.ts';
import type { Seal } from '../../ports/seal.ts';
import { endTurn } from '../../turn.ts';
import type { Database } from '../drivers/postgres/database.ts';
import { isLost, isUnanswered, unavailable } from '../drivers/postgres/fault.ts';
import { oncePerTurn } from '../drivers/postgres/turns.ts';
import { asOwn, newEntry, text } from '../journal-entry.ts';
import { digestsOf, hashesOf, isLong, sealReason, sealWork } from '../journal-seal.ts';
import { whileRotating } from '../rotating.ts';
import { type Queries, type Row, statement, type Values } from '../sql.ts';
import { type ClickPlace, journalClicks } from './journal-clicks.ts';
import { journalEvents, keptBeside } from './journal-events.ts';
import { createNews } from './journal-news.ts';
import { journalQueue } from './journal-queue.ts';
import { journalReports } from './journal-reports.ts';
import { adoptCurrentKey } from './journal-rotation.ts';
import { openInTurn, openInTurns, own, queueing } from './journal-row.ts';
import { journalUpkeep } from './journal-upkeep.ts';

/** Of each kind: what one person may make another submission of theirs read. */
const mostRecent = 100;

const byNonce = statement('SELECT * FROM submission WHERE nonce = :nonce');
const byReference = statement('SELECT * FROM submission WHERE reference = :reference');
const byOwner = statement(`SELECT * FROM submission WHERE reference = :reference AND ${own}`);
const pending = statement(
  `SELECT * FROM submission WHERE center = :center AND ${own} AND state = 'pending' ORDER BY sequence`,
);
const recent = statement(
  `SELECT * FROM (
     (SELECT * FROM submission WHERE ${own} AND state = 'pending' ORDER BY sequence DESC LIMIT ${mostRecent})
     UNION ALL
     (SELECT * FROM submission WHERE ${own} AND state <> 'pending' AND done_at >= :since
      ORDER BY done_at DESC LIMIT ${mostRecent})
     UNION ALL
     (SELECT * FROM submission WHERE ${own} AND state <> 'pending' AND done_at < :since AND said_again_at >= :since
      ORDER BY said_again_at DESC LIMIT ${mostRecent})) AS every_kind
   ORDER BY sequence`,
);
const history = statement(
  `SELECT * FROM submission WHERE center = :center AND ${own} ORDER BY sequence DESC LIMIT :limit OFFSET :offset`,
);
const historySize = statement(`SELECT count(*) AS count FROM submission WHERE center = :center AND ${own}`);
const later = statement(
  `SELECT * FROM submission WHERE ${own}
     AND sequence > (SELECT sequence FROM submission WHERE reference = :reference) ORDER BY sequence DESC`,
);
const reasonNumbers = statement(
  `SELECT nextval('reason_sequence') AS sequence FROM generate_series(1, :count::integer)`,
);

/**
 * All in one statement, and so in one round trip and one transaction. The person's row is locked before the number is
 * drawn: who sees a submission sees all earlier ones of the person. `person`: what locks, and gives no row where
 * nothing may be written.
 */
const insertAfter = (person: string, beside = '') =>
  statement(
    `WITH person AS (${person}),
     made AS (
       INSERT INTO submission (sequence, reference, nonce, digest, center, subject, channel, state, everything,
         withdraws, gpc, bounded, submitted_at, due_at, passable, expires_at, undoes, repeats, payload)
       SELECT nextval('submission_sequence'), :reference, :nonce, :digest, :center, person.subject, :channel, 'pending',
         :everything, :withdraws, :gpc, :bounded, :now, :dueAt, :passable, :expiresAt, :undoes, :repeats, :payload
       FROM person
       ON CONFLICT (nonce) DO NOTHING RETURNING sequence),
     undone AS (
       UPDATE submission SET undone_by = :reference FROM made
       WHERE reference = :undoes AND ${own} AND center = :center AND undone_by IS NULL),
     reasons AS (
       INSERT INTO reason (sequence, center, day, id, text)
       SELECT r.sequence, :center, :day, nullif(r.id, ''), r.text
       FROM made, unnest(:reasonNumbers::bigint[], :reasonIds::text[], :reasonTexts::text[]) AS r (sequence, id, text))
       ${beside}
     SELECT sequence, NOT EXISTS (
       SELECT 1 FROM submission o WHERE o.state = 'pending' AND o.center = :center AND o.${own}
         AND o.done_at IS NULL AND o.due_at > :now) AS alone
     FROM made`,
  );

const anyone = `INSERT INTO journal_person AS p (subject, touched_at) VALUES (${queueing}, :now)
   ON CONFLICT (subject) DO UPDATE SET version = p.version + 1, touched_at = greatest(p.touched_at, :now)
   RETURNING p.subject`;

/** Only while nothing of the person has changed since it was looked at; `:version` is -1 where there was no row. */
const clicker = `INSERT INTO journal_person AS p (subject, touched_at, clicks, clicks_until)
   VALUES (${queueing}, :now, :clicks, :clicksUntil)
   ON CONFLICT (subject) DO UPDATE SET version = p.version + 1, touched_at = greatest(p.touched_at, :now),
     clicks = :clicks, clicks_until = :clicksUntil
   WHERE p.version = :version
   RETURNING p.subject`;

const inserts = {
  quiet: { insert: insertAfter(anyone), insertClick: insertAfter(clicker) },
  told: {
    insert: insertAfter(anyone, keptBeside('made')),
    insertClick: insertAfter(clicker, keptBeside('made')),
  },
};

interface Given {
  readonly request: SubmissionRequest;
  readonly made: SubmissionMade;
}

const day = 24 * 60 * 60 * 1000;
/** So long one group holds its people's rows, of what has not been begun by then. Milliseconds. */
const groupMs = 500;
/** One who clicks while another node writes of the same person looks again. */
const mostLooks = 20;

/**
 * The journal in PostgreSQL, for any number of nodes. Payloads are sealed; a subject is found by its keyed hash alone.
 * `journal_person` holds a row for each subject that something was recorded of lately: whoever writes of a person locks
 * it, and its version shows whether anything of the person was written since it was read.
 */
export async function openJournal({
  database,
  seal,
  random,
  routes = () => undefined,
}: {
  readonly database: Database;
  readonly seal: Seal & KeyedHash;
  readonly random: Random;
  readonly routes?: EventRoutes | undefined;
}): Promise<Journal> {
  await adoptCurrentKey(database, seal);
  const events = await journalEvents(database, { seal, routes });
  const entry = (row: Row) => openInTurn(seal, row);
  const openOwn = async (subject: SubjectId, rows: readonly Row[]) =>
    asOwn(subject, await openInTurns(seal, rows));
  const news = createNews(database, random.id());
  const clicks = journalClicks(seal);

  async function write(queries: Queries, { request, made }: Given, place: ClickPlace | undefined) {
    const subjects = hashesOf(seal, request.subject);
    const dueAt = place?.dueAt ?? made.now;
    const values: Values = {
      reference: made.reference,
      nonce: request.nonce,
      digest: digestsOf(seal, request)[0] ?? '',
      center: request.center,
      subject: subjects[0] ?? '',
      subjects,
      channel: request.channel,
      everything: request.intent.everything === 'withdraw',
      withdraws: withdraws(request.intent),
      gpc: request.globalPrivacyControl,
      bounded: isBounded(request),
      now: made.now,
      dueAt,
      // What comes later need not wait for one that itself waits.
      passable: dueAt > made.now,
      expiresAt: made.expiresAt ?? null,
      undoes: request.undoes ?? null,
      repeats: place?.repeats ?? null,
      payload: sealWork(seal, made.reference, made.work),
      day: made.now - (made.now % day),
      // What repeats an earlier one has given its reasons.
      ...(await reasonsOf(queries, place?.repeats === undefined ? request.reasons : [])),
    };
    if (isLong(values['payload'])) await endTurn();
    const beside = await events.valuesOf({ ...request, reference: made.reference }, made);
    const { insert, insertClick } = inserts[beside === undefined ? 'quiet' : 'told'];
    if (place === undefined) return queries.get(insert, { ...values, ...beside });
    const { times: clicks, until: clicksUntil, version } = place;
    return queries.get(insertClick, { ...values, ...beside, clicks, clicksUntil, version });
  }

  async function reasonsOf(queries: Queries, reasons: SubmissionRequest['reasons']): Promise<Values> {
    if (reasons.length === 0) return { reasonNumbers: [], reasonIds: [], reasonTexts: [] };
    const rows = await queries.all(reasonNumbers, { count: reasons.length });
    const numbers = rows.map((row) => Number(row['sequence']));
    return {
      reasonNumbers: numbers,
      reasonIds: reasons.map(({ id }) => id ?? ''),
      // A center's own words are no secret.
      reasonTexts: reasons.map(({ id, text }, index) =>
        id === undefined ? sealReason(seal, numbers[index] ?? 0, text) : text,
      ),
    };
  }

  /** By the nonce: what came before, or this very one, whose answer was lost. */
  async function known(request: SubmissionRequest, made: SubmissionMade, row: Row): Promise<Recorded> {
    if (text(row, 'reference') === made.reference) return { kind: 'new', entry: await entry(row) };
    const isSame = digestsOf(seal, request).includes(text(row, 'digest'));
    return { kind: isSame ? 'known' : 'other', entry: await entry(row) };
  }

  async function recordBy(queries: Queries, given: Given): Promise<Recorded> {
    const { request, made } = given;
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const click = isBounded(request) ? await clicks.look(queries, request, made.now) : undefined;
      if (click?.known !== undefined) return known(request, made, click.known);
      if (click?.open !== undefined) {
        await clicks.sayAgain(queries, request, click.open, made.now);
        return { kind: 'open', entry: click.open };
      }
      const written = await write(queries, given, click?.place);
      if (written !== undefined) {
        const isAlone = written['alone'] === true;
        return { kind: 'new', entry: newEntry(request, made, placeOf(made, click)), isAlone };
      }
      if (click !== undefined) continue;
      const row = await queries.get(byNonce, { nonce: request.nonce });
      if (row !== undefined) return known(request, made, row);
    }
    throw unavailable(new Error('too many at once'));
  }

  const subjectsOf = ({ request }: Given) => hashesOf(seal, request.subject);
  const laneOf = (group: readonly Given[]) =>
    group.some(({ request }) => withdraws(request.intent)) ? database.forWithdrawals : database;
  const recordAlone = (given: Given) =>
    whileRotating(laneOf([given]), subjectsOf(given), (queries) => recordBy(queries, given));
  const recordAll = async (queries: Queries, group: readonly Given[]) => {
    const recorded: Recorded[] = [];
    const until = performance.now() + groupMs;
    for (const given of group) {
      recorded.push(await recordBy(queries, given));
      if (performance.now() >= until) break;
    }
    return recorded;
  };
  const inTurn = oncePerTurn<Given, Recorded>({
    orderOf: (given) => subjectsOf(given)[0] ?? '',
    mayJoin: (given) => subjectsOf(given).length === 1,
    isUnanswered,
    together: (group) => laneOf(group).transaction((queries) => recordAll(queries, group)),
    alone(given) {
      return recordAlone(given).catch((fault: unknown) => {
        // The answer was lost, and what was written, if it was, is found by its nonce.
        if (isLost(fault)) return recordAlone(given);
        throw fault;
      });
    },
  });

  return {
    async record(request, made) {
      const recorded = await inTurn({ request, made });
      if (recorded.kind === 'new') news.recorded(made.reference);
      return recorded;
    },
    async find(reference) {
      const row = await database.get(byReference, { reference });
      return row && entry(row);
    },
    async findOwn(reference, subject) {
      const row = await database.get(byOwner, { reference, subjects: hashesOf(seal, subject) });
      return row && asOwn(subject, [await entry(row)])[0];
    },
    async pendingOf(center, subject) {
      return openOwn(subject, await database.all(pending, { center, subjects: hashesOf(seal, subject) }));
    },
    async recentOf(subject, since) {
      return openOwn(subject, await database.all(recent, { subjects: hashesOf(seal, subject), since }));
    },
    async historyOf(center, subject, { limit, offset }) {
      const subjects = hashesOf(seal, subject);
      return openOwn(subject, await database.all(history, { center, subjects, limit, offset }));
    },
    async historySize(center, subject) {
      const row = await database.get(historySize, { center, subjects: hashesOf(seal, subject) });
      return Number(row?.['count'] ?? 0);
    },
    async laterThan({ reference }, subject) {
      return openOwn(subject, await database.all(later, { reference, subjects: hashesOf(seal, subject) }));
    },
    ...journalQueue(database, { seal, news, events }),
    ...journalReports(database, seal),
    ...journalUpkeep(database, { seal, news }),
  };
}

function placeOf({ now }: SubmissionMade, click: { readonly place: ClickPlace } | undefined) {
  return click?.place ?? { dueAt: now, repeats: undefined };
}
