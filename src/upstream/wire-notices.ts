import type { NoticeVersion } from '../core/model/staff/notice.ts';
import { type Asked, envelope, readPaging } from './wire-paging.ts';
import * as wire from './wire-shape.ts';
import { line } from './wire-text.ts';

const statuses = { DRAFT: 'draft', ACTIVE: 'active', INACTIVE: 'inactive', RETIRED: 'retired' } as const;

const languageShape = wire.shape({
  guid: line,
  code: { ...wire.called('languageCode', line), isNeeded: true },
  isDefault: wire.called('defaultLanguage', wire.flag),
});

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
export function readNoticePage(body: unknown, asked: Asked) {
  const read = wire.parse(body, envelope, what);
  const notices = wire.readable(read.content, noticeShape).map((raw) => {
    const versions = raw.versions.map(versionOf);
    return {
      ...raw,
      numberOfVersions: raw.numberOfVersions ?? versions.length,
      versions: versions.toSorted((one, other) => (other.version ?? 0) - (one.version ?? 0)),
    };
  });
  return { notices, paging: readPaging(read, asked) };
}

/** GET v2/privacynotices/{id}?date=. Returns undefined if the answer names no version. */
export function readNoticeVersion(body: unknown) {
  const { version, ...notice } = wire.parse(body, noticeShape, what);
  return version && { ...notice, version: versionOf(version) };
}

/** GET v2/privacynotices/{id}/versions. */
export function readNoticeVersionPage(body: unknown, asked: Asked) {
  const read = wire.parse(body, envelope, what);
  const versions = wire.readable(read.content, versionShape).map(versionOf);
  return { versions, paging: readPaging(read, asked) };
}

function versionOf(raw: wire.Read<typeof versionShape>): NoticeVersion {
  const { name = '', status = 'unknown', languages } = raw;
  return {
    ...raw,
    name,
    status,
    languages: languages.map(({ isDefault = false, ...language }) => ({ ...language, isDefault })),
  };
}
