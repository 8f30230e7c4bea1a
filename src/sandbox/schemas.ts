import { Router } from 'express';
import type { Center, Centers, SchemaState } from './centers.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { fold, isGuid, type JsonObject } from './json.ts';
import { sortedPage } from './paging.ts';
import { badRequest, centerNotFound, malformed, unknownId } from './refusal.ts';

const READ = ['CONSENT', 'CONSENT_READ'] as const;

/** Sort key of each member by which the list of centers can be sorted. */
const SORT_KEYS = new Map<string, (center: Center) => string | number>([
  ['name', ({ summary }) => summary.name.toLowerCase()],
  ['createdDate', ({ summary }) => summary.created.getTime()],
  ['lastModifiedDate', ({ summary }) => summary.modified.getTime()],
  ['status', ({ summary }) => summary.status],
  ['version', ({ summary }) => summary.version],
]);

/** Routes of the schemas of both families, and of the list of centers. */
export function schemaRoutes({ endpoint, centers }: { endpoint: Endpoint; centers: Centers }): Router {
  return Router({ caseSensitive: true })
    .get(
      '/api/consentmanager/v1/preferencecenters/:center/preferences',
      endpoint('read-schema', READ, (call) => {
        const center = centers.findIn(stateOf(call), call.parameter('center'));
        if (center === undefined) throw centerNotFound(call.parameter('center'));
        return { text: center.schema };
      }),
    )
    .get(
      '/api/consentmanager/v2/preferencecenters',
      endpoint('list-centers', READ, (call) => {
        const order = readSort(call.query.getAll('sort').filter((sort) => sort !== ''));
        const element = fold(call.query.get('dataElementGuid') ?? '');
        if (element !== '' && !isGuid(element)) throw malformed('dataElementGuid');
        const listed = centers
          .list()
          .filter((center) => element === '' || center.dataElementIds.has(element))
          .sort(order);
        return sortedPage(call.query, listed, { most: 100, show: showCenter });
      }),
    )
    .get(
      '/api/consentmanager/v2/preferencecenters/:center/schema',
      endpoint('read-root', READ, (call) => {
        const id = call.parameter('center');
        const root = centers.findIn(stateOf(call), id)?.root;
        if (root === undefined) throw unknownId(id, 'preferencecenterid', 'Multi Page preference center');
        return { text: root };
      }),
    )
    .get(
      '/api/consentmanager/v2/preferencecenterpage/:page/schema',
      endpoint('read-page', READ, (call) => {
        const id = call.parameter('page');
        const page = centers.findPage(stateOf(call), id);
        if (page === undefined) throw unknownId(id, 'preferencecenterpageid', 'Preference center page');
        return { text: page };
      }),
    );
}

function stateOf(call: Call): SchemaState {
  const state = call.query.get('state') ?? 'PUBLISHED';
  if (state === 'PUBLISHED' || state === 'DRAFT') return state;
  throw badRequest('state must be PUBLISHED or DRAFT');
}

type Order = (a: Center, b: Center) => number;

/** Combines the orders: each next order decides where the earlier leave two equal; the id decides last. */
function readSort(given: readonly string[]): Order {
  const orders = (given.length === 0 ? ['createdDate,desc'] : given).map(readOrder);
  return (a, b) => {
    for (const order of orders) {
      const found = order(a, b);
      if (found !== 0) return found;
    }
    return a.id < b.id ? -1 : 1;
  };
}

function readOrder(given: string): Order {
  const [member = '', direction = 'asc', ...rest] = given.split(',');
  const key = SORT_KEYS.get(member);
  const isDescending = direction.toLowerCase() === 'desc';
  const isKnown = isDescending || direction.toLowerCase() === 'asc';
  if (key === undefined || !isKnown || rest.length > 0) {
    throw badRequest(`sort must be one of ${[...SORT_KEYS.keys()].join(', ')} followed by ,asc or ,desc`);
  }
  const sign = isDescending ? -1 : 1;
  return (a, b) => {
    const [left, right] = [key(a), key(b)];
    return left < right ? -sign : left > right ? sign : 0;
  };
}

function showCenter({ id, template, summary }: Center): JsonObject {
  return {
    id,
    name: summary.name,
    organizationName: summary.organizationName,
    template,
    ...(summary.published === undefined ? {} : { publishedDate: summary.published.toISOString() }),
    status: summary.status,
    createdDate: summary.created.toISOString(),
  };
}
