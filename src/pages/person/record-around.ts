import { consentStatus } from '../../core/consent/status.ts';
import { fill, type Messages } from '../../i18n/catalogue.ts';
import { writtenMoment } from '../../i18n/format.ts';
import { entriesInFile, pageOf, type RecordPageInput, type RecordParts } from './record-input.ts';

export function certificateFacts(
  { center, pageContext, paging, language }: RecordPageInput,
  { now, verifiedAt }: NonNullable<RecordPageInput['certificate']>,
) {
  return {
    center: center.title ?? pageContext.brand.name,
    issued: `${writtenMoment(now, language)} UTC`,
    changes: paging.total,
    verifiedAt,
  };
}

/** By the purposes that the page tells of; without a second one there is nothing to choose. */
export function buildFilter(
  { purpose, hrefs }: RecordPageInput,
  { nameOf, inOrder, messages: { record } }: RecordParts,
  told: ReadonlySet<string>,
) {
  if (purpose === undefined && told.size < 2) return [];
  const ids = inOrder([...told].map((id) => ({ id })));
  return [
    { href: hrefs.only(undefined), name: { text: record.all }, current: purpose === undefined },
    ...ids.map(({ id }) => ({
      href: hrefs.only(id),
      name: nameOf({ what: 'purpose', id }),
      current: id === purpose,
    })),
  ];
}

export function buildElsewhere(
  { elsewhere = [], purpose }: RecordPageInput,
  { nameOf, messages }: RecordParts,
) {
  return elsewhere
    .filter((each) => purpose === undefined || each.purpose === purpose)
    .map((each) => ({
      name: nameOf({ what: 'purpose', id: each.purpose }),
      state: messages.states[stateTexts[consentStatus(undefined, each)]],
    }));
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

export function buildPager({ paging, hrefs }: RecordPageInput, { record }: Messages) {
  const { page, pages } = paging;
  if (pages === 1) return undefined;
  return {
    text: fill(record.page, { page, pages }),
    newerHref: page === 1 ? undefined : hrefs.page(page - 1),
    olderHref: page === pages ? undefined : hrefs.page(page + 1),
  };
}

export function buildFiles({ paging, hrefs }: RecordPageInput, { record }: Messages) {
  if (paging.total === 0) return [];
  const { pages } = pageOf(undefined, paging.total, entriesInFile);
  return Array.from({ length: pages }, (_, at) => ({
    href: hrefs.download(at + 1),
    label: pages === 1 ? record.download : `${record.download} (${at + 1}/${pages})`,
  }));
}
