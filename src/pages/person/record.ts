import { consentStatus } from '../../core/consent/status.ts';
import type { RecordedSubmission } from '../../core/model/evidence/evidence.ts';
import type { ConsentRecord } from '../../core/model/person/subject.ts';
import { fill, messagesFor } from '../../i18n/catalogue.ts';
import { writtenUtc, writtenZone } from '../../i18n/format.ts';
import { buildLayout, type PageSetting } from './layout.ts';
import { createNames, createPageOrder, type NamesInput } from './names.ts';
import type { RecordEntry } from './record-entries.ts';

export interface RecordPageInput extends PageSetting, NamesInput {
  /** The submissions of this page, newest first. */
  readonly history: readonly RecordedSubmission[];
  readonly paging: Paging;
  /** The purpose to which the page is limited. */
  readonly purpose?: string | undefined;
  /** Purposes on record that were not submitted here. */
  readonly elsewhere?: readonly ConsentRecord[] | undefined;
  /** The data of the certificate, only on the page to print. */
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

/**
 * Number of entries on a page, and in a signed file. Each entry may have thousands of items, and all are in
 * memory at once.
 */
export const entriesOnPage = 50;
export const entriesInFile = 100;

/** The requested page, or the last one. */
export function pageOf(asked: unknown, total: number, size: number) {
  const pages = Math.max(1, Math.ceil(total / size));
  const number = typeof asked === 'string' && /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : 1;
  return { page: Math.min(number, pages), pages, total };
}

/** `page` counts from 1; `total`: entries on all pages. */
export type Paging = Readonly<ReturnType<typeof pageOf>>;

export type RecordPage = ReturnType<typeof buildRecordPage>;

/**
 * The page of a person's changes, newest first: all by day, those of one purpose, or a certificate to print.
 * `entries`: the entries of the submissions, by `createEntries`.
 */
export function buildRecordPage(input: RecordPageInput, entries: readonly RecordEntry[]) {
  const { center, language, hrefs, certificate, purpose, paging, pageContext } = input;
  const { record, states } = messagesFor(language);
  const nameOf = createNames(input);
  const { page, pages, total } = paging;
  const [title, intro] = certificate
    ? [record.certificate, fill(record.certificateText, { person: pageContext.subject ?? '' })]
    : [record.title, record.intro];
  const verifyHref = `/verify?lang=${encodeURIComponent(language)}`;
  const files = pageOf(undefined, total, entriesInFile).pages;
  const hasFiles = certificate === undefined && purpose === undefined && total > 0;
  return {
    layout: buildLayout({ pageContext, center, language, title }),
    intro,
    certificate: certificate && {
      center: center.title ?? pageContext.brand.name,
      issued: writtenUtc(certificate.now, language),
      changes: total,
      verifiedAt: certificate.verifiedAt,
    },
    zone: fill(record.zone, { zone: writtenZone(language) }),
    filter: certificate ? [] : buildFilter(input, nameOf, record.all),
    // `isFirst` marks the first entry of a day in UTC.
    entries: entries.map((entry, at) => ({
      ...entry,
      isFirst: entry.day.text !== entries[at - 1]?.day.text,
    })),
    elsewhere: (input.elsewhere ?? [])
      .filter((each) => purpose === undefined || each.purpose === purpose)
      .map((each) => ({
        name: nameOf({ what: 'purpose', id: each.purpose }),
        state: states[consentStatus(undefined, each)],
      })),
    pager:
      pages === 1
        ? undefined
        : {
            text: fill(record.page, { page, pages }),
            newerHref: page === 1 ? undefined : hrefs.page(page - 1),
            olderHref: page === pages ? undefined : hrefs.page(page + 1),
          },
    files: Array.from({ length: hasFiles ? files : 0 }, (_, at) => ({
      href: hrefs.download(at + 1),
      label: files === 1 ? record.download : `${record.download} (${at + 1}/${files})`,
    })),
    ways: {
      recordHref: certificate && hrefs.record,
      certificateHref: certificate || total === 0 ? undefined : hrefs.certificate,
      verifyHref: certificate || total > 0 ? verifyHref : undefined,
      backHref: certificate ? undefined : hrefs.back,
    },
  };
}

/** A filter by the purposes on the page; none if there is only one. */
function buildFilter(
  { center, history, hrefs, purpose }: RecordPageInput,
  nameOf: ReturnType<typeof createNames>,
  all: string,
) {
  const shown = new Set(purpose === undefined ? [] : [purpose]);
  for (const { items } of history) for (const { what, id } of items) if (what === 'purpose') shown.add(id);
  if (purpose === undefined && shown.size < 2) return [];
  const ids = createPageOrder(center)([...shown].map((id) => ({ id })));
  return [
    { href: hrefs.only(undefined), name: { text: all }, current: purpose === undefined },
    ...ids.map(({ id }) => ({
      href: hrefs.only(id),
      name: nameOf({ what: 'purpose', id }),
      current: id === purpose,
    })),
  ];
}
