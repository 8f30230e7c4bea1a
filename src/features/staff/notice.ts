import type { NoticeVersion } from '../../core/model/staff/notice.ts';
import { readDay, writtenDay, writtenPlatform, writtenTime } from '../../core/model/utc-time.ts';
import { type Note, note } from '../../pages/layout.ts';
import type { Block, FormBlock } from '../../pages/staff-page.ts';
import {
  cell,
  checks,
  choice,
  details,
  facts,
  folded,
  form,
  input,
  ownMoment,
  platformMoment,
  tag,
} from './blocks.ts';
import { type Call, found } from './guarded-router.ts';
import { dayMs, list, type Query, queries } from './list.ts';
import { byName, chooseNoticeName } from './names.ts';
import { noticeStatuses } from './notices.ts';
import { noticeHref, type Page } from './page.ts';

/**
 * Reads a privacy notice, and which version applied on a day. `current`: the version that is active now, with
 * data about the notice itself. `answer`: the version that applied on the day.
 */
export async function readNotice({ platform, clock, known, ...call }: Call) {
  const id = call.parameter('id');
  const asked = call.asked(queries.versions);
  const read = readQuestion(asked);
  // The platform answers strictly before the time: one second more includes what was published just now.
  const soon = new Date(clock.now() + 1000).toISOString().slice(0, 19);
  const [versions, current, answer] = await Promise.all([
    platform.listNoticeVersions(id, { page: asked.page, size: asked.size }),
    platform.findNoticeVersion(id, soon),
    read.kind === 'question' ? platform.findNoticeVersion(id, read.ask) : undefined,
  ]);
  return { id, versions: found(versions), asked, current, read, answer, known: known.names() };
}

type NoticePageInput = Awaited<ReturnType<typeof readNotice>>;

/**
 * Reads the question "Which version was active on …". `date`: `yyyy-MM-dd`, empty if nothing was asked.
 * `time`: `HH:mm` or `HH:mm:ss`, empty for the whole day. `before`: strictly before that instant, as the
 * platform answers. `through`: a version of that instant counts, too. The platform gives the version that was
 * active strictly before a date, and a bare date means midnight (docs/platform-api.md, Notices): it would
 * miss what was published on that day. "Through" therefore asks for the next instant: the midnight after the
 * day, or the second after the time.
 */
function readQuestion({ date, time, count }: Query<'versions'>) {
  if (date === '') {
    return time === '' ? { kind: 'none' as const } : mistake('date', 'Enter the day, too.');
  }
  const midnight = readDay(date);
  if (midnight === undefined) {
    return mistake('date', 'Enter a day as year, month and day, such as 2026-03-31.');
  }
  if (time === '') {
    if (count === 'before') return question(midnight, 'bare', `just before ${writtenDay(midnight)} began`);
    return question(midnight + dayMs, 'bare', `at the end of ${writtenDay(midnight)}`);
  }
  if (!/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(time))
    return mistake('time', 'Enter a time of 24 hours, such as 17:30 or 17:30:15.');
  const at = Date.parse(`${date}T${time}Z`);
  const instant = `${writtenDay(at)}, ${writtenTime(at)}`;
  if (count === 'before') return question(at, 'full', `just before ${instant}`);
  return question(at + 1000, 'full', `on ${instant}`);
}

/** The question for the platform. `ask`: the date to send; `meaning`: the same in words. */
function question(at: number, form: 'bare' | 'full', meaning: string) {
  const iso = new Date(at).toISOString();
  // A year of five digits is written with a sign, which the platform does not read.
  if (iso.startsWith('+')) return mistake('date', 'Enter a day before 9999-12-31.');
  return { kind: 'question' as const, ask: iso.slice(0, form === 'bare' ? 10 : 19), meaning };
}

function mistake(field: 'date' | 'time', text: string) {
  return { kind: 'mistake' as const, field, text };
}

export function buildNoticePage(page: NoticePageInput): Page {
  const { versions, current, read } = page;
  return {
    title: current?.version.name || chooseNoticeName(versions.versions) || 'Privacy notice',
    section: 'notices',
    crumbs: [{ href: '/staff/notices', label: 'Privacy notices' }],
    mistakes: read.kind === 'mistake' ? [read] : [],
    notes: [answerNote(page), retiredNote(page)],
    blocks: [
      aboutNotice(page),
      questionForm(page),
      answerDetails(page),
      ...versionList(page),
      noticeIds(page),
    ],
  };
}

function aboutNotice({ current, answer, versions, known }: NoticePageInput): Block {
  // If no version is active yet, only the answer for a later date has data about the notice itself.
  const notice = current ?? answer;
  const active = current?.version;
  return facts('about', undefined, [
    ['Active now', active ? cell(versionName(active), { more: since(active) }) : 'no version'],
    ['Versions', versions.paging.totalElements],
    ['Organization', byName(notice?.organizationId, known)],
    ['Responsible', byName(notice?.responsibleUserId, known)],
    ['Last published', ownMoment(notice?.lastPublishedDate)],
    ['Created', ownMoment(notice?.createdDate)],
  ]);
}

