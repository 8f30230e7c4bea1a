import type { ChangedEnd, PersonChange, SubmissionChange, SubmissionNews } from '../core/consent/person.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import type { Seal } from '../ports/seal.ts';
import { isWritten, lookUp, position, rows } from './dialect.ts';
import { sealEnded } from './evidence-seal.ts';
import { sealedProgress } from './journal-seal.ts';
import type { MessageWrites } from './messages.ts';
import type { entryReader } from './people-entry.ts';
import type { createPeopleNews } from './people-news.ts';
import { dayMs, openDay, submissionColumns } from './people-schema.ts';
import { type Columns, rowsValue, type StoreParts, type Write, writing } from './sql.ts';

/** News about one person's submissions. */
export interface PersonNews {
  /** The id of the person's row. */
  readonly row: string;
  readonly subject: SubjectId;
  readonly news: readonly SubmissionNews[];
}

/** Makes the writes that keep events, together with what happened. */
export type NewsWrites = (items: readonly PersonNews[]) => readonly Write[];

/**
 * The submission `by` undoes `undoes`, if that is of the same center and of one of these subjects, and not
 * undone yet.
 */
export interface Undoing extends Columns<'row' | 'by' | 'undoes' | 'center', string> {
  readonly subjects: readonly string[];
}

/** Parts that the store of people shares. */
export interface PeopleParts extends StoreParts {
  readonly reader: ReturnType<typeof entryReader>;
  readonly beside: ReturnType<typeof writeBeside>;
  readonly messageWrites: MessageWrites;
  readonly board: ReturnType<typeof createPeopleNews>;
}

/** Changes to a submission's row. Columns that are absent stay as they are. */
type ChangedRow = Columns<'reference' | 'row', string> &
  Partial<ReturnType<typeof changedRow>> &
  Partial<Columns<'center' | 'subjects' | 'undone_by' | 'undone_no_more', string | undefined>>;

/** Keeps the value of a submission that ended on an earlier day, or on a closed day: a root covers it. */
const unlessLater = (column: string, value = `c.${column}`) =>
  `CASE WHEN c.ended IS NULL OR submission.ended_day < c.ended_day
     OR submission.ended_day <= (SELECT max(day) FROM day_root) THEN submission.${column} ELSE ${value} END`;

const changeSubmissions = writing`UPDATE submission SET state = coalesce(c.state, submission.state),
    done_at = CASE WHEN c.state IS NULL THEN submission.done_at ELSE c.done_at END,
    receipts = coalesce(c.receipts, submission.receipts), progress = coalesce(c.progress, submission.progress),
    ended = ${unlessLater('ended')}, ended_leaf = ${unlessLater('ended_leaf')},
    ended_day = ${unlessLater('ended_day', openDay('c.ended_day'))},
    undone_by = CASE
      WHEN submission.undone_by = c.undone_no_more THEN c.undone_by
      WHEN submission.undone_by IS NULL AND submission.center = c.center
        AND ${position}(c.subjects, submission.subject) > 0 THEN c.undone_by
      ELSE submission.undone_by END
  FROM ${rows('c', {
    ...submissionColumns,
    row: 'text',
    subjects: 'text',
    undone_by: 'text',
    undone_no_more: 'text',
  })}
  WHERE submission.reference = c.reference AND ${isWritten('c.row')}
    AND ${lookUp('submission.reference', 'references')}`;

/**
 * Makes the writes that change recorded submissions, and those of news. Each change comes with the id of the
 * person's row. `made`: submissions that are inserted by the same statement.
 */
export function writeBeside(seal: Seal, newsWrites: NewsWrites) {
  return (
    changes: readonly { readonly row: string; readonly change: PersonChange }[],
    undoings: readonly Undoing[] = [],
    made: ReadonlySet<string> = new Set(),
  ): readonly Write[] => {
    const changed = new Map<string, ChangedRow>();
    const merge = (reference: string, row: string, more: Partial<ChangedRow>) => {
      const before = changed.get(reference) ?? { reference, row };
      changed.set(reference, { ...before, ...more });
    };
    for (const { by, undoes, row, center, subjects } of undoings)
      merge(undoes, row, { undone_by: by, center, subjects: subjects.join(' ') });
    for (const { row, change } of changes)
      for (const submission of change.submissions) {
        const { reference, undoesNoMore } = submission;
        // The later of two changes in a group wins.
        if (!made.has(reference)) merge(reference, row, changedRow(seal, change.person.subject, submission));
        if (undoesNoMore === undefined) continue;
        const isOfGroup = changed.get(undoesNoMore)?.undone_by === reference;
        merge(undoesNoMore, row, isOfGroup ? { undone_by: undefined } : { undone_no_more: reference });
      }
    const told = changes.flatMap(({ row, change: { person, news } }) =>
      news.length === 0 ? [] : { row, subject: person.subject, news },
    );
    const values = { c: rowsValue([...changed.values()]), references: [...changed.keys()] };
    return [
      ...(changed.size === 0 ? [] : [{ name: 'changed', statement: changeSubmissions, values }]),
      ...(told.length === 0 ? [] : newsWrites(told)),
    ];
  };
}

export function changedRow(seal: Seal, subject: SubjectId, changed: SubmissionChange) {
  const { reference, state, doneAt, receipts, progress, ended } = changed;
  return {
    state,
    done_at: doneAt,
    receipts: JSON.stringify(receipts),
    progress: sealedProgress.seal(seal, `${reference} ${subject}`, progress),
    ...(ended && endedRow(seal, { reference, subject }, ended)),
  };
}

function endedRow(seal: Seal, of: Columns<'reference' | 'subject', string>, { at, ...content }: ChangedEnd) {
  const { sealed, leaf } = sealEnded(seal, of, content);
  return { ended: sealed, ended_leaf: leaf, ended_day: at - (at % dayMs) };
}
