import * as z from 'zod';
import type { Paging } from '../../core/model/staff/notice.ts';
import { readDay } from '../../core/model/utc-time.ts';
import type { FilterField } from '../../pages/staff-fields.ts';
import type { FilterBlock, PagerView, TableView } from '../../pages/staff-page.ts';
import { withQuery as hrefWith } from '../../web/href.ts';
import { form, input, select, type Tabular, table } from './blocks.ts';
import type { Named } from './names.ts';

const words = z.string().trim().catch('');
const id = z.string().toLowerCase().catch('');
const choice = z.string().catch('');
const day = z
  .string()
  .refine((text) => readDay(text) !== undefined)
  .catch('');
const days = { from: day, to: day };
const number = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);

/** The last page, counted from zero, that the platform gives out (docs/platform-api.md, Paged lists). */
export const lastPage = 49;
/** A page number, zero-based as on the platform. A number beyond the limit becomes the limit. */
const page = number.transform((wanted) => Math.min(wanted, lastPage)).catch(0);
export const usualSize = 20;
const size = number.transform((wanted) => Math.min(Math.max(wanted, 1), 50)).catch(usualSize);

export const dayMs = 24 * 60 * 60 * 1000;
/** Lengths of periods that end now, in milliseconds. A stored address with one of them stays useful. */
const latest = { '24h': dayMs, '7d': 7 * dayMs, '30d': 30 * dayMs, '': undefined };

/** The query of each list. A value that cannot be read counts as not given. */
export const queries = {
  audit: z.object({ staff: words, text: words, ...days, page }),
  centers: z.object({ text: words, status: choice, page }),
  findings: z.object({ kind: choice, language: choice, page }),
  notices: z.object({ page, size }),
  versions: z.object({
    date: words,
    time: words,
    count: z.enum(['before', 'through']).catch('through'),
    page,
    size,
  }),
  submissions: z
    .object({
      state: z.enum(['pending', 'done', 'failed', '']).catch(''),
      only: z.enum(['withdrawals', '']).catch(''),
      center: id,
      within: z.enum(['24h', '7d', '30d', '']).catch(''),
      ...days,
      page,
    })
    .transform((asked) => (asked.within === '' ? asked : { ...asked, from: '', to: '' })),
  reasons: z.object({ center: id, ...days }),
  wordings: z.object({ center: id, purpose: id, ...days }),
} as const;

export type Query<Name extends keyof typeof queries> = z.output<(typeof queries)[Name]>;

/**
 * The period of two days in UTC, both included: `from` inclusive, `to` exclusive, in epoch milliseconds. A
 * day that is '' leaves its end open.
 */
export function spanOf({ from, to }: { readonly from: string; readonly to: string }) {
  const end = readDay(to);
  return { from: readDay(from), to: end === undefined ? undefined : end + dayMs };
}

/** The period of a list of submissions, which may also be the latest hours or days. */
export function spanUntil(asked: Pick<Query<'submissions'>, 'from' | 'to' | 'within'>, now: number) {
  const ms = latest[asked.within];
  return ms === undefined ? spanOf(asked) : { from: now - ms, to: undefined };
}

/** A period of whole days. Without any day, the last seven; with one day alone, that day. */
export function wholeDays(asked: { readonly from: string; readonly to: string }, now: number) {
  const { from, to } = spanOf(asked);
  const tomorrow = now - (now % dayMs) + dayMs;
  const end = to ?? (from === undefined ? tomorrow : from + dayMs);
  return { from: from ?? (to === undefined ? end - 7 * dayMs : end - dayMs), to: end };
}

/** The last `count` whole days, today included. */
export function latestDays(now: number, count: number) {
  const to = now - (now % dayMs) + dayMs;
  return { from: to - count * dayMs, to };
}

/** The query of an address; a value that is undefined, '' or 0 is left out. */
type Asked = Readonly<Record<string, string | number | undefined>>;

/** Usual views: each label with its query. */
export type Views = readonly (readonly [label: string, asks: Asked])[];

