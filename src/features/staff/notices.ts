import type { NoticeStatus, NoticeVersion } from '../../core/model/staff/notice.ts';
import { writtenPlatform } from '../../core/model/utc-time.ts';
import type { Tone } from '../../pages/staff-page.ts';
import { amount, cell, details, platformMoment, shortId } from './blocks.ts';
import type { Call } from './guarded-router.ts';
import { list, queries, withQuery } from './list.ts';
import { nameIn } from './names.ts';
import { noticeHref, type Page } from './page.ts';

/** The list of privacy notices. */
export async function readNotices({ platform, notices, known, ...call }: Call) {
  const asked = call.asked(queries.notices);
  const page = await platform.listNotices(asked);
  return { page, asked, names: await notices.namesOf(page.notices), known: known.names() };
}

export const noticeStatuses: Readonly<Record<NoticeStatus, readonly [string, Tone]>> = {
  draft: ['Draft', 'neutral'],
  active: ['Active', 'success'],
  inactive: ['Inactive', 'neutral'],
  retired: ['Retired', 'neutral'],
  unknown: ['Unknown status', 'warning'],
};

/** `v6 draft, v5 active`: the newest version, and the active one if it is another. */
function standing(versions: readonly NoticeVersion[]): string {
  const [newest] = versions;
  if (newest === undefined) return 'no version';
  const active = versions.find(({ status }) => status === 'active');
  return [...new Set([newest, active ?? newest])].map(versionWords).join(', ');
}

function versionWords({ version, status }: NoticeVersion): string {
  return `v${version ?? '?'} ${noticeStatuses[status][0].toLowerCase()}`;
}

/** The platform's list of notices in the platform's order: the latest created first. */
export function buildNoticeList(given: Awaited<ReturnType<typeof readNotices>>): Page {
  const { asked, names, known } = given;
  const { notices, paging } = given.page;
  return {
    title: 'Privacy notices',
    section: 'notices',
    lead: [
      'Sorted by the day of their creation, newest first. Times without a zone are shown as the platform gives them.',
    ],
    blocks: list({
      path: '/staff/notices',
      filter: asked,
      id: 'notices',
      caption: 'Privacy notices with their latest version',
      isList: true,
      columns: {
        Notice: (notice) =>
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
        Versions: ({ versions, numberOfVersions }) =>
          cell(standing(versions), { more: amount(numberOfVersions, 'version') }),
        Organization: ({ organizationId }) => nameIn(known, organizationId),
        Responsible: ({ responsibleUserId }) => nameIn(known, responsibleUserId),
        'Last published': ({ lastPublishedDate }) => platformMoment(lastPublishedDate, 'never'),
        Created: ({ createdDate }) => platformMoment(createdDate),
      },
      rows: notices,
      empty:
        asked.page > 0
          ? 'There are no notices on this page: go back to the first one.'
          : 'The platform has no privacy notices yet. Create one there, and it will be listed here.',
      links:
        asked.page > 0 && notices.length === 0
          ? [{ href: withQuery('/staff/notices', { size: asked.size }), label: 'First page' }]
          : [],
      paging: { ...paging, size: asked.size },
      hasSizes: true,
    }),
  };
}
