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
import type { Channel, Submission } from '../core/model/submission/submission.ts';
import type { SubmissionRequest } from '../core/model/submission/submission-request.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import { mapInTurns } from '../turn.ts';
import { openEvidence } from './evidence-seal.ts';
import { hashesOf } from './journal-seal.ts';
import { openPerson, openProgress, openRequest } from './people-seal.ts';
import { type Dialect, type Queries, type Row, reading } from './sql.ts';

export const noProgress: Progress = { lines: [], calls: [], events: 0 };

/** A person as they are known when a submission of theirs is read. */
export interface Standing {
  readonly person: Person;
  readonly dueAt: number | undefined;
}

interface OpenedRow {
  readonly row: Row;
  readonly person: Person;
}

/** Rows of `submission`, of which some also have `document` and `due_at` of their person. */
export interface EntryReader {
  one(queries: Queries, row: Row, standing?: Standing): Promise<SubmissionEntry>;
  /** As many in one turn of the event loop as are not long together. `own`: of which person all rows must be. */
  all(queries: Queries, rows: readonly Row[], own?: SubjectId): Promise<readonly SubmissionEntry[]>;
  /** What a person's rows hold, be it under several secrets. undefined: no row, or none that opens. */
  person(rows: readonly Row[]): Person | undefined;
}

const ofPerson = (column: string) =>
  `(SELECT p.${column} FROM person p WHERE p.subject = s.subject) AS ${column}`;
/** Not by a join: without statistics it would read all people. */
export const joinedRow = `SELECT s.*, ${ofPerson('document')}, ${ofPerson('due_at')} FROM submission s`;

export function entryReader({ isIn }: Dialect, seal: Seal & KeyedHash): EntryReader {
  const people = reading(`SELECT subject, document, due_at FROM person WHERE ${isIn('subject', 'subjects')}`);
  const isRotated = seal.hashes('journal subject', '').length > 1;

  /** By the newest secret; rows under older ones come first. */
  function whole(opened: readonly OpenedRow[]): Person | undefined {
    const aged = opened.map(({ row, person }) => {
      return { person, age: hashesOf(seal, person.subject).indexOf(String(row['subject'])) };
    });
    const sorted = aged.toSorted((one, other) => other.age - one.age);
    return sorted
      .map(({ person }) => person)
      .reduce<Person | undefined>((all, each) => (all ? joined(all, each) : each), undefined);
  }

  const openedIn = (rows: readonly Row[]) =>
    rows.flatMap((row): OpenedRow[] => {
      const person = openPerson(seal, row);
      return person === undefined ? [] : [{ row, person }];
    });

  function standingsOf(rows: readonly Row[]): ReadonlyMap<string, Standing> {
    const bySubject = Map.groupBy(openedIn(rows), ({ person }) => person.subject);
    return new Map(
      [...bySubject].flatMap(([subject, found]): [string, Standing][] => {
        const person = whole(found);
        const due = found.flatMap(({ row }) => (row['due_at'] === null ? [] : Number(row['due_at'])));
        if (person === undefined) return [];
        return [[subject, { person, dueAt: due.length === 0 ? undefined : Math.min(...due) }]];
      }),
    );
  }

  /** Of rows without their person: by every hash. */
  async function look(queries: Queries, rows: readonly Row[], opened: Opened): Promise<readonly Row[]> {
    const subjects = rows.flatMap((row) => {
      const request = opened.get(row);
      return request === undefined ? [] : hashesOf(seal, request.subject);
    });
    return subjects.length === 0 ? [] : queries.all(people, { subjects: [...new Set(subjects)] });
  }

  type Opened = ReadonlyMap<Row, SubmissionRequest | undefined>;

  return {
    person: (rows) => whole(openedIn(rows)),
    async one(queries, row, standing) {
      const request = openRequest(seal, row);
      if (request !== undefined && standing?.person.subject === request.subject)
        return entryOf(seal, row, request, new Map([[request.subject, standing]]));
      const opened = new Map([[row, request]]);
      const isThere = typeof row['document'] === 'string';
      const rows = isRotated ? await look(queries, [row], opened) : isThere ? [row] : [];
      return entryOf(seal, row, request, standingsOf(rows));
    },
    async all(queries, rows, own) {
      const requests = await mapInTurns(rows, (row): [Row, SubmissionRequest | undefined] => {
        const request = openRequest(seal, row);
        return [row, own === undefined || request?.subject === own ? request : undefined];
      });
      const opened = new Map(requests);
      const there = rows.filter((row) => typeof row['document'] === 'string');
      const isKnown = there.length > 0 && own !== undefined && !isRotated;
      const standings = standingsOf(isKnown ? there : await look(queries, rows, opened));
      return mapInTurns(rows, (row) => entryOf(seal, row, opened.get(row), standings));
    },
  };
}

function entryOf(
  seal: Seal & KeyedHash,
  row: Row,
  request: SubmissionRequest | undefined,
  standings: ReadonlyMap<string, Standing>,
): SubmissionEntry {
  const standing = request && standings.get(request.subject);
  const reference = String(row['reference']);
  return {
    reference,
    center: String(row['center']),
    channel: String(row['channel']) as Channel,
    state: String(row['state']) as Submission['state'],
    everything: row['everything'] === 1,
    globalPrivacyControl: row['gpc'] === 1,
    submittedAt: Number(row['submitted_at']),
    doneAt: optional(row['done_at']),
    undoes: text(row['undoes']),
    undoneBy: text(row['undone_by']),
    receipts: JSON.parse(String(row['receipts'])) as readonly string[],
    dueAt: standing?.dueAt,
    work: request && workOf(seal, row, { request, person: standing?.person }),
    evidence: openEvidence(seal, row),
  };
}

/** A pending submission says nothing where no key opens its person. */
function workOf(
  seal: Seal,
  row: Row,
  { request, person }: { readonly request: SubmissionRequest; readonly person: Person | undefined },
): SubmissionWork | undefined {
  if (person === undefined && row['state'] === 'pending') return undefined;
  const { subject, center } = request;
  const reference = String(row['reference']);
  const open = person?.open.find((each) => each.reference === reference);
  return {
    request,
    progress: open?.progress ?? openProgress(seal, { reference, subject }, row['progress']) ?? noProgress,
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
export function openSubmissionOf(seal: Seal & KeyedHash, row: Row): OpenSubmission | undefined {
  const request = openRequest(seal, row);
  if (request === undefined) return undefined;
  const { center, channel, intent, undoes, subject } = request;
  const reference = String(row['reference']);
  return {
    ...{ reference, center, channel, intent, undoes },
    submittedAt: Number(row['submitted_at']),
    state: String(row['state']) as Submission['state'],
    doneAt: optional(row['done_at']),
    progress: openProgress(seal, { reference, subject }, row['progress']) ?? noProgress,
  };
}

export function optional(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

function text(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
