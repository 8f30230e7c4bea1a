import { emptyState } from '../core/consent/desired-state.ts';
import { joined } from '../core/consent/joined-person.ts';
import type {
  OpenSubmission,
  Person,
  Progress,
  SubmissionEntry,
  SubmissionWork,
} from '../core/consent/person.ts';
import type { Evidence } from '../core/model/evidence/evidence.ts';
import type { SubmissionRequest } from '../core/model/submission/submission-request.ts';
import type { NewSubmission } from '../ports/people.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import { mapInTurns } from '../turn.ts';
import { openEvidence } from './evidence-seal.ts';
import { hashesOf, openRequest, openRows, sealedProgress } from './journal-seal.ts';
import { earliest, personRows } from './people-rows.ts';
import type { PersonRow, SubmissionRow } from './people-schema.ts';
import type { Queries } from './sql.ts';

const noProgress: Progress = { lines: [], calls: [], events: 0 };

/** A person, and when they are due, as read with a submission of theirs. */
export interface Standing {
  readonly person: Person;
  readonly dueAt: number | undefined;
}

/** The columns that are read of a person's row; a person may have several rows. */
type StandingRow = Pick<PersonRow, 'subject' | 'document' | 'due_at'>;

/** A submission's row, with columns of its person's row where these were read. */
export type JoinedRow = SubmissionRow & Partial<Pick<PersonRow, 'document' | 'due_at'>>;

const personColumn = (column: string) =>
  `(SELECT p.${column} FROM person p WHERE p.subject = s.subject) AS ${column}`;
/** No join: without statistics PostgreSQL would read all people for it. */
export const joinedRow = `SELECT s.*, ${personColumn('document')}, ${personColumn('due_at')} FROM submission s`;

export function entryReader(seal: Seal & KeyedHash) {
  const isRotated = seal.hashes('journal subject', '').length > 1;

  /** Joins the rows of each person, which may be under several secrets. */
  function standingsOf(rows: readonly StandingRow[]): ReadonlyMap<string, Standing> {
    const standings = new Map<string, Standing>();
    for (const { row, person } of openRows(seal, rows)) {
      const before = standings.get(person.subject);
      standings.set(person.subject, {
        person: before === undefined ? person : joined(before.person, person),
        dueAt: earliest([before?.dueAt, row.due_at]),
      });
    }
    return standings;
  }

  /** Reads the people of requests by every hash. */
  async function lookUp(queries: Queries, asked: readonly (SubmissionRequest | undefined)[]) {
    const subjects = new Set(
      asked.flatMap((each) => (each === undefined ? [] : hashesOf(seal, each.subject))),
    );
    return standingsOf(subjects.size === 0 ? [] : await queries.all(personRows, { subjects: [...subjects] }));
  }

  return {
    /** Joins a person's rows, which may be under several secrets; undefined if none opens. */
    person: (rows: readonly StandingRow[]) => standingsOf(rows).values().next().value?.person,
    async one(queries: Queries, row: JoinedRow, standing?: Standing): Promise<SubmissionEntry> {
      const request = openRequest(seal, row);
      if (request === undefined) return entryOf(seal, row, undefined, undefined);
      if (standing?.person.subject === request.subject) return entryOf(seal, row, request, standing);
      const found = isRotated ? await lookUp(queries, [request]) : standingsOf([row].filter(hasPerson));
      return entryOf(seal, row, request, found.get(request.subject));
    },
    /** Takes several turns of the event loop if the rows take long. */
    async all(queries: Queries, rows: readonly JoinedRow[]) {
      const requests = await mapInTurns(rows, (row) => openRequest(seal, row));
      const withPerson = isRotated ? [] : rows.filter(hasPerson);
      const standings = withPerson.length > 0 ? standingsOf(withPerson) : await lookUp(queries, requests);
      return mapInTurns(rows, (row, place) => {
        const request = requests[place];
        return entryOf(seal, row, request, request && standings.get(request.subject));
      });
    },
  };
}

function hasPerson(row: JoinedRow): row is JoinedRow & StandingRow {
  return row.document !== undefined;
}

function entryOf(
  seal: Seal & KeyedHash,
  row: SubmissionRow,
  request: SubmissionRequest | undefined,
  standing: Standing | undefined,
): SubmissionEntry {
  const { reference, center, channel, state, undoes } = row;
  return {
    reference,
    center,
    channel,
    state,
    undoes,
    everything: row.everything === 1,
    globalPrivacyControl: row.gpc === 1,
    submittedAt: row.submitted_at,
    doneAt: row.done_at,
    undoneBy: row.undone_by,
    receipts: JSON.parse(row.receipts),
    dueAt: standing?.dueAt,
    work: request && workOf(seal, row, { request, person: standing?.person }),
    evidence: openEvidence(seal, row),
  };
}

/** undefined for a pending submission whose person no key opens. */
function workOf(
  seal: Seal,
  { state, reference, progress }: Pick<SubmissionRow, 'state' | 'reference' | 'progress'>,
  { request, person }: { readonly request: SubmissionRequest; readonly person: Person | undefined },
): SubmissionWork | undefined {
  if (person === undefined && state === 'pending') return undefined;
  const { subject, center } = request;
  const open = person && openIn(person, reference);
  return {
    request,
    progress: open?.progress ?? sealedProgress.open(seal, `${reference} ${subject}`, progress) ?? noProgress,
    desired: person?.desired ?? emptyState,
    tries: person?.tries.find((each) => each.center === center),
  };
}

/** The entry of a submission that was just written, as a read would give it. */
export function newEntry(
  seal: Seal,
  { request, reference, now }: NewSubmission,
  { person, dueAt }: Standing,
  asked: Evidence['asked'],
): SubmissionEntry {
  const { center, channel, intent, undoes, globalPrivacyControl } = request;
  const { state = 'pending', doneAt } = openIn(person, reference) ?? {};
  return {
    reference,
    center,
    channel,
    state,
    undoes,
    globalPrivacyControl,
    doneAt,
    dueAt,
    everything: intent.everything === 'withdraw',
    submittedAt: now,
    undoneBy: undefined,
    receipts: [],
    work: workOf(seal, { reference, state }, { request, person }),
    evidence: { asked, ended: undefined },
  };
}

export function openIn({ open }: Person, reference: string): OpenSubmission | undefined {
  return open.find((each) => each.reference === reference);
}

/** The content of a submission that was recorded before; undefined if no key opens it. */
export function openSubmissionOf(seal: Seal & KeyedHash, row: SubmissionRow): OpenSubmission | undefined {
  const request = openRequest(seal, row);
  if (request === undefined) return undefined;
  const { center, channel, intent, undoes, subject } = request;
  const { reference, state, submitted_at: submittedAt, done_at: doneAt } = row;
  return {
    reference,
    center,
    channel,
    intent,
    undoes,
    submittedAt,
    state,
    doneAt,
    progress: sealedProgress.open(seal, `${reference} ${subject}`, row.progress) ?? noProgress,
  };
}