/** The content of a list. `what` is the id of the table unless given. */
interface ListInput<Row> extends Tabular<Row> {
  readonly path: string;
  /** The query of the address, which `fields` show and change. */
  readonly filter: Asked;
  readonly fields?: readonly FilterField[];
  /** Views that many readers need. */
  readonly views?: Views;
  /** The noun for the rows. */
  readonly what?: string;
  readonly paging?: Paging;
  /** Whether the reader can choose the number of rows on a page. */
  readonly hasSizes?: boolean;
  /** For a list of unknown length: whether more rows follow. */
  readonly hasMore?: boolean;
  /** The text in place of `empty` while the filter asks for something. */
  readonly nothingFits?: string;
  /** Addresses that give the same list as a file. */
  readonly files?: readonly string[];
}

/** A list: its filter, its rows in pages, its files. */
export function list<Row>(given: ListInput<Row>): readonly (FilterBlock | TableView)[] {
  const { path, filter, views, what = given.id, paging, hasSizes, hasMore, ...rest } = given;
  const { fields: offered = [], nothingFits, files = [], ...shown } = rest;
  const { empty = '', links = [], rows } = shown;
  const hrefOf = (change: Asked) => withQuery(path, { ...filter, ...change });
  const fields = offered.map((field) => asAsked(field, String(filter[field.name] ?? '')));
  const isAsked = fields.some((field) => setOf(field) !== undefined);
  return [
    ...(fields.length === 0 ? [] : [filterBlock(given, fields)]),
    table({
      ...shown,
      empty: isAsked ? (nothingFits ?? empty) : empty,
      pager: pagerOf({ ...given, what }, hrefOf),
      links: [
        ...links,
        ...(rows.length === 0 ? [] : files).map((file) => ({
          href: withQuery(file, { ...filter, page: 0 }),
          label: file.endsWith('.csv') ? 'Download CSV' : 'Download JSON Lines',
        })),
      ],
    }),
  ];
}

/**
 * One page of rows that are all in memory. `page` is zero-based; a page after the last one gives the last
 * one.
 */
export function cut<Row>(rows: readonly Row[], { page, size }: Pick<Paging, 'page' | 'size'>) {
  const at = Math.min(page, Math.max(Math.ceil(rows.length / size) - 1, 0));
  const shown = rows.slice(at * size, (at + 1) * size);
  return { shown, paging: pagingOf({ page: at, size, total: rows.length }) };
}

/** The paging of a list that this product cuts into pages. */
export function pagingOf(given: Pick<Paging, 'page' | 'size'> & { readonly total: number }): Paging {
  const { page, size, total } = given;
  const totalPages = Math.ceil(total / size);
  return { page, size, totalPages, totalElements: total, last: page + 1 >= totalPages };
}

/**
 * The filter of a list: usual views; a chip for each other condition, which the reader can remove; and the
 * fields behind one button.
 */
function filterBlock(
  { path, filter, views = [] }: Pick<ListInput<never>, 'path' | 'filter' | 'views'>,
  fields: readonly FilterField[],
): FilterBlock {
  const here = withQuery(path, { ...filter, page: 0 });
  const shownViews = views.map(([label, asks]) => {
    const href = withQuery(path, Object.fromEntries(Object.keys(filter).map((name) => [name, asks[name]])));
    return { label, href, current: href === here };
  });
  const set = shownViews.some(({ current }) => current) ? [] : fields.flatMap((field) => setOf(field) ?? []);
  const hrefOf = (kept: typeof set) => withQuery(path, Object.fromEntries(kept.map((one) => one.pair)));
  const links = set.length > 1 ? [{ href: path, label: 'Clear all' }] : [];
  return {
    ...form({ id: 'filter', method: 'get', action: path, label: 'Show', links }),
    kind: 'filter',
    views: shownViews,
    chips: set.map((one) => ({ label: one.label, href: hrefOf(set.filter((other) => other !== one)) })),
    fields,
  };
}

