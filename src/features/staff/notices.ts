import type {
  Notice,
  NoticePage,
  NoticeStatus,
  NoticeVersionSummary,
} from '../../core/model/staff/notice.ts';
import { writtenPlatform } from '../../core/model/utc-time.ts';
import type { Cell, Tone } from '../../pages/staff-page.ts';
import { amount, cell, details, platformMoment, shortId } from './blocks.ts';
import type { GuardedRouter } from './guarded-router.ts';
import { list, type Query, queries, withQuery } from './list.ts';
import { type KnownNames, nameIn } from './names.ts';
import type { Page } from './page.ts';
import type { NamingParts } from './parts.ts';

/** The list of privacy notices. */
export function addNotices(guarded: GuardedRouter, { platform, notices, known }: NamingParts): void {
  guarded.get('/notices', 'viewer', 'listed the notices', async (call) => {
    const asked = call.asked(queries.notices);
    const page = await platform.listNotices(asked);
    const names = await notices.namesOf(page.notices);
    await call.show(buildNoticeList({ page, asked, names, known: known.names }));
  });
}

export const noticeStatuses: Readonly<Record<NoticeStatus, readonly [string, Tone]>> = {
  draft: ['Draft', 'neutral'],
  active: ['Active', 'success'],
  inactive: ['Inactive', 'neutral'],
  retired: ['Retired', 'neutral'],
  unknown: ['Unknown status', 'warning'],
};

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

/** The platform's list, in the platform's order: created last comes first. */
export function buildNoticeList(given: {
  readonly page: NoticePage;
  readonly asked: Query<'notices'>;
  readonly names: KnownNames;
  readonly known: KnownNames;
}): Page {
  const { page, asked, names, known } = given;
  const { notices, paging } = page;
  return {
    title: 'Privacy notices',
    section: 'notices',
    lead: [
      'Sorted by the day of their creation, newest first. Times without a zone are shown as the platform gives them.',
    ],
    blocks: list({
      path: '/staff/notices',
      filter: asked,
      table: {
        id: 'notices',
        caption: 'Privacy notices with their latest version',
        isList: true,
        columns: ['Notice', 'Versions', 'Organization', 'Responsible', 'Last published', 'Created'],
        rows: notices.map((notice) => noticeRow(notice, names, known)),
        empty:
          asked.page > 0
            ? 'There are no notices on this page: go back to the first one.'
            : 'The platform has no privacy notices yet. Create one there, and it will be listed here.',
        links:
          asked.page > 0 && notices.length === 0
            ? [{ href: withQuery('/staff/notices', { size: asked.size }), label: 'First page' }]
            : [],
      },
      what: 'notices',
      paging: { ...paging, size: asked.size },
      hasSizes: true,
    }),
  };
}

function noticeRow(notice: Notice, names: KnownNames, known: KnownNames): readonly Cell[] {
  return [
    cell(names.get(notice.id) ?? `Notice ${shortId(notice.id)}`, {
      href: noticeHref(notice.id),
      folded: details([
        ['Notice', notice.id],
        ['Organization', notice.organizationId],
        ['Responsible', notice.responsibleUserId],
        ...notice.versions.map((one): [string, string] => [
          `${versionWords(one)}, ${writtenPlatform(one.publishedDate) ?? 'never published'}`,
          one.id,
        ]),
      ]),
    }),
    cell(standing(notice.versions), { more: amount(notice.numberOfVersions, 'version') }),
    cell(nameIn(known, notice.organizationId)),
    cell(nameIn(known, notice.responsibleUserId)),
    platformMoment(notice.lastPublishedDate, 'never'),
    platformMoment(notice.createdDate),
  ];
}