function noticeIds({ id, current, answer }: NoticePageInput): Block {
  const notice = current ?? answer;
  return folded('ids', 'Details', [
    facts('id-facts', undefined, [
      ['Notice id', id],
      ['Organization id', notice?.organizationId],
      ['Responsible, id', notice?.responsibleUserId],
    ]),
  ]);
}

function questionForm({ id, asked: { date, time, count } }: NoticePageInput): FormBlock {
  return form({
    id: 'active-on',
    heading: 'Which version applied on …',
    method: 'get',
    action: `${noticeHref(id)}#notes`,
    fields: [
      input({
        id: 'date',
        label: 'Day',
        type: 'date',
        value: date,
        size: 'short',
      }),
      {
        kind: 'folded',
        id: 'exactly',
        label: 'At a time of that day, or just before it',
        open: time !== '' || count === 'before',
        fields: [
          input({
            id: 'time',
            label: 'Time (optional), such as 17:30',
            type: 'time',
            value: time,
            hint: 'In the platform’s own time zone, which is UTC for the times of versions below.',
          }),
          checks({
            type: 'radio',
            id: 'count',
            label: 'What counts',
            choices: [
              choice('count-through', 'through', 'That day (or time) included', count === 'through'),
              choice('count-before', 'before', 'Strictly before it', count === 'before'),
            ],
          }),
        ],
      },
    ],
    label: 'Find the version',
  });
}

function since({ publishedDate }: NoticeVersion): string {
  const at = writtenPlatform(publishedDate);
  return at === undefined ? 'published at a time that the platform does not tell' : `since ${at}`;
}

/** The answer in one sentence. `answerDetails` shows below how it was asked. */
function answerNote({ read, answer }: NoticePageInput): Note | undefined {
  if (read.kind !== 'question') return undefined;
  if (answer === undefined) {
    const none = 'nothing was published by then, or the platform does not know the notice any more';
    return note('warning', `No version was active ${read.meaning}: ${none}.`);
  }
  const { version } = answer;
  const title = `${versionName(version)} was active ${read.meaning}, ${since(version)}.`;
  return note('success', title, ...(version.status === 'retired' ? [retiredWhy] : []));
}

const retiredWhy =
  'Its status today is Retired. The platform goes by the day of publishing alone: the version that was published last counts as active until a newer one is published, retired or not, and it does not tell when a version was retired.';

/** A note that the active version is retired, unless the answer to the question says so already. */
function retiredNote({ current, read, answer }: NoticePageInput): Note | undefined {
  const isSaid = read.kind === 'question' && answer?.version.status === 'retired';
  if (current?.version.status !== 'retired' || isSaid) return undefined;
  const title = `${versionName(current.version)} counts as active, although it is retired`;
  return note('info', title, retiredWhy);
}

/** Details for a reader who has to prove the answer. */
function answerDetails({ read, answer }: NoticePageInput): Block | undefined {
  if (read.kind !== 'question') return undefined;
  return folded('asked', 'How this was asked', [
    {
      about:
        'The platform tells the version that was active strictly before an instant, and takes a day for its first moment. To include a day it is asked for the midnight after it, and to include a time for the second after it; the question goes without a time zone.',
      ...facts('asked-facts', undefined, [
        ['Asked', `the version that was active ${read.meaning}`],
        ['Sent to the platform', cell(`date=${read.ask}`, { look: 'moment' })],
        ['Version id', answer?.version.id],
        ['Its status today', answer && tag(...noticeStatuses[answer.version.status])],
      ]),
    },
  ]);
}

function versionList({ id, asked, versions: { versions, paging } }: NoticePageInput): readonly Block[] {
  return list({
    path: noticeHref(id),
    filter: { ...asked, count: asked.date === '' ? '' : asked.count },
    id: 'versions',
    heading: 'Versions',
    caption: 'Versions of this notice',
    columns: {
      Version: ({ version }) => version?.toString(),
      Name: ({ id, name, publishedBy, languages }) =>
        cell(name, {
          folded: details([
            ['Version', id],
            ['Published by', publishedBy],
            ...languages.map(({ code, guid }) => [`Language ${code}`, guid] as const),
          ]),
        }),
      Status: ({ status }) => tag(...noticeStatuses[status]),
      Published: ({ publishedDate }) => platformMoment(publishedDate),
      Languages: ({ languages }) =>
        languages.map(({ code, isDefault }) => (isDefault ? `${code} (default)` : code)).join(', '),
    },
    rows: versions,
    empty: paging.page > 0 ? 'There are no versions on this page.' : 'This notice has no version yet.',
    paging,
  });
}

function versionName({ version, name }: NoticeVersion): string {
  const number = version === undefined ? 'A version without a number' : `Version ${version}`;
  return name === '' ? number : `${number} (“${name}”)`;
}
