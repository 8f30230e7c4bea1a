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
import type { SubjectId } from '../core/model/person/subject.ts';
import type { SubmissionRequest } from '../core/model/submission/submission-request.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import { mapInTurns } from '../turn.ts';
import { openEvidence } from './evidence-seal.ts';
import { hashesOf } from './journal-seal.ts';
import type { PersonRow, SubmissionRow } from './people-schema.ts';
import { openPerson, openProgress, openRequest } from './people-seal.ts';
import { type Dialect, type Queries, reading } from './sql.ts';

export const noProgress: Progress = { lines: [], calls: [], events: 0 };

/** A person as they are known when a submission of theirs is read. */
export interface Standing {
  readonly person: Person;
  readonly dueAt: number | undefined;
}

/** What is read of a person, to whom several rows may belong. */
type StandingRow = Pick<PersonRow, 'subject' | 'document' | 'due_at'>;

/** A submission's row, of which some also have those of their person. */
export type JoinedRow = SubmissionRow & Partial<Pick<PersonRow, 'document' | 'due_at'>>;

interface OpenedRow {
  readonly row: StandingRow;
  readonly person: Person;
}

export interface EntryReader {
  one(queries: Queries, row: JoinedRow, standing?: Standing): Promise<SubmissionEntry>;
  /** As many in one turn of the event loop as are not long together. `own`: of which person all rows must be. */
  all(queries: Queries, rows: readonly JoinedRow[], own?: SubjectId): Promise<readonly SubmissionEntry[]>;
  /** What a person's rows hold, be it under several secrets. undefined: no row, or none that opens. */
  person(rows: readonly StandingRow[]): Person | undefined;
}

const ofPerson = (column: string) =>
  `(SELECT p.${column} FROM person p WHERE p.subject = s.subject) AS ${column}`;
/** Not by a join: without statistics it would read all people. */
export const joinedRow = `SELECT s.*, ${ofPerson('document')}, ${ofPerson('due_at')} FROM submission s`;

export function entryReader({ isIn }: Dialect, seal: Seal & KeyedHash): EntryReader {
  const people = reading<StandingRow>(
    `SELECT subject, document, due_at FROM person WHERE ${isIn('subject', 'subjects')}`,
  );
  const isRotated = seal.hashes('journal subject', '').length > 1;

  /** By the newest secret; rows under older ones come first. */
  function whole(opened: readonly OpenedRow[]): Person | undefined {
    const aged = opened.map(({ row, person }) => {
      return { person, age: hashesOf(seal, person.subject).indexOf(row.subject) };
    });
    const sorted = aged.toSorted((one, other) => other.age - one.age);
    return sorted
      .map(({ person }) => person)
      .reduce<Person | undefined>((all, each) => (all ? joined(all, each) : each), undefined);
  }

  const openedIn = (rows: readonly StandingRow[]) =>
    rows.flatMap((row): OpenedRow[] => {
      const person = openPerson(seal, row);
      return person === undefined ? [] : [{ row, person }];
    });

  function standingsOf(rows: readonly StandingRow[]): ReadonlyMap<string, Standing> {
    const bySubject = Map.groupBy(openedIn(rows), ({ person }) => person.subject);
    return new Map(
      [...bySubject].flatMap(([subject, found]): [string, Standing][] => {
        const person = whole(found);
        const due = found.flatMap(({ row }) => row.due_at ?? []);
        if (person === undefined) return [];
        return [[subject, { person, dueAt: due.length === 0 ? undefined : Math.min(...due) }]];
      }),
    );
  }

  /** Of rows without their person: by every hash. */
  async function look(queries: Queries, rows: readonly JoinedRow[], opened: Opened) {
    const subjects = rows.flatMap((row) => {
      const request = opened.get(row);
      return request === undefined ? [] : hashesOf(seal, request.subject);
    });
    return subjects.length === 0 ? [] : queries.all(people, { subjects: [...new Set(subjects)] });
  }

  type Opened = ReadonlyMap<JoinedRow, SubmissionRequest | undefined>;

  return {
    person: (rows) => whole(openedIn(rows)),
    async one(queries, row, standing) {
      const request = openRequest(seal, row);
      if (request !== undefined && standing?.person.subject === request.subject)
        return entryOf(seal, row, request, new Map([[request.subject, standing]]));
      const opened = new Map([[row, request]]);
      const rows = isRotated ? await look(queries, [row], opened) : [row].filter(hasPerson);
      return entryOf(seal, row, request, standingsOf(rows));
    },
    async all(queries, rows, own) {
      const requests = await mapInTurns(rows, (row): [JoinedRow, SubmissionRequest | undefined] => {
        const request = openRequest(seal, row);
        return [row, own === undefined || request?.subject === own ? request : undefined];
      });
      const opened = new Map(requests);
      const there = rows.filter(hasPerson);
      const isKnown = there.length > 0 && own !== undefined && !isRotated;
      const standings = standingsOf(isKnown ? there : await look(queries, rows, opened));
      return mapInTurns(rows, (row) => entryOf(seal, row, opened.get(row), standings));
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
  standings: ReadonlyMap<string, Standing>,
): SubmissionEntry {
  const standing = request && standings.get(request.subject);
  const { reference, center, channel, state, undoes } = row;
  return {
    ...{ reference, center, channel, state, undoes },
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
  { state, reference, progress }: SubmissionRow,
  { request, person }: { readonly request: SubmissionRequest; readonly person: Person | undefined },
): SubmissionWork | undefined {
  if (person === undefined && state === 'pending') return undefined;
  const { subject, center } = request;
  const open = person && openIn(person, reference);
  return {
    request,
    progress: open?.progress ?? openProgress(seal, { reference, subject }, progress) ?? noProgress,
    desired: person?.desired ?? emptyState,
    tries: person?.tries.find((each) => each.center === center),
  };
}

/** One that was just written, as it would be read. */
export function newEntry(
  request: SubmissionRequest,
  { reference, now }: { readonly reference: string; readonly now: number },
  { person, dueAt }: Standing,
  asked: Evidence['asked'],
): SubmissionEntry {
  const open = openIn(person, reference);
  return {
    reference,
    center: request.center,
    channel: request.channel,
    state: open?.state ?? 'pending',
    everything: request.intent.everything === 'withdraw',
    globalPrivacyControl: request.globalPrivacyControl,
    submittedAt: now,
    doneAt: open?.doneAt,
    undoes: request.undoes,
    undoneBy: undefined,
    receipts: [],
    dueAt,
    work: {
      request,
      progress: open?.progress ?? noProgress,
      desired: person.desired,
      tries: person.tries.find(({ center }) => center === request.center),
    },
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
    ...{ reference, center, channel, intent, undoes, submittedAt, state, doneAt },
    progress: openProgress(seal, { reference, subject }, row.progress) ?? noProgress,
  };
}
