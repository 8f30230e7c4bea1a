import type {
  NoticePage,
  NoticeStatus,
  NoticeVersion,
  NoticeVersionPage,
  NoticeVersionSummary,
  NoticeWithVersion,
} from '../core/model/notice.ts';
import { Problem } from '../core/model/problem.ts';
import { envelope, readPaging } from './wire-paging.ts';
import * as wire from './wire-shape.ts';
import { plain } from './wire-text.ts';

type Asked = { readonly page: number; readonly size: number };

const versionShape = wire.shape({
  id: wire.id,
  name: wire.text,
  version: wire.number,
  status: wire.text,
  publishedDate: wire.text,
  publishedBy: wire.text,
  languages: wire.list,
});

const noticeShape = wire.shape({
  id: wire.id,
  createdDate: wire.text,
  lastPublishedDate: wire.text,
  organizationId: wire.text,
  responsibleUserId: wire.text,
  numberOfVersions: wire.number,
  versions: wire.list,
  version: versionShape.orAbsent(),
});

const languageShape = wire.shape({ guid: wire.text, languageCode: wire.text, defaultLanguage: wire.flag });

/** GET v2/privacynotices. */
export function readNoticePage(body: unknown, asked: Asked): NoticePage {
  const read = readEnvelope(body);
  const notices = itemsOf(read.content, noticeShape).map((raw) => {
    const versions = itemsOf(raw.versions, versionShape).map(summaryOf);
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
  const read = noticeShape.safeParse(body);
  if (!read.success) throw unreadable();
  const { version } = read.data;
  if (version === undefined) return undefined;
  return { ...headOf(read.data), version: { ...summaryOf(version), name: plain(version.name) ?? '' } };
}

/** GET v2/privacynotices/{id}/versions. */
export function readNoticeVersionPage(body: unknown, asked: Asked): NoticeVersionPage {
  const read = readEnvelope(body);
  const versions = itemsOf(read.content, versionShape).map(
    (raw): NoticeVersion => ({
      ...summaryOf(raw),
      name: plain(raw.name) ?? '',
      publishedBy: plain(raw.publishedBy),
      languages: itemsOf(raw.languages, languageShape).flatMap(({ guid, languageCode, defaultLanguage }) => {
        const code = plain(languageCode);
        return code === undefined ? [] : [{ code, guid: plain(guid), isDefault: defaultLanguage ?? false }];
      }),
    }),
  );
  return { versions, paging: readPaging(read, asked) };
}

function readEnvelope(body: unknown): wire.Read<typeof envelope> {
  const read = envelope.safeParse(body);
  if (!read.success) throw unreadable();
  return read.data;
}

function unreadable(): Problem {
  return new Problem('platform-unreadable', { cause: new Error('not a notice answer') });
}

function itemsOf<T>(
  items: readonly unknown[],
  shape: { safeParse(item: unknown): { data?: T | undefined } },
): T[] {
  return items.flatMap((item) => {
    const { data } = shape.safeParse(item);
    return data === undefined ? [] : [data];
  });
}

function headOf(raw: wire.Read<typeof noticeShape>) {
  return {
    id: raw.id,
    createdDate: plain(raw.createdDate),
    lastPublishedDate: plain(raw.lastPublishedDate),
    organizationId: plain(raw.organizationId),
    responsibleUserId: plain(raw.responsibleUserId),
  };
}

function summaryOf(raw: wire.Read<typeof versionShape>): NoticeVersionSummary {
  return {
    id: raw.id,
    version: raw.version,
    status: wire.known(raw.status, statuses) ?? 'unknown',
    publishedDate: plain(raw.publishedDate),
  };
}

const statuses: Readonly<Record<string, NoticeStatus>> = {
  DRAFT: 'draft',
  ACTIVE: 'active',
  INACTIVE: 'inactive',
  RETIRED: 'retired',
};
