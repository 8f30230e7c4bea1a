import type { Center } from '../../core/model/center.ts';
import type { RecordCopy } from '../../core/model/record-copy.ts';
import type { Subject } from '../../core/model/subject.ts';
import type { Submission } from '../../core/model/submission.ts';
import type { Visit } from '../../core/model/visit.ts';
import { createNames, inPageOrder } from './names.ts';
import type { Paging } from './record.ts';

export function buildRecordCopy(input: {
  /** The address of this installation. */
  readonly issuer: string;
  readonly now: number;
  readonly visit: Pick<Visit, 'subject'>;
  readonly center: Center;
  readonly subject: Subject | undefined;
  readonly language: string;
  readonly history: readonly Submission[];
  readonly paging: Paging;
}): RecordCopy {
  const { center, language, visit, history } = input;
  const nameOf = createNames(input);
  return {
    iss: input.issuer,
    sub: visit.subject,
    issuedAt: isoOf(input.now),
    center: { id: center.id, title: center.title },
    language,
    total: input.paging.total,
    part: input.paging.page,
    parts: input.paging.pages,
    entries: history.map(({ items, center: _center, submittedAt, doneAt, ...submission }) => ({
      ...submission,
      submittedAt: isoOf(submittedAt),
      doneAt: doneAt === undefined ? undefined : isoOf(doneAt),
      items: inPageOrder(items, center).map((item) => ({ ...item, name: nameOf(item).text })),
    })),
  };
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
