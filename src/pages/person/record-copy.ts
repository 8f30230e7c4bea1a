import type { Center } from '../../core/model/center.ts';
import type { RecordCopy, RecordCopyEntry } from '../../core/model/record-copy.ts';
import type { Subject } from '../../core/model/subject.ts';
import type { Submission } from '../../core/model/submission.ts';
import type { Visit } from '../../core/model/visit.ts';
import { createNames, createPageOrder } from './names.ts';
import type { Paging } from './record.ts';

/** Its JSON, in steps, for it may be of thousands of items. */
export function* buildRecordCopy(input: {
  /** The address of this installation. */
  readonly issuer: string;
  readonly now: number;
  readonly visit: Pick<Visit, 'subject'>;
  readonly center: Center;
  readonly subject: Subject | undefined;
  readonly language: string;
  readonly history: readonly Submission[];
  readonly paging: Paging;
}): Generator<number, string> {
  const { center, language, visit, history } = input;
  const nameOf = createNames(input);
  const inOrder = createPageOrder(center);
  const entries: string[] = [];
  for (const { items, center: _center, submittedAt, doneAt, ...submission } of history) {
    const entry: RecordCopyEntry = {
      ...submission,
      submittedAt: isoOf(submittedAt),
      doneAt: doneAt === undefined ? undefined : isoOf(doneAt),
      items: inOrder(items).map((item) => ({ ...item, name: nameOf(item).text })),
    };
    entries.push(JSON.stringify(entry));
    yield items.length;
  }
  const copy: Omit<RecordCopy, 'entries'> = {
    iss: input.issuer,
    sub: visit.subject,
    issuedAt: isoOf(input.now),
    center: { id: center.id, title: center.title },
    language,
    total: input.paging.total,
    part: input.paging.page,
    parts: input.paging.pages,
  };
  return `${JSON.stringify(copy).slice(0, -1)},"entries":[${entries.join()}]}`;
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
