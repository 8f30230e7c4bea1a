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

/** A person as they are known when a submission of theirs is read. */
export interface Standing {
  readonly person: Person;
  readonly dueAt: number | undefined;
}

/** What is read of a person, to whom several rows may belong. */
type StandingRow = Pick<PersonRow, 'subject' | 'document' | 'due_at'>;

/** A submission's row, of which some also have those of their person. */
export type JoinedRow = SubmissionRow & Partial<Pick<PersonRow, 'document' | 'due_at'>>;

const ofPerson = (column: string) =>
  `(SELECT p.${column} FROM person p WHERE p.subject = s.subject) AS ${column}`;
/** Not by a join: without statistics it would read all people. */
export const joinedRow = `SELECT s.*, ${ofPerson('document')}, ${ofPerson('due_at')} FROM submission s`;

export function entryReader(seal: Seal & KeyedHash) {
  const isRotated = seal.hashes('journal subject', '').length > 1;

  /** What the rows of each person hold together, be it under several secrets. */
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

  /** By every hash. */
  async function look(queries: Queries, asked: readonly (SubmissionRequest | undefined)[]) {
    const subjects = new Set(
      asked.flatMap((each) => (each === undefined ? [] : hashesOf(seal, each.subject))),
    );
    return standingsOf(subjects.size === 0 ? [] : await queries.all(personRows, { subjects: [...subjects] }));
  }

  return {
    /** What a person's rows hold, be it under several secrets. undefined: no row, or none that opens. */
    person: (rows: readonly StandingRow[]) => standingsOf(rows).values().next().value?.person,
    async one(queries: Queries, row: JoinedRow, standing?: Standing): Promise<SubmissionEntry> {
      const request = openRequest(seal, row);
      if (request === undefined) return entryOf(seal, row, undefined, undefined);
      if (standing?.person.subject === request.subject) return entryOf(seal, row, request, standing);
      const there = isRotated ? await look(queries, [request]) : standingsOf([row].filter(hasPerson));
      return entryOf(seal, row, request, there.get(request.subject));
    },
    /** As many in one turn of the event loop as are not long together. */
    async all(queries: Queries, rows: readonly JoinedRow[]) {
      const requests = await mapInTurns(rows, (row) => openRequest(seal, row));
      const there = isRotated ? [] : rows.filter(hasPerson);
      const standings = there.length > 0 ? standingsOf(there) : await look(queries, requests);
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

/** A pending submission says nothing where no key opens its person. */
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

/** One that was just written, as it would be read. */
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

/** Of a submission that was recorded before. */
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
