import type { Paging } from '../../pages/person/record.ts';
import { createNames, inPageOrder } from '../../pages/person/result.ts';
import type { Center } from './center.ts';
import type { Subject } from './subject.ts';
import type { Submission } from './submission.ts';
import type { Visit } from './visit.ts';

/** A person's record as a file to keep: plain JSON, which is then signed. Times are ISO 8601 in UTC. */
export interface RecordCopy {
  readonly iss: string;
  readonly sub: string;
  readonly issuedAt: string;
  readonly center: { readonly id: string; readonly title: string | undefined };
  readonly language: string;
  /** How many entries the whole record has, and which of its files this is, from 1. */
  readonly total: number;
  readonly part: number;
  readonly parts: number;
  /** Newest first. */
  readonly entries: readonly RecordCopyEntry[];
}

export interface RecordCopyEntry extends Omit<Submission, 'items' | 'center' | 'submittedAt' | 'doneAt'> {
  readonly submittedAt: string;
  readonly doneAt: string | undefined;
  readonly items: readonly (Submission['items'][number] & { readonly name: string })[];
}

/** A flattened JWS (RFC 7515, 7.2.2). */
export interface SignedRecord {
  readonly payload: string;
  readonly protected: string;
  readonly signature: string;
}

/** A key of a key set (RFC 7517). */
export interface PublicKey {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
  readonly alg: string;
  readonly use: string;
}

export function buildRecordCopy(input: {
  /** The address of this house. */
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