function asAsked(field: FilterField, value: string): FilterField {
  if (field.kind === 'input') return { ...field, value };
  if (field.kind === 'check') return { ...field, checked: field.value === value };
  return { ...field, options: field.options.map((one) => ({ ...one, selected: one.value === value })) };
}

/** The condition that a field sets, in words and as a query pair; undefined if it sets none. */
function setOf(field: FilterField) {
  const { name, label } = field;
  if (field.kind === 'check')
    return field.checked ? { label, pair: [name, field.value] as const } : undefined;
  const [chosen] = field.kind === 'select' ? field.options.filter(({ selected }) => selected) : [field];
  if (chosen === undefined || chosen.value === '') return undefined;
  const shownValue = field.kind === 'select' ? chosen.label : chosen.value;
  return { label: `${label}: ${shownValue}`, pair: [name, chosen.value] as const };
}

/** A menu of centers. The center of the address is always in it, even without a name. */
export function centerField(centers: readonly Named[], chosen: string) {
  const isKnown = chosen === '' || centers.some(({ id }) => id === chosen);
  const from = [...centers, ...(isKnown ? [] : [chosen])];
  return select({ id: 'center', label: 'Center', none: 'All', from });
}

export const dayFields = [
  input({ id: 'from', label: 'From (UTC)', type: 'date' }),
  input({ id: 'to', label: 'Until (UTC)', type: 'date' }),
];

/** The offered page sizes. A list of notices takes at most 50 (docs/platform-api.md, Paged lists). */
const pageSizes: readonly number[] = [10, 20, 50];

/** The links to other pages; undefined if one page holds all rows. */
export function pagerOf(
  given: Pick<ListInput<never>, 'what' | 'paging' | 'hasSizes' | 'hasMore' | 'filter'>,
  hrefOf: (change: { readonly page: number; readonly size?: number }) => string,
): PagerView | undefined {
  const { what, paging, hasSizes = false, hasMore = false, filter } = given;
  const linkIf = (isThere: boolean, page: number, label: string) =>
    isThere ? { href: hrefOf({ page }), label } : undefined;
  const label = `Pages of ${what}`;
  if (paging === undefined) {
    const page = Number(filter['page'] ?? 0);
    if (page === 0 && !hasMore) return undefined;
    return {
      label,
      text: `Page ${page + 1}`,
      first: linkIf(page > 1, 0, 'Newest'),
      previous: linkIf(page > 0, page - 1, 'Newer'),
      next: linkIf(hasMore, page + 1, 'Older'),
      sizes: [],
    };
  }
  const { page, size, totalPages, totalElements } = paging;
  const all = `${totalElements} ${what} in all.`;
  const offered = hasSizes && totalElements > Math.min(...pageSizes) ? [...pageSizes, size] : [];
  const sizes = [...new Set(offered)]
    .sort((one, other) => one - other)
    .map((each) => ({ href: hrefOf({ page: 0, size: each }), label: String(each), current: each === size }));
  if (totalPages < 2 && page === 0) return sizes.length === 0 ? undefined : { label, text: all, sizes };
  const reachable = Math.min(totalPages - 1, lastPage);
  const hasNext = !paging.last && page < reachable;
  const beyond =
    totalPages - 1 > lastPage ? ` The platform gives out no more than ${lastPage + 1} pages.` : '';
  return {
    label,
    text: `Page ${page + 1} of ${Math.max(totalPages, 1)}, ${all}${beyond}`,
    first: linkIf(page > 1, 0, 'First'),
    previous: linkIf(page > 0, Math.min(page - 1, reachable), 'Previous'),
    next: linkIf(hasNext, page + 1, 'Next'),
    last: linkIf(hasNext && reachable > page + 1, reachable, 'Last'),
    sizes,
  };
}

/** The address with its query, without empty values and without page 0. */
export function withQuery(path: string, query: Asked): string {
  const kept = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== '' && value !== 0,
  );
  return hrefWith(path, Object.fromEntries(kept.map(([name, value]) => [name, String(value)])));
}
