import { consentStatus } from '../../core/consent/status.ts';
import type { Messages } from '../../i18n/catalogue.ts';
import { fill } from '../../i18n/fill.ts';
import { writtenMoment } from '../../i18n/format.ts';
import { entriesInFile, pageOf, type RecordPageInput, type RecordParts } from './record-input.ts';
import type { RecordPage } from './record-view.ts';

export function certificateFacts(
  { center, pageContext, paging, language }: RecordPageInput,
  { now, verifiedAt }: NonNullable<RecordPageInput['certificate']>,
  { record }: Messages,
): RecordPage['certificate'] {
  return [
    { name: record.center, value: center.title ?? pageContext.brand.name },
    { name: record.issued, value: `${writtenMoment(now, language)} UTC` },
    { name: record.changes, value: String(paging.total) },
    { name: record.verify, value: verifiedAt },
  ];
}

/** By the purposes that the page tells of; without a second one there is nothing to choose. */
export function buildFilter(
  { purpose, hrefs }: RecordPageInput,
  { nameOf, inOrder, messages: { record } }: RecordParts,
  told: ReadonlySet<string>,
): RecordPage['filter'] {
  if (purpose === undefined && told.size < 2) return undefined;
  const ids = inOrder([...told].map((id) => ({ id })));
  const all = { href: hrefs.only(undefined), name: { text: record.all }, current: purpose === undefined };
  return {
    label: record.show,
    choices: [
      all,
      ...ids.map(({ id }) => ({
        href: hrefs.only(id),
        name: nameOf({ what: 'purpose', id }),
        current: id === purpose,
      })),
    ],
  };
}

export function buildElsewhere(
  { elsewhere = [], purpose }: RecordPageInput,
  { nameOf, messages }: RecordParts,
): RecordPage['elsewhere'] {
  const known = elsewhere.filter((each) => purpose === undefined || each.purpose === purpose);
  if (known.length === 0) return undefined;
  return {
    title: messages.record.elsewhere,
    hint: messages.record.elsewhereHint,
    items: known.map((each) => ({
      name: nameOf({ what: 'purpose', id: each.purpose }),
      state: messages.states[stateTexts[consentStatus(undefined, each)]],
    })),
  };
}

const stateTexts = {
  on: 'on',
  off: 'off',
  'on-by-default': 'onByDefault',
  waiting: 'waiting',
  expired: 'expired',
  'locked-on': 'alwaysActive',
  'locked-off': 'lockedOff',
} as const;

export function buildPager({ paging, hrefs }: RecordPageInput, { record }: Messages): RecordPage['pager'] {
  const { page, pages } = paging;
  if (pages === 1) return undefined;
  return {
    text: fill(record.page, { page, pages }),
    newer: page === 1 ? undefined : { href: hrefs.page(page - 1), label: record.newer },
    older: page === pages ? undefined : { href: hrefs.page(page + 1), label: record.older },
  };
}

export function buildDownload(
  { paging, hrefs }: RecordPageInput,
  { record }: Messages,
): RecordPage['download'] {
  if (paging.total === 0) return undefined;
  const { pages } = pageOf(undefined, paging.total, entriesInFile);
  const files = Array.from({ length: pages }, (_, at) => ({
    href: hrefs.download(at + 1),
    label: pages === 1 ? record.download : `${record.download} (${at + 1}/${pages})`,
  }));
  return { files, hint: record.downloadHint };
}
