import { Router } from 'express';
import type { Center, Centers } from './centers.ts';
import { localTime } from './clock.ts';
import type { Call, Desk } from './desk.ts';
import { fold, type JsonObject } from './json.ts';
import { pageOf, readPageWish, sortFlags } from './paging.ts';
import { badRequest, centerNotFound, notFound } from './refusal.ts';

const READ = ['CONSENT', 'CONSENT_READ'] as const;
const LIMITS = { size: 20, maxSize: 100, maxPage: Number.MAX_SAFE_INTEGER };

/** What is compared for each member that the list of centers can be sorted by. */
const SORT_KEYS: Record<string, (center: Center) => string | number> = {
  name: ({ summary }) => summary.name.toLowerCase(),
  createdDate: ({ summary }) => summary.created.getTime(),
  lastModifiedDate: ({ summary }) => summary.modified.getTime(),
  status: ({ summary }) => summary.status,
  version: ({ summary }) => summary.version,
};

/** The schemas of both families and the list of centers. */
export function schemaRoutes({ desk, centers }: { desk: Desk; centers: Centers }): Router {
  return Router()
    .get(
      '/api/consentmanager/v1/preferencecenters/:center/preferences',
      desk('read-schema', READ, (call) => {
        checkState(call);
        const center = centers.find(call.parameter('center'));
        if (center === undefined) throw centerNotFound(call.parameter('center'));
        return { text: center.schema };
      }),
    )
    .get(
      '/api/consentmanager/v2/preferencecenters',
      desk('list-centers', READ, (call) => {
        const wish = readPageWish(call.query, LIMITS);
        const order = readSort(call.query.get('sort') ?? '');
        const element = fold(call.query.get('dataElementGuid') ?? '');
        const listed = centers
          .list()
          .filter((center) => element === '' || center.dataElementIds.has(element))
          .sort(order);
        return { body: pageOf(listed, wish, { sorted: true, sort: sortFlags(true) }, showCenter) };
      }),
    )
    .get(
      '/api/consentmanager/v2/preferencecenters/:center/schema',
      desk('read-root', READ, (call) => {
        checkState(call);
        const root = centers.find(call.parameter('center'))?.root;
        if (root === undefined)
          throw notFound(`Multi Page preference center ${call.parameter('center')} was not found`);
        return { text: root };
      }),
    )
    .get(
      '/api/consentmanager/v2/preferencecenterpage/:page/schema',
      desk('read-page', READ, (call) => {
        checkState(call);
        const page = centers.findPage(call.parameter('page'));
        if (page === undefined)
          throw notFound(`Preference center page ${call.parameter('page')} was not found`);
        return { text: page };
      }),
    );
}

/** Drafts are not kept apart: both states show what the folder holds. */
function checkState(call: Call): void {
  const state = call.query.get('state');
  if (state !== null && state !== 'PUBLISHED' && state !== 'DRAFT') {
    throw badRequest('state must be PUBLISHED or DRAFT');
  }
}

function readSort(given: string): (a: Center, b: Center) => number {
  const [member = '', direction = 'asc'] = (given === '' ? 'createdDate,desc' : given).split(',');
  const key = SORT_KEYS[member];
  const sign = { asc: 1, desc: -1 }[direction.toLowerCase()];
  if (key === undefined || sign === undefined) {
    throw badRequest(`sort must be one of ${Object.keys(SORT_KEYS).join(', ')} followed by ,asc or ,desc`);
  }
  return (a, b) => {
    const [left, right] = [key(a), key(b)];
    return (left < right ? -sign : left > right ? sign : 0) || (a.id < b.id ? -1 : 1);
  };
}

function showCenter({ id, template, summary }: Center): JsonObject {
  return {
    id,
    name: summary.name,
    organizationName: summary.organizationName,
    template,
    ...(summary.published === undefined ? {} : { publishedDate: localTime(summary.published) }),
    status: summary.status,
    createdDate: localTime(summary.created),
  };
}
