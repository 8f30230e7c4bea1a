import type {
  NoticePage,
  NoticeVersion,
  NoticeVersionPage,
  NoticeVersionSummary,
  NoticeWithVersion,
} from '../core/model/staff/notice.ts';
import { type Asked, envelope, readPaging } from './wire-paging.ts';
import * as wire from './wire-shape.ts';
import { line } from './wire-text.ts';

const statuses = { DRAFT: 'draft', ACTIVE: 'active', INACTIVE: 'inactive', RETIRED: 'retired' } as const;

const languageShape = wire.shape({ guid: line, languageCode: line, defaultLanguage: wire.flag });

const versionShape = wire.shape({
  id: wire.id,
  name: line,
  version: wire.number,
  status: wire.word(statuses),
  publishedDate: line,
  publishedBy: line,
  languages: wire.listOf(languageShape),
});

const noticeShape = wire.shape({
  id: wire.id,
  createdDate: line,
  lastPublishedDate: line,
  organizationId: line,
  responsibleUserId: line,
  numberOfVersions: wire.number,
  versions: wire.listOf(versionShape),
  version: versionShape,
});

const what = 'a notice answer';

/** GET v2/privacynotices. */
export function readNoticePage(body: unknown, asked: Asked): NoticePage {
  const read = wire.parse(body, envelope, what);
  const notices = wire.readable(read.content, noticeShape).map((raw) => {
    const versions = raw.versions.map(summaryOf);
    return {
      ...headOf(raw),
      numberOfVersions: raw.numberOfVersions ?? versions.length,
      versions: versions.toSorted((one, other) => (other.version ?? 0) - (one.version ?? 0)),
    };
  });
  return { notices, paging: readPaging(read, asked) };
}

/** GET v2/privacynotices/{id}?date=. undefined: an answer that names no version. */
export function readNoticeVersion(body: unknown): NoticeWithVersion | undefined {
  const read = wire.parse(body, noticeShape, what);
  const { version } = read;
  if (version === undefined) return undefined;
  return { ...headOf(read), version: { ...summaryOf(version), name: version.name ?? '' } };
}

/** GET v2/privacynotices/{id}/versions. */
export function readNoticeVersionPage(body: unknown, asked: Asked): NoticeVersionPage {
  const read = wire.parse(body, envelope, what);
  const versions = wire.readable(read.content, versionShape).map(
    (raw): NoticeVersion => ({
      ...summaryOf(raw),
      name: raw.name ?? '',
      publishedBy: raw.publishedBy,
      languages: raw.languages.flatMap(({ guid, languageCode: code, defaultLanguage }) =>
        code === undefined ? [] : [{ code, guid, isDefault: defaultLanguage ?? false }],
      ),
    }),
  );
  return { versions, paging: readPaging(read, asked) };
}

function headOf({ version, versions, numberOfVersions, ...head }: wire.Read<typeof noticeShape>) {
  return head;
}

function summaryOf(read: wire.Read<typeof versionShape>): NoticeVersionSummary {
  const { id, version, status = 'unknown', publishedDate } = read;
  return { id, version, status, publishedDate };
}
