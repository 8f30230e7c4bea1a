import type {
  Notice,
  NoticePage,
  NoticeStatus,
  NoticeVersion,
  NoticeVersionPage,
  NoticeVersionSummary,
  NoticeWithVersion,
} from '../../core/model/notice.ts';
import { writtenPlatform } from '../../core/model/utc-time.ts';
import type { Note } from '../layout.ts';
import { cell, facts, input, platformMoment, staffPage, table, tag } from './blocks.ts';
import type { Block, Cell, FoldedView, FormBlock, StaffPage, Tone } from './every-page.ts';
import type { StaffPageContext } from './layout.ts';
import type { NoticeQuestion, ReadQuestion } from './notice-question.ts';
import { buildPager, withQuery, withSizes } from './paging.ts';

const statuses: Readonly<Record<NoticeStatus, readonly [string, Tone]>> = {
  draft: ['Draft', 'neutral'],
  active: ['Active', 'success'],
  inactive: ['Inactive', 'warning'],
  retired: ['Retired', 'problem'],
  unknown: ['Unknown status', 'warning'],
};

/** The platform's list, in the platform's order: created last comes first. */
export function buildNoticeList(
  pageContext: StaffPageContext,
  { notices, paging }: NoticePage,
  asked: { readonly page: number; readonly size: number },
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
        columns: ['Notice', 'Created', 'Last published', 'Versions', 'Organization, responsible'],
        rows: notices.map(noticeRow),
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

/** In a line of the list; all of them are shown on demand. */
const mostVersions = 6;

function noticeRow(notice: Notice): readonly Cell[] {
  const wordsOf = ({ version, status }: NoticeVersionSummary) =>
    `${version ?? '?'} ${statuses[status][0].toLowerCase()}`;
  const versions = notice.versions.slice(0, mostVersions).map(wordsOf);
  const others = notice.versions.length > mostVersions ? ', …' : '';
  return [
    cell(notice.id, { href: noticeHref(notice.id) }),
    platformMoment(notice.createdDate),
    platformMoment(notice.lastPublishedDate, 'never'),
    cell(String(notice.numberOfVersions), {
      folded:
        versions.length === 0
          ? undefined
          : {
              label: `${versions.join(', ')}${others}`,
              pairs: notice.versions.map((one) => ({
                name: [wordsOf(one), writtenPlatform(one.publishedDate) ?? 'never published'].join(', '),
                text: one.id,
              })),
            },
    }),
    cell(notice.organizationId, { more: notice.responsibleUserId ?? 'nobody' }),
  ];
}

export interface NoticePageInput {
  readonly id: string;
  readonly versions: NoticeVersionPage;
  readonly asked: { readonly page: number; readonly size: number };
  /** The version active now, and with it what the platform says of the notice itself. */
  readonly current: NoticeWithVersion | undefined;
  readonly question: NoticeQuestion;
  readonly read: ReadQuestion;
  /** What the platform answered to the question; undefined: none, when there was one. */
  readonly answer: NoticeWithVersion | undefined;
}

export function buildNoticePage(pageContext: StaffPageContext, page: NoticePageInput): StaffPage {
  const { id, versions, asked, current, question, read } = page;
  const path = noticeHref(id);
  const hrefOf = (number: number) =>
    withQuery(path, { ...asAsked(question), page: number, size: asked.size });
  const name = current?.version.name || versions.versions[0]?.name || 'Privacy notice';
  return staffPage(pageContext, {
    title: name,
    section: 'notices',
    crumbs: [{ href: '/staff/notices', label: 'Privacy notices' }],
    mistakes:
      read.kind === 'mistake'
        ? { title: 'Please check one entry', items: [{ href: `#${read.field}`, text: read.text }] }
        : undefined,
    notes: answerNotes(page),
    blocks: [aboutNotice(page), questionForm(path, question, read), versionTable(versions, hrefOf)],
  });
}

function aboutNotice({ id, current, answer, versions }: NoticePageInput): Block {
  // Before its first version is active, the answer for a later date says of the notice what no other answer does.
  const notice = current ?? answer;
  return facts('about', 'About this notice', [
    ['Id', id],
    ['Created', writtenPlatform(notice?.createdDate)],
    ['Last published', writtenPlatform(notice?.lastPublishedDate)],
    ['Organization', notice?.organizationId],
    ['Responsible', notice?.responsibleUserId],
    ['Versions', String(versions.paging.totalElements)],
    ['Active now', current === undefined ? 'no version' : versionName(current.version)],
  ]);
}

function questionForm(path: string, { date, time, count }: NoticeQuestion, read: ReadQuestion): FormBlock {
  const mistakeOf = (field: 'date' | 'time') =>
    read.kind === 'mistake' && read.field === field ? read.text : undefined;
  return {
    kind: 'get-form',
    id: 'active-on',
    heading: 'Which version was active on …',
    about:
      'The platform tells the version that was active strictly before an instant, and takes a day for its first ' +
      'moment, 00:00:00: asked for a day, it misses what was published on that day. “That day included” therefore asks ' +
      'for the next instant: the midnight after the day, or the second after the time. The question goes without a ' +
      'time zone, so the platform reads it in its own, which is UTC for the times of versions below.',
    action: `${path}#notes`,
    token: '',
    layout: 'page',
    fields: [
      input({
        id: 'date',
        label: 'Day',
        type: 'date',
        value: date,
        size: 'short',
        mistake: mistakeOf('date'),
      }),
      input({
        id: 'time',
        label: 'Time (optional), such as 17:30',
        type: 'time',
        value: time,
        size: 'short',
        mistake: mistakeOf('time'),
      }),
      {
        kind: 'checks',
        type: 'radio',
        id: 'count',
        name: 'count',
        label: 'What counts',
        hint: undefined,
        mistake: undefined,
        choices: [
          {
            id: 'count-through',
            value: 'through',
            label: 'That day (or time) included',
            about: 'asks for the next instant',
            checked: count === 'through',
          },
          {
            id: 'count-before',
            value: 'before',
            label: 'Strictly before it',
            about: 'asks as the platform answers',
            checked: count === 'before',
          },
        ],
      },
    ],
    buttons: [{ name: '', value: '', label: 'Find the version', tone: 'primary' }],
    links: [],
  };
}

function answerNotes({ read, answer }: NoticePageInput): readonly Note[] {
  if (read.kind !== 'question') return [];
  const asked = `Asked: the version that was active ${read.meaning}. Sent to the platform: date=${read.ask}, which is strictly before.`;
  if (answer === undefined) {
    return [
      {
        tone: 'warning',
        title: `No version was active ${read.meaning}`,
        lines: [
          asked,
          'Either nothing was published by then, or the platform does not know the notice any more.',
        ],
        receipt: undefined,
      },
    ];
  }
  const { version } = answer;
  return [
    {
      tone: 'success',
      title: `${versionName(version)} was active ${read.meaning}`,
      lines: [
        `Published ${writtenPlatform(version.publishedDate) ?? 'at a time the platform does not tell'}; its status today: ${statuses[version.status][0].toLowerCase()}.`,
        asked,
      ],
      receipt: version.id,
    },
  ];
}

function versionTable({ versions, paging }: NoticeVersionPage, hrefOf: (page: number) => string): Block {
  return table({
    id: 'versions',
    heading: 'Versions',
    caption: 'Versions of this notice',
    columns: ['Version', 'Name', 'Status', 'Published', 'Languages'],
    rows: versions.map((version) => [
      cell(version.version === undefined ? undefined : String(version.version)),
      cell(version.name, { folded: idsOf(version) }),
      tag(...statuses[version.status]),
      platformMoment(version.publishedDate),
      cell(
        version.languages.map(({ code, isDefault }) => (isDefault ? `${code} (default)` : code)).join(', '),
      ),
    ]),
    empty: paging.page > 0 ? 'There are no versions on this page.' : 'This notice has no version yet.',
    pager: buildPager(paging, hrefOf, 'versions'),
  });
}

/** Nobody reads them, and somebody may have to copy one. */
function idsOf({ id, publishedBy, languages }: NoticeVersion): FoldedView {
  const known: readonly (readonly [name: string, text: string | undefined])[] = [
    ['Version', id],
    ['Published by', publishedBy],
    ...languages.map(({ code, guid }) => [`Language ${code}`, guid] as const),
  ];
  return {
    label: 'Ids',
    pairs: known.flatMap(([name, text]) => (text === undefined ? [] : [{ name, text }])),
  };
}

function versionName({
  version,
  name,
}: {
  readonly version: number | undefined;
  readonly name: string;
}): string {
  const number = version === undefined ? 'A version without a number' : `Version ${version}`;
  return name === '' ? number : `${number}, “${name}”,`.replace(/,$/, '');
}

function asAsked({ date, time, count }: NoticeQuestion): Record<string, string | undefined> {
  return date === '' ? {} : { date, time, count };
}

function noticeHref(id: string): string {
  return `/staff/notices/${encodeURIComponent(id)}`;
}
