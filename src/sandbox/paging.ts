import type { Json, JsonObject } from './json.ts';
import { badRequest } from './refusal.ts';

export interface PageRequest {
  readonly page: number;
  readonly size: number;
}

export interface PageLimits {
  readonly maxSize: number;
  readonly maxPage: number;
}

export function readPageRequest(query: URLSearchParams, limits: PageLimits): PageRequest {
  return {
    page: whole(query, 'page', { fallback: 0, min: 0, max: limits.maxPage }),
    size: whole(query, 'size', { fallback: 20, min: 1, max: limits.maxSize }),
  };
}

function whole(
  query: URLSearchParams,
  name: string,
  range: { fallback: number; min: number; max: number },
): number {
  const given = query.get(name);
  if (given === null || given === '') return range.fallback;
  const value = /^-?\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
  if (value >= range.min && value <= range.max) return value;
  throw badRequest(
    range.max >= Number.MAX_SAFE_INTEGER
      ? `${name} must be a whole number, ${range.min} or more`
      : `${name} must be a whole number from ${range.min} to ${range.max}`,
  );
}

/** Builds the paged envelope. The top member `sort` has another shape in each list. */
export function pageOf<T>(
  items: readonly T[],
  request: PageRequest,
  order: { sorted: boolean; sort: Json },
  show: (item: T) => JsonObject,
): JsonObject {
  const offset = request.page * request.size;
  const content = items.slice(offset, offset + request.size).map(show);
  const totalPages = Math.ceil(items.length / request.size);
  return {
    content,
    pageable: {
      sort: sortFlags(order.sorted),
      pageNumber: request.page,
      pageSize: request.size,
      offset,
      paged: true,
      unpaged: false,
    },
    sort: order.sort,
    numberOfElements: content.length,
    totalPages,
    totalElements: items.length,
    first: request.page === 0,
    last: request.page >= totalPages - 1,
    size: request.size,
    number: request.page,
    empty: content.length === 0,
  };
}

/** Builds the page that a query asks for. `most` is the largest page size. */
export function sortedPage<T>(
  query: URLSearchParams,
  items: readonly T[],
  { most, show }: { most: number; show: (item: T) => JsonObject },
): { readonly body: JsonObject } {
  const request = readPageRequest(query, { maxSize: most, maxPage: Number.MAX_SAFE_INTEGER });
  return { body: pageOf(items, request, { sorted: true, sort: sortFlags(true) }, show) };
}

function sortFlags(sorted: boolean): JsonObject {
  return { sorted, unsorted: !sorted, empty: !sorted };
}
