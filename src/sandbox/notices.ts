import { join } from 'node:path';
import { Router } from 'express';
import { localTime, readInstant } from './clock.ts';
import type { Endpoint } from './endpoint.ts';
import { type Folder, jsonFiles } from './folder.ts';
import { fold, isGuid, type Json, type JsonObject, objects, text } from './json.ts';
import { pageOf, readPageRequest } from './paging.ts';
import { readQueryDate } from './query-date.ts';
import { badRequest, NothingThere } from './refusal.ts';

const HOME = '/api/privacynotice/v2/privacynotices';
const LIMITS = { maxSize: 50, maxPage: 49 };

const NEWEST_FIRST = {
  sorted: true,
  sort: [
    {
      direction: 'DESC',
      property: 'createdDate',
      ignoreCase: false,
      nullHandling: 'NATIVE',
      ascending: false,
      descending: true,
    },
  ],
};
const UNSORTED = { sorted: false, sort: [] };

/** Routes of privacy notices: the list, the version active before a date, a text, all versions. */
export function noticeRoutes(parts: { endpoint: Endpoint; folder: Folder; seedDir: string }): Router {
  const { endpoint, folder } = parts;
  const home = join(parts.seedDir, 'notices');

  function all(): JsonObject[] {
    const files = jsonFiles(folder, home).map(({ path }) => folder.file(path));
    return files.flatMap((file) => (file === undefined ? [] : [file.value]));
  }

  function find(id: string): JsonObject {
    const notice = all().find((candidate) => fold(text(candidate['id']) ?? '') === fold(id));
    if (notice !== undefined) return notice;
    throw isGuid(id) ? new NothingThere() : badRequest(`${id} is not a GUID`);
  }

  return Router({ caseSensitive: true })
    .get(
      HOME,
      endpoint('list-notices', ['POLICY'], (call) => {
        const request = readPageRequest(call.query, LIMITS);
        const notices = all().sort((a, b) => timeOf(b, 'createdDate') - timeOf(a, 'createdDate'));
        return { body: pageOf(notices, request, NEWEST_FIRST, showSummary) };
      }),
    )
    .get(
      `${HOME}/:notice`,
      endpoint('read-notice', ['POLICY'], (call) => {
        const date = readQueryDate(call.query, 'date')?.getTime();
        if (date === undefined) throw badRequest('date is required: yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss');
        const notice = find(call.parameter('notice'));
        const version = versionBefore(notice, date);
        if (version === undefined) throw new NothingThere();
        return { body: { ...showNotice(notice), version: showActiveVersion(version) } };
      }),
    )
    .get(
      '/api/enterprise-policy/v1/privacynotices/:notice/published-version',
      endpoint('read-notice-text', ['POLICY'], (call) => {
        const notice = find(call.parameter('notice'));
        const version = versionsOf(notice).find(({ status }) => status === 'ACTIVE');
        if (version === undefined) throw new NothingThere();
        const language = (call.query.get('language') ?? '').toLowerCase();
        return { body: { ...showActiveVersion(version), ...showText(version, language) } };
      }),
    )
    .get(
      `${HOME}/:notice/versions`,
      endpoint('list-notice-versions', ['POLICY'], (call) => {
        const request = readPageRequest(call.query, LIMITS);
        return { body: pageOf(versionsOf(find(call.parameter('notice'))), request, UNSORTED, showVersion) };
      }),
    );
}

function timeOf(item: JsonObject, member: string): number {
  return readInstant(text(item[member]) ?? '')?.getTime() ?? 0;
}

function versionsOf(notice: JsonObject): JsonObject[] {
  const number = (version: JsonObject) => Number(version['version'] ?? 0) || 0;
  return objects(notice['versions']).sort((a, b) => number(b) - number(a));
}

/** Finds the newest version that was published strictly before the date, in milliseconds since 1970. */
function versionBefore(notice: JsonObject, date: number): JsonObject | undefined {
  const published = versionsOf(notice).filter((version) => {
    const at = readInstant(text(version['publishedDate']) ?? '')?.getTime();
    return at !== undefined && at < date && version['status'] !== 'DRAFT';
  });
  return published.sort((a, b) => timeOf(b, 'publishedDate') - timeOf(a, 'publishedDate'))[0];
}

function showNotice({ versions: _versions, ...notice }: JsonObject): JsonObject {
  return withoutNothing({
    ...notice,
    id: notice['id'] ?? undefined,
    createdDate: local(notice['createdDate']),
    organizationId: notice['organizationId'] ?? undefined,
    lastPublishedDate: local(notice['lastPublishedDate']) ?? null,
    responsibleUserId: notice['responsibleUserId'] ?? null,
  });
}

function showSummary(notice: JsonObject): JsonObject {
  const versions = versionsOf(notice);
  return {
    ...showNotice(notice),
    numberOfVersions: versions.length,
    versions: versions.map((version) =>
      withoutNothing({
        id: version['id'] ?? undefined,
        publishedDate: local(version['publishedDate']) ?? null,
        status: version['status'] ?? undefined,
        version: version['version'] ?? undefined,
      }),
    ),
  };
}

function showActiveVersion(version: JsonObject): JsonObject {
  return withoutNothing({
    id: version['id'] ?? undefined,
    name: version['name'] ?? undefined,
    publishedDate: local(version['publishedDate']),
    status: version['status'] ?? undefined,
    version: version['version'] ?? undefined,
  });
}

/** Shows the `content` of the file, or else a heading with the notice's name. */
function showText(version: JsonObject, wanted: string): JsonObject {
  const languages = objects(version['languages']);
  const code = (language: JsonObject) => (text(language['languageCode']) ?? '').toLowerCase();
  const language =
    languages.find((each) => code(each) === wanted) ??
    languages.find((each) => each['defaultLanguage'] === true) ??
    {};
  const content = text(language['content']) ?? `<h1>${text(version['name']) ?? ''}</h1>`;
  return { languageCode: language['languageCode'] ?? 'en-us', content };
}

function showVersion(version: JsonObject): JsonObject {
  const published = text(version['publishedDate']);
  return withoutNothing({
    ...version,
    id: version['id'] ?? undefined,
    name: version['name'] ?? undefined,
    status: version['status'] ?? undefined,
    publishedDate: published === undefined ? null : (readInstant(published)?.toISOString() ?? published),
    publishedBy: version['publishedBy'] ?? null,
    languages: version['languages'] ?? [],
  });
}

function withoutNothing(item: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(item).flatMap(([member, value]) => (value === undefined ? [] : [[member, value]])),
  );
}

/** Formats a date-time without a zone; text that is no date-time is returned unchanged. */
function local(value: Json | undefined): string | undefined {
  const source = text(value);
  if (source === undefined) return undefined;
  const date = readInstant(source);
  return date === undefined ? source : localTime(date);
}
