import { withdraws } from '../core/model/submission/intent.ts';
import type { Recorded, Written } from '../ports/people.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import { isIn, isWritten, lookUp, rows } from './dialect.ts';
import { digestsOf, sealedPerson, sealedProgress, sealedReason } from './journal-seal.ts';
import { type JoinedRow, joinedRow, newEntry, openIn } from './people-entry.ts';
import { type FoundPeople, type Given, peopleRows } from './people-rows.ts';
import { dayMs, openDay, submissionColumns } from './people-schema.ts';
import { changedRow, type PeopleParts, type Undoing } from './people-write.ts';
import {
  type Columns,
  type Queries,
  reading,
  rowsValue,
  type Transaction,
  type Write,
  writing,
} from './sql.ts';

// A person's row is written if it is new, or still has the version that was found. Nothing is written if a
// nonce of the group was recorded before.
const lead = writing`
  INSERT INTO person AS p (subject, version, document, due_at, withdraws, owner, lease_until, touched_at)
  SELECT r.subject, r.version, r.document, r.due_at, r.withdraws, r.owner, r.until, r.now
  FROM ${rows('r', {
    subject: 'text',
    version: 'whole',
    document: 'text',
    due_at: 'whole',
    withdraws: 'whole',
    owner: 'text',
    until: 'whole',
    now: 'whole',
  })}
  WHERE NOT EXISTS (SELECT 1 FROM submission s WHERE ${isIn('s.nonce', 'nonces')})
  ORDER BY r.subject
  ON CONFLICT (subject) DO UPDATE SET version = excluded.version, document = excluded.document,
    due_at = excluded.due_at, withdraws = excluded.withdraws, touched_at = excluded.touched_at,
    owner = CASE WHEN p.lease_until <= excluded.touched_at THEN excluded.owner ELSE p.owner END,
    lease_until = CASE WHEN p.lease_until <= excluded.touched_at THEN excluded.lease_until
      ELSE p.lease_until END
  WHERE p.version = excluded.version - 1
  RETURNING subject, owner`;
const made = writing`
  INSERT INTO submission (reference, nonce, digest, center, subject, channel, state, everything, withdraws,
    gpc, submitted_at, done_at, undoes, receipts, request, progress, asked, asked_leaf, words, ended,
    ended_leaf, ended_day)
  SELECT m.reference, m.nonce, m.digest, m.center, m.subject, m.channel, m.state, m.everything, m.withdraws,
    m.gpc, m.now, m.done_at, m.undoes, m.receipts, m.request, m.progress, m.asked, m.asked_leaf,
    (SELECT w.sequence FROM wording w WHERE w.digest = m.words), m.ended, m.ended_leaf,
    ${openDay('m.ended_day')}
  FROM ${rows('m', submissionColumns)}
  WHERE ${isWritten('m.subject')} ORDER BY m.n RETURNING reference, sequence`;
const known = reading<JoinedRow>`
  ${joinedRow} WHERE ${isIn('s.nonce', 'nonces')} OR ${isIn('s.reference', 'references')}`;
const addReasons = writing<
  Columns<'sequence', number> & Columns<'text', string> & Partial<Columns<'id', string>>
>`
  INSERT INTO reason (center, day, id, text)
  SELECT r.center, r.day, r.id, r.text
  FROM ${rows('r', { center: 'text', day: 'whole', id: 'text', text: 'text' })}
  WHERE true ORDER BY r.n RETURNING sequence, id, text`;
const sealReasons = writing`
  UPDATE reason SET text = r.text FROM ${rows('r', { sequence: 'whole', text: 'text' })}
  WHERE reason.sequence = r.sequence AND ${lookUp('reason.sequence', 'numbers')}`;

/** A submission of a group, with the change that it makes to the person. */
interface Planned extends Given, Written {
  /** The submission as it was given: the key of `recorded`. */
  readonly given: Given;
}

type ReasonRow = Columns<'center' | 'text', string> &
  Columns<'id', string | undefined> &
  Columns<'day', number>;

