import { isBounded } from '../../core/consent/one-click.ts';
import { withdraws } from '../../core/model/intent.ts';
import type { SubjectId } from '../../core/model/subject.ts';
import type { SubmissionRequest } from '../../core/model/submission-request.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventRoutes } from '../../ports/event-routes.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Recorded, SubmissionMade } from '../../ports/journal-intake.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import { endTurn } from '../../turn.ts';
import { openDatabase, type Row } from '../drivers/sqlite/file.ts';
import { asOwn, newEntry, text } from '../journal-entry.ts';
import { digestsOf, hashesOf, isLong, sealWork } from '../journal-seal.ts';
import { type ClickPlace, journalClicks, type Submitted } from './journal-clicks.ts';
import { journalEvents, type ReadyEvents } from './journal-events.ts';
import { journalQueue } from './journal-queue.ts';
import { journalReasons } from './journal-reasons.ts';
import { journalReports } from './journal-reports.ts';
import { entryOf, entryReader, journalTables, ownSubjects, pendingRows, subjectsOf } from './journal-row.ts';
import { oncePerTurn } from './turns.ts';

/** Of each kind: what one person may make another submission of theirs read. */
const mostRecent = 100;

interface JournalOptions {
  readonly file: string;
  readonly seal: Seal & KeyedHash;
  readonly routes?: EventRoutes | undefined;
  readonly clock?: Clock | undefined;
}

/** Hashed and sealed before the transaction, during which the process stands still. */
interface Ready {
  readonly digests: readonly string[];
  readonly payload: string;
  readonly told: ReadyEvents;
}

interface Given extends Ready {
  readonly request: SubmissionRequest;
  readonly made: SubmissionMade;
  readonly by: Submitter;
}

interface Submitter extends Submitted {
  /** The journal has nothing of the person, as of most who click in a mailing: there is nothing to look for. */
  readonly isFirst: boolean;
}

/**
 * The journal in one SQLite file, which several processes of one machine may share. Payloads are sealed; a subject
 * is found by its keyed hash alone.
 */
