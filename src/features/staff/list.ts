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

/** The platform refuses pages beyond this (docs/platform-api.md, Paged lists). */
export const lastPage = 49;
/** Zero-based, as the platform counts. What lies beyond a limit is brought to it. */
const page = number.transform((wanted) => Math.min(wanted, lastPage)).catch(0);
export const usualSize = 20;
const size = number.transform((wanted) => Math.min(Math.max(wanted, 1), 50)).catch(usualSize);

export const dayMs = 24 * 60 * 60 * 1000;
/** Counted from now, so that an address that was kept stays true. Milliseconds. */
const latest = { '24h': dayMs, '7d': 7 * dayMs, '30d': 30 * dayMs, '': undefined };

/** What the address of each list asks for; what cannot be read asks for nothing. */
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

/** Epoch milliseconds: at or after, and before. Days are of UTC, both included; one that is '' leaves its end open. */
export function spanOf({ from, to }: { readonly from: string; readonly to: string }) {
  const end = readDay(to);
  return { from: readDay(from), to: end === undefined ? undefined : end + dayMs };
}

/** Of submissions, which may also be the latest of them. */
export function spanUntil(asked: Pick<Query<'submissions'>, 'from' | 'to' | 'within'>, now: number) {
  const ms = latest[asked.within];
  return ms === undefined ? spanOf(asked) : { from: now - ms, to: undefined };
}

/** Whole days; without any, the last seven, with one end alone the day of it. */
export function wholeDays(asked: { readonly from: string; readonly to: string }, now: number) {
  const { from, to } = spanOf(asked);
  const tomorrow = now - (now % dayMs) + dayMs;
  const end = to ?? (from === undefined ? tomorrow : from + dayMs);
  return { from: from ?? (to === undefined ? end - 7 * dayMs : end - dayMs), to: end };
}

/** So many whole days up to and with today. */
export function latestDays(now: number, count: number) {
  const to = now - (now % dayMs) + dayMs;
  return { from: to - count * dayMs, to };
}

/** As it stands in an address: what is undefined, '' or 0 is left out. */
type Asked = Readonly<Record<string, string | number | undefined>>;

/** Each with what it asks for. */
export type Views = readonly (readonly [label: string, asks: Asked])[];

/** `what`: the id of the table, unless it says otherwise. */
interface ListInput<Row> extends Tabular<Row> {
  readonly path: string;
  /** What the address asks for; `fields` say it, and change it. */
  readonly filter: Asked;
  readonly fields?: readonly FilterField[];
  /** Views that many need. */
  readonly views?: Views;
  /** What the rows are called. */
  readonly what?: string;
  readonly paging?: Paging;
  /** The reader chooses how many rows a page has. */
  readonly hasSizes?: boolean;
  /** Of a list whose length is not known. */
  readonly hasMore?: boolean;
  /** In place of `empty` while the filter asks for something. */
  readonly nothingFits?: string;
  /** Addresses of the same list as a file. */
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

/** One page of rows that are all at hand: `page` counts from zero, and the last one stands for any after it. */
export function cut<Row>(rows: readonly Row[], { page, size }: Pick<Paging, 'page' | 'size'>) {
  const at = Math.min(page, Math.max(Math.ceil(rows.length / size) - 1, 0));
  const shown = rows.slice(at * size, (at + 1) * size);
  return { shown, paging: pagingOf({ page: at, size, total: rows.length }) };
}

/** Of a list that is cut into pages here. */
export function pagingOf(given: Pick<Paging, 'page' | 'size'> & { readonly total: number }): Paging {
  const { page, size, total } = given;
  const totalPages = Math.ceil(total / size);
  return { page, size, totalPages, totalElements: total, last: page + 1 >= totalPages };
}

/**
 * Which part of a list is shown: usual views, what is asked for beside them as chips, each of which can be taken away
 * by itself, and the fields behind one button.
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

/** What a field asks for, in words and in the address; undefined where it asks for nothing. */
function setOf(field: FilterField) {
  const { name, label } = field;
  if (field.kind === 'check')
    return field.checked ? { label, pair: [name, field.value] as const } : undefined;
  const [chosen] = field.kind === 'select' ? field.options.filter(({ selected }) => selected) : [field];
  if (chosen === undefined || chosen.value === '') return undefined;
  const said = field.kind === 'select' ? chosen.label : chosen.value;
  return { label: `${label}: ${said}`, pair: [name, chosen.value] as const };
}

/** A choice of centers; the one of the address is among them even without a name. */
export function centerField(centers: readonly Named[], chosen: string) {
  const isKnown = chosen === '' || centers.some(({ id }) => id === chosen);
  const from = [...centers, ...(isKnown ? [] : [chosen])];
  return select({ id: 'center', label: 'Center', none: 'All', from });
}

export const dayFields = [
  input({ id: 'from', label: 'From (UTC)', type: 'date' }),
  input({ id: 'to', label: 'Until (UTC)', type: 'date' }),
];

/** Page sizes that are offered; a notice list takes at most 50 (docs/platform-api.md, Paged lists). */
const pageSizes: readonly number[] = [10, 20, 50];

/** undefined where one page holds everything. */
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

/** Without what is not asked for, and without the first page. */
export function withQuery(path: string, query: Asked): string {
  const kept = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== '' && value !== 0,
  );
  return hrefWith(path, Object.fromEntries(kept.map(([name, value]) => [name, String(value)])));
}