/** Writes the submissions of several people in one statement, if their rows still are as found or guessed. */
export function groupWriter({ sql, seal, reader, beside, messageWrites }: PeopleParts) {
  const { found, locked, joinOlder } = peopleRows(sql, seal);

  function personRows(planned: readonly Planned[], people: FoundPeople) {
    const last = new Map(planned.map((each) => [each.row, each]));
    return [...last].map(([subject, { given, change, submission }]) => {
      const { person, dueAt, withdraws: isWithdrawing } = change;
      const { now } = submission;
      const before = people.get(subject)?.version;
      const lease = dueAt !== undefined && dueAt <= now ? given.lease : undefined;
      return {
        subject,
        // A row that holds a person has a version above 0, so a guess that the person is new does not
        // overwrite it.
        version: (before ?? 0) + 1,
        document: sealedPerson.seal(seal, subject, person),
        due_at: dueAt && Math.round(dueAt),
        withdraws: Number(isWithdrawing),
        owner: lease?.owner,
        until: lease?.until ?? 0,
        now,
      };
    });
  }

  function besideOf(planned: readonly Planned[], fresh: readonly Planned[]): readonly Write[] {
    if (fresh.length === 0) return [];
    const undoings = fresh.flatMap(({ submission: { reference: by, request }, row, subjects }): Undoing[] => {
      const { undoes, center } = request;
      return undoes === undefined ? [] : [{ row, by, undoes, center, subjects }];
    });
    const references = new Set(fresh.map(({ submission }) => submission.reference));
    const ended = new Map(
      planned.flatMap(({ change }) => change.submissions.map((each) => [each.reference, each])),
    );
    const rows = fresh.map((each) => {
      const row = submissionRow(seal, each);
      // A later submission of the group may have changed this one.
      const later = ended.get(row.reference);
      const { subject } = each.submission.request;
      return later === undefined ? row : { ...row, ...changedRow(seal, subject, later) };
    });
    return [
      { name: 'made', statement: made, values: { m: rowsValue(rows) } },
      ...messageWrites(fresh),
      ...beside(fresh, undoings, references),
    ];
  }

  /** `people`: the rows as they were found or guessed. */
  async function write(queries: Queries, group: readonly Given[], people: FoundPeople) {
    const now = new Map([...people].map(([subject, { person }]) => [subject, person]));
    const planned = group.map((given): Planned => {
      const written = given.write(now.get(given.row));
      now.set(given.row, written.change.person);
      return { ...given, ...written, given };
    });
    const fresh = planned.filter(({ repeats }) => repeats === undefined);
    const rows = personRows(planned, people);
    const nonces = group.map(({ submission }) => submission.request.nonce);
    const first: Write = { name: 'lead', statement: lead, values: { r: rowsValue(rows), nonces } };
    const leading = await queries.together([first, ...besideOf(planned, fresh)]);
    return {
      planned,
      written: new Map(leading.map((row) => [row.subject, row])),
      versions: new Map(rows.map(({ subject, version }) => [subject, version])),
    };
  }

  /**
   * `recorded`: submissions that were written, and those whose nonce was recorded before; all others are to
   * be tried again. `told`: submissions that are no longer pending.
   */
  async function outcome(
    queries: Queries,
    { planned, written, versions }: Awaited<ReturnType<typeof write>>,
    isGuess: boolean,
  ) {
    const isIn = ({ row }: Planned) => written.has(row);
    const rest = planned.filter((each) => !isIn(each));
    const nonces = isGuess ? [] : rest.map(({ submission }) => submission.request.nonce);
    const references = planned.flatMap(({ repeats }) => repeats || []);
    const isAsked = nonces.length + references.length > 0;
    const rows = isAsked ? await queries.all(known, { nonces, references }) : [];
    const recorded = new Map<Given, Recorded>();
    for (const { given } of rest) {
      const row = rows.find(({ nonce }) => nonce === given.submission.request.nonce);
      if (row !== undefined) recorded.set(given, knownAs(seal, given, row, await reader.one(queries, row)));
    }
    const told: string[] = [];
    for (const { given, submission, row: id, lease, asked, repeats, change } of planned.filter(isIn)) {
      const row = rows.find(({ reference }) => reference === repeats);
      const entry = row && (await reader.one(queries, row, change));
      const isClaimed = lease !== undefined && written.get(id)?.owner === lease.owner;
      const { person } = change;
      recorded.set(given, {
        kind: repeats === undefined ? 'new' : 'open',
        entry: entry ?? newEntry(seal, submission, change, asked.evidence),
        claimed: isClaimed ? { id, owner: lease.owner, version: versions.get(id) ?? 0, person } : undefined,
      });
      if (repeats === undefined) told.push(...change.told);
    }
    return { recorded, told };
  }

  /**
   * Writes reasons for leaving, without a link to people. A reason in own words is sealed for its row, and
   * only the database knows the number of the row.
   */
  async function writeReasons(transaction: Transaction, reasons: readonly ReasonRow[]): Promise<void> {
    const rows = reasons.map((each, place) => (each.id === undefined ? { ...each, text: `${place}` } : each));
    const made = await transaction.all(addReasons, { r: rowsValue(rows) });
    const own = made.flatMap(({ sequence, id, text: place }) => {
      const text = reasons[Number(place)]?.text ?? '';
      return id === undefined ? { sequence, text: sealedReason.seal(seal, `${sequence}`, text) } : [];
    });
    const numbers = own.map(({ sequence }) => sequence);
    if (own.length > 0) await transaction.run(sealReasons, { r: rowsValue(own), numbers });
  }

  return {
    /** `isGuess`: all people are taken for new, which saves a statement if they are. */
    async alone(queries: Queries, group: readonly Given[], isGuess: boolean) {
      const people = isGuess ? new Map() : await found(queries, group);
      return outcome(queries, await write(queries, group, people), isGuess);
    },
    /**
     * Writes what takes several statements: reasons, rows under older secrets, people whom others change all
     * the time.
     */
    async inTransaction(transaction: Transaction, group: readonly Given[], isContended: boolean) {
      if (isContended) await locked(transaction, group);
      for (const { subjects, submission } of group)
        if (subjects.length > 1) await joinOlder(transaction, submission.request.subject);
      const made = await write(transaction, group, await found(transaction, group));
      const reasons = made.planned.flatMap(({ submission: { now, request }, row, repeats }) => {
        const where = { center: request.center, day: now - (now % dayMs) };
        const isNew = repeats === undefined && made.written.has(row);
        return isNew ? request.reasons.map((reason) => ({ ...reason, ...where })) : [];
      });
      if (reasons.length > 0) await writeReasons(transaction, reasons);
      return outcome(transaction, made, false);
    },
  };
}