export function openJournal({ file, seal, routes = () => undefined, clock }: JournalOptions): Journal {
  const database = openDatabase(file, journalTables);
  const { prepare, together } = database;
  const hashes = (subject: SubjectId) => subjectsOf(seal, subject);
  const entry = (row: Row) => entryOf(seal, row);
  const reader = entryReader(database, seal);
  const { columns } = reader;

  const byNonce = prepare('SELECT * FROM submission WHERE nonce = :nonce');
  const byReference = prepare('SELECT * FROM submission WHERE reference = :reference');
  const byOwner = prepare(`SELECT * FROM submission WHERE reference = :reference AND ${ownSubjects}`);
  const pending = prepare(
    `SELECT ${columns} FROM submission
     WHERE center = :center AND ${ownSubjects} AND state = 'pending' ORDER BY sequence`,
  );
  const recent = prepare(
    `SELECT * FROM (
       SELECT ${columns} FROM submission
       WHERE ${ownSubjects} AND state = 'pending' ORDER BY sequence DESC LIMIT :limit)
     UNION ALL
     SELECT * FROM (
       SELECT ${columns} FROM submission
       WHERE ${ownSubjects} AND state <> 'pending' AND done_at >= :since
       ORDER BY done_at DESC LIMIT :limit)
     UNION ALL
     SELECT * FROM (
       SELECT ${columns} FROM submission
       WHERE ${ownSubjects} AND state <> 'pending' AND +done_at < :since AND said_again_at >= :since
       ORDER BY said_again_at DESC LIMIT :limit)
     ORDER BY sequence`,
  );
  const history = prepare(
    `SELECT ${columns} FROM submission
     WHERE center = :center AND ${ownSubjects} ORDER BY sequence DESC LIMIT :limit OFFSET :offset`,
  );
  const historySize = prepare(
    `SELECT count(*) AS count FROM submission WHERE center = :center AND ${ownSubjects}`,
  );
  const after = prepare(
    `SELECT ${columns} FROM submission WHERE ${ownSubjects}
       AND sequence > (SELECT sequence FROM submission WHERE reference = :reference) ORDER BY sequence DESC`,
  );
  const later = prepare(
    `SELECT 1 FROM submission INDEXED BY submission_open
     WHERE state = 'pending' AND center = :center AND ${ownSubjects} AND done_at IS NULL AND due_at > :now LIMIT 1`,
  );
  const insert = prepare(
    `INSERT INTO submission (reference, nonce, digest, center, subject, door, state, everything, withdraws, gpc,
       bounded, submitted_at, due_at, passable, expires_at, undoes, repeats, payload)
     VALUES (:reference, :nonce, :digest, :center, :subject, :channel, 'pending', :everything, :withdraws, :gpc,
       :bounded, :now, :dueAt, :passable, :expiresAt, :undoes, :repeats, :payload) RETURNING sequence`,
  );
  const markUndone = prepare(
    `UPDATE submission SET undone_by = :by
     WHERE reference = :reference AND ${ownSubjects} AND center = :center AND undone_by IS NULL`,
  );

  const ofPerson = prepare(`SELECT 1 FROM submission WHERE ${ownSubjects} LIMIT 1`);
  const open = prepare(`SELECT subject FROM submission WHERE state = 'pending' AND ${ownSubjects} LIMIT 1`);
  const hash = (subject: SubjectId) => seal.hash('journal subject', subject);
  /** That of what is open: a person has one queue, also beside a process with another first secret. */
  function queueing({ hash, subjects }: Submitted): string {
    const found = open.get({ subjects });
    return found === undefined ? hash : text(found, 'subject');
  }

  const reasons = journalReasons(database, seal);
  const clicks = journalClicks(database, seal);
  const events = journalEvents(database, { seal, routes, now: clock?.now() ?? 0 });

  const inTurn = oncePerTurn(database);

  adoptCurrentKey();

  function submittedBy(request: SubmissionRequest, digests: readonly string[]): Submitter {
    const own = hashesOf(seal, request.subject);
    const subjects = JSON.stringify(own);
    return {
      channel: request.channel,
      center: request.center,
      hash: own[0] ?? '',
      subjects,
      digests,
      isFirst: ofPerson.get({ subjects }) === undefined,
    };
  }

  async function ready(request: SubmissionRequest, made: SubmissionMade): Promise<Ready> {
    const { reference } = made;
    const digests = digestsOf(seal, request);
    const payload = sealWork(seal, reference, made.work);
    if (isLong(payload)) await endTurn();
    return { digests, payload, told: await events.ready({ ...request, reference }, made) };
  }

  function write({ request, made, by, payload, told }: Given, { dueAt, repeats }: ClickPlace): void {
    const { now } = made;
    const written = insert.get({
      reference: made.reference,
      nonce: request.nonce,
      digest: by.digests[0] ?? '',
      center: request.center,
      subject: by.isFirst ? by.hash : queueing(by),
      channel: request.channel,
      everything: Number(request.intent.everything === 'withdraw'),
      withdraws: Number(withdraws(request.intent)),
      gpc: Number(request.globalPrivacyControl),
      bounded: Number(isBounded(request)),
      now,
      dueAt,
      // What comes later need not wait for one that itself waits.
      passable: Number(dueAt > now),
      repeats: repeats ?? null,
      expiresAt: made.expiresAt ?? null,
      undoes: request.undoes ?? null,
      payload,
    });
    if (request.undoes !== undefined) {
      const { undoes: reference, center } = request;
      markUndone.run({ reference, center, subjects: by.subjects, by: made.reference });
    }
    // What repeats an earlier one has given its reasons.
    if (repeats === undefined) reasons.add(request.center, made.now, request.reasons);
    const sequence = Number(written?.['sequence']);
    events.add(told, sequence);
  }

  /** After a rotation: what is open must queue under the hash that new submissions get. */
  function adoptCurrentKey(): void {
    if (seal.hashes('journal subject', '').length < 2) return;
    const rehash = prepare('UPDATE submission SET subject = :subject WHERE reference = :reference');
    together(() => {
      for (const row of pendingRows(database)) {
        const subject = entry(row).work?.request.subject;
        if (subject === undefined || hash(subject) === row['subject']) continue;
        rehash.run({ subject: hash(subject), reference: text(row, 'reference') });
      }
    });
  }

  const isOf = prepare('SELECT address FROM platform');
  const bind = prepare(
    'INSERT INTO platform (one, address) VALUES (1, :address) ON CONFLICT (one) DO UPDATE SET address = :address',
  );

  return {
    async bindTo(platform, movedFrom) {
      return together(() => {
        const found = isOf.get()?.['address'];
        const isFree = found === undefined || found === movedFrom;
        if (isFree) bind.run({ address: platform });
        return isFree ? platform : String(found);
      });
    },
    ...journalQueue(database, { seal, events, clicks }),
    ...journalReports(database, { seal, reasons, clicks }),
    async record(request, made) {
      const own = await ready(request, made);
      return inTurn((): Recorded => {
        const known = byNonce.get({ nonce: request.nonce });
        if (known !== undefined) {
          const isSame = own.digests.includes(text(known, 'digest'));
          return { kind: isSame ? 'known' : 'other', entry: entry(known) };
        }
        const by = submittedBy(request, own.digests);
        const click = isBounded(request) && !by.isFirst ? clicks.look(by, made.now) : undefined;
        if (click?.open !== undefined) {
          clicks.sayAgain(click.open.reference, made.now);
          return { kind: 'open', entry: click.open };
        }
        const place = click?.place ?? { dueAt: made.now, repeats: undefined };
        const isAlone =
          by.isFirst || later.get({ center: by.center, subjects: by.subjects, now: made.now }) === undefined;
        write({ ...own, request, made, by }, place);
        return { kind: 'new', entry: newEntry(request, made, place), isAlone };
      });
    },
    async find(reference) {
      const row = byReference.get({ reference });
      return row === undefined ? undefined : reader.one(row);
    },
    async findOwn(reference, subject) {
      const row = byOwner.get({ reference, subjects: hashes(subject) });
      return row === undefined ? undefined : asOwn(subject, [await reader.one(row)])[0];
    },
    async pendingOf(center, subject) {
      const entries = await reader.all(pending.all({ center, subjects: hashes(subject) }));
      return asOwn(subject, entries).filter(({ state }) => state === 'pending');
    },
    async recentOf(subject, since) {
      return asOwn(
        subject,
        await reader.all(recent.all({ subjects: hashes(subject), since, limit: mostRecent })),
      );
    },
    async historyOf(center, subject, { limit, offset }) {
      const rows = history.all({ center, subjects: hashes(subject), limit, offset });
      return asOwn(subject, await reader.all(rows));
    },
    async historySize(center, subject) {
      return Number(historySize.get({ center, subjects: hashes(subject) })?.['count'] ?? 0);
    },
    async laterThan({ reference }, subject) {
      return asOwn(subject, await reader.all(after.all({ reference, subjects: hashes(subject) })));
    },
    async emptyLog() {
      database.emptyLog();
    },
    async close() {
      database.close();
    },
  };
}
