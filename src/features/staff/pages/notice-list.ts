import type {
  Notice,
  NoticePage,
  NoticeStatus,
  NoticeVersionSummary,
} from '../../../core/model/staff/notice.ts';
import { writtenPlatform } from '../../../core/model/utc-time.ts';
import type { Cell, StaffPage, Tone } from '../../../pages/staff-page.ts';
import { cell, platformMoment, shortId, staffPage, table } from './blocks.ts';
import type { StaffPageContext } from './layout.ts';
import { buildPager, withQuery, withSizes } from './paging.ts';

export const noticeStatuses: Readonly<Record<NoticeStatus, readonly [string, Tone]>> = {
  draft: ['Draft', 'neutral'],
  active: ['Active', 'success'],
  inactive: ['Inactive', 'neutral'],
  retired: ['Retired', 'neutral'],
  unknown: ['Unknown status', 'warning'],
};

/** By the ids of notices; a notice that is not among them has a name that is not known now. */
export type NoticeNames = ReadonlyMap<string, string>;
/** Of organizations, people and groups, by their ids: the platform tells them only where a task has them. */
export type KnownNames = ReadonlyMap<string, string>;

/** What a notice is called: by its active version, else by its newest that has a name. Newest first. */
export function chooseNoticeName(
  versions: readonly { readonly name: string; readonly status: NoticeStatus }[],
): string | undefined {
  const named = versions.filter(({ name }) => name.trim() !== '');
  return (named.find(({ status }) => status === 'active') ?? named[0])?.name;
}

export function noticeHref(id: string): string {
  return `/staff/notices/${encodeURIComponent(id)}`;
}

/** `v6 draft, v5 active`: the newest version, and the active one where that is another. */
function standing(versions: readonly NoticeVersionSummary[]): string {
  const [newest] = versions;
  if (newest === undefined) return 'no version';
  const active = versions.find(({ status }) => status === 'active');
  const told = active === undefined || active === newest ? [newest] : [newest, active];
  return told.map(versionWords).join(', ');
}

function versionWords({ version, status }: NoticeVersionSummary): string {
  return `v${version ?? '?'} ${noticeStatuses[status][0].toLowerCase()}`;
}

function nameIn(names: KnownNames, id: string | undefined): string | undefined {
  return id === undefined ? undefined : names.get(id.toLowerCase());
}

/** By its name, if anything has told it; else by as much of its id as tells it from others. */
export function byName(id: string | undefined, names: KnownNames): string | undefined {
  return id === undefined ? undefined : (nameIn(names, id) ?? shortId(id));
}

export interface NoticeListInput {
  readonly page: NoticePage;
  readonly asked: { readonly page: number; readonly size: number };
  readonly names: NoticeNames;
  readonly known: KnownNames;
}

/** The platform's list, in the platform's order: created last comes first. */
export function buildNoticeList(
  pageContext: StaffPageContext,
  { page: { notices, paging }, asked, names, known }: NoticeListInput,
): StaffPage {
  const hrefOf = (page: number) => withQuery('/staff/notices', { page, size: asked.size });
  const sizeHrefOf = (size: number) => withQuery('/staff/notices', { size });
  return staffPage(pageContext, {
    title: 'Privacy notices',
    section: 'notices',
    lead: [
      'Sorted by the day of their creation, newest first. Times without a zone are shown as the platform gives them.',
    ],
    blocks: [
      table({
        id: 'notices',
        caption: 'Privacy notices with their latest version',
        isList: true,
        columns: ['Notice', 'Versions', 'Organization', 'Responsible', 'Last published', 'Created'],
        rows: notices.map((notice) => noticeRow(notice, names, known)),
        empty:
          asked.page > 0
            ? 'There are no notices on this page: go back to the first one.'
            : 'The platform has no privacy notices yet. Create one there, and it will be listed here.',
        pager: withSizes(buildPager(paging, hrefOf, 'notices'), {
          paging: { ...paging, size: asked.size },
          what: 'notices',
          hrefOf: sizeHrefOf,
        }),
        links: asked.page > 0 && notices.length === 0 ? [{ href: hrefOf(0), label: 'First page' }] : [],
      }),
    ],
  });
}

function noticeRow(notice: Notice, names: NoticeNames, known: KnownNames): readonly Cell[] {
  const ids: readonly (readonly [name: string, id: string | undefined])[] = [
    ['Notice', notice.id],
    ['Organization', notice.organizationId],
    ['Responsible', notice.responsibleUserId],
    ...notice.versions.map((one): [string, string] => [
      `${versionWords(one)}, ${writtenPlatform(one.publishedDate) ?? 'never published'}`,
      one.id,
    ]),
  ];
  return [
    cell(names.get(notice.id) ?? `Notice ${shortId(notice.id)}`, {
      href: noticeHref(notice.id),
      folded: {
        label: 'Details',
        pairs: ids.flatMap(([name, text]) => (text === undefined ? [] : [{ name, text }])),
      },
    }),
    cell(standing(notice.versions), {
      more: `${notice.numberOfVersions} ${notice.numberOfVersions === 1 ? 'version' : 'versions'}`,
    }),
    cell(nameIn(known, notice.organizationId)),
    cell(nameIn(known, notice.responsibleUserId)),
    platformMoment(notice.lastPublishedDate, 'never'),
    platformMoment(notice.createdDate),
  ];
}
