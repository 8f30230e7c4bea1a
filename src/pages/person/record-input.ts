import type { Center } from '../../core/model/center/center.ts';
import type { RecordedSubmission } from '../../core/model/evidence/evidence.ts';
import type { WordsOfThen } from '../../core/model/evidence/wording.ts';
import type { ConsentRecord, Subject } from '../../core/model/person/subject.ts';
import type { Messages } from '../../i18n/catalogue.ts';
import type { PageContext } from './layout.ts';
import type { createNames, createPageOrder } from './names.ts';
import type { createItems } from './record-items.ts';

export interface RecordPageInput {
  readonly pageContext: PageContext;
  readonly center: Center;
  /** Names purposes that no page draws; undefined when the record could not be read. */
  readonly subject: Subject | undefined;
  readonly language: string;
  /** The entries of this page, newest first. */
  readonly history: readonly RecordedSubmission[];
  readonly words?: WordsOfThen | undefined;
  readonly paging: Paging;
  /** The page shows only this purpose. */
  readonly purpose?: string | undefined;
  /** On record, but not by a submission made here. */
  readonly elsewhere?: readonly ConsentRecord[] | undefined;
  /** Given for the page to print. */
  readonly certificate?: { readonly now: number; readonly verifiedAt: string } | undefined;
  readonly hrefs: RecordHrefs;
}

export interface RecordHrefs {
  /** Pages and files count from 1. */
  page(page: number): string;
  only(purpose: string | undefined): string;
  result(reference: string): string;
  download(part: number): string;
  readonly certificate: string;
  readonly record: string;
  readonly back: string;
}

/** Entries on a page, and in a signed file: each may have thousands of items, and all are in memory at once. */
export const entriesOnPage = 50;
export const entriesInFile = 100;

export interface Paging {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** Entries on all pages. */
  readonly total: number;
}

/** The page that was asked for, or the last one there is. */
export function pageOf(asked: unknown, total: number, size: number): Paging {
  const pages = Math.max(1, Math.ceil(total / size));
  const number = typeof asked === 'string' && /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : 1;
  return { page: Math.min(number, pages), pages, total };
}

/** Built once for all entries. */
export interface RecordParts {
  readonly messages: Messages;
  readonly nameOf: ReturnType<typeof createNames>;
  readonly itemOf: ReturnType<typeof createItems>;
  readonly inOrder: ReturnType<typeof createPageOrder>;
  readonly others: ReadonlyMap<string, RecordedSubmission>;
}
