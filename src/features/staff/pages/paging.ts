import type { Paging } from '../../../core/model/staff/notice.ts';
import type { PagerView, TableView } from '../../../pages/staff-page.ts';

/** Page sizes that are offered; a notice list takes at most 50 (docs/platform-api.md, Paged lists). */
const pageSizes: readonly number[] = [10, 20, 50];
export const usualSize = 20;
/** The platform refuses pages beyond this (docs/platform-api.md, Paged lists). */
const lastPage = 49;

/** Page (zero-based, as the platform counts) and size of an address; what lies beyond a limit is brought to it. */
export function readPaging(query: { readonly page?: unknown; readonly size?: unknown }): {
  page: number;
  size: number;
} {
  const size = Math.min(Math.max(whole(query.size) ?? usualSize, 1), 50);
  const page = Math.min(whole(query.page) ?? 0, lastPage);
  return { page, size };
}

function whole(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** Of a list that is cut into pages here: `page` counts from zero. */
export function pagingOf({
  page,
  size,
  total,
}: {
  readonly page: number;
  readonly size: number;
  readonly total: number;
}): Paging {
  const totalPages = Math.ceil(total / size);
  return { page, size, totalPages, totalElements: total, first: page === 0, last: page + 1 >= totalPages };
}

/** `hrefOf` gives the address of a page, counted from zero. undefined where one page holds everything. */
export function buildPager(
  paging: Paging,
  hrefOf: (page: number) => string,
  what: string,
): PagerView | undefined {
  if (paging.totalPages < 2 && paging.page === 0) return undefined;
  const reachable = Math.min(paging.totalPages - 1, lastPage);
  const link = (page: number, label: string) => ({ href: hrefOf(page), label });
  const hasNext = !paging.last && paging.page < reachable;
  const beyond =
    paging.totalPages - 1 > lastPage ? ` The platform gives out no more than ${lastPage + 1} pages.` : '';
  return {
    label: `Pages of ${what}`,
    text: `Page ${paging.page + 1} of ${Math.max(paging.totalPages, 1)}, ${paging.totalElements} ${what} in all.${beyond}`,
    first: paging.page > 1 ? link(0, 'First') : undefined,
    previous: paging.page > 0 ? link(Math.min(paging.page - 1, reachable), 'Previous') : undefined,
    next: hasNext ? link(paging.page + 1, 'Next') : undefined,
    last: hasNext && reachable > paging.page + 1 ? link(reachable, 'Last') : undefined,
    sizes: [],
  };
}

/** With the sizes that a page may have, where the smallest one does not hold everything. */
export function withSizes(
  pager: PagerView | undefined,
  { paging, what, hrefOf }: { paging: Paging; what: string; hrefOf: (size: number) => string },
): PagerView | undefined {
  if (paging.totalElements <= Math.min(...pageSizes)) return pager;
  const whole: PagerView = {
    label: `Pages of ${what}`,
    text: `${paging.totalElements} ${what} in all.`,
    sizes: [],
  };
  const sizes = [...new Set([...pageSizes, paging.size])].sort((one, other) => one - other);
  return {
    ...(pager ?? whole),
    sizes: sizes.map((size) => ({ href: hrefOf(size), label: String(size), current: size === paging.size })),
  };
}

/** The way to a list as a file; none to an empty one. */
export function csvLink(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  rows: number,
): TableView['links'] {
  return rows === 0 ? [] : [{ href: withQuery(path, query), label: 'Download CSV' }];
}

/** An address with a query; what is undefined or empty is left out. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const kept = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  );
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}