function submissionRow(
  seal: Seal & KeyedHash,
  { submission, row: subject, request: sealed, asked, change }: Planned,
) {
  const { request, reference, now } = submission;
  const open = openIn(change.person, reference);
  const isOpen = open === undefined || open.state === 'pending';
  return {
    reference,
    now,
    nonce: request.nonce,
    center: request.center,
    channel: request.channel,
    digest: digestsOf(seal, request)[0] ?? '',
    subject,
    state: open?.state ?? 'pending',
    everything: Number(request.intent.everything === 'withdraw'),
    withdraws: Number(withdraws(request.intent)),
    gpc: Number(request.globalPrivacyControl),
    done_at: open?.doneAt,
    undoes: request.undoes,
    receipts: '[]',
    request: sealed,
    asked: asked.sealed,
    asked_leaf: asked.leaf,
    words: request.shown?.words,
    // The progress of an open submission is in the person's document.
    progress: isOpen
      ? undefined
      : sealedProgress.seal(seal, `${reference} ${request.subject}`, open.progress),
  };
}

/** The result for a recorded nonce: of an earlier submission, or of this one after a lost answer. */
function knownAs(
  hash: KeyedHash,
  { submission: { request, reference } }: Given,
  { digest }: JoinedRow,
  entry: Recorded['entry'],
): Recorded {
  if (entry.reference === reference) return { kind: 'new', entry };
  const isSame = digest !== undefined && digestsOf(hash, request).includes(digest);
  return { kind: isSame ? 'known' : 'other', entry };
}
