import { isGuid } from '../../core/model/center-config.ts';
import {
  hasZone,
  readPlatformMoment,
  writtenDay,
  writtenPlatform,
  writtenTime,
  writtenUtc,
} from '../../core/model/utc-time.ts';
import type {
  AreaField,
  Cell,
  CheckField,
  FactsView,
  Field,
  FilterBlock,
  FoldedBlocks,
  InputField,
  OptionView,
  SelectField,
  StaffPage,
  TableView,
  Tone,
} from './every-page.ts';
import { buildStaffLayout, type StaffPageContext, type StaffSectionName } from './layout.ts';

/** A page from the parts that it has; what is not given is not there. */
export function staffPage(
  pageContext: StaffPageContext,
  page: { readonly title: string; readonly section: StaffSectionName } & Partial<
    Omit<StaffPage, 'layout' | 'pageTitle'>
  >,
): StaffPage {
  const { title, section, ...rest } = page;
  const isWrong = page.mistakes !== undefined || page.notes?.some(({ tone }) => tone === 'problem');
  return {
    pageTitle: isWrong ? `Error: ${title}` : title,
    frame: 'page',
    crumbs: [],
    lead: [],
    mistakes: undefined,
    notes: [],
    links: [],
    blocks: [],
    ...rest,
    layout: buildStaffLayout(pageContext, { title, section }),
  };
}

/** What is not known is a dash, never a blank. */
export function cell(text: string | undefined, more: Partial<Omit<Cell, 'text'>> = {}): Cell {
  if (text === undefined || text === '') return { ...cell('–', more), look: 'text' };
  return {
    look: isGuid(text) ? 'code' : 'text',
    href: undefined,
    tone: undefined,
    instant: undefined,
    more: undefined,
    moreLook: more.more !== undefined && isGuid(more.more) ? 'code' : 'text',
    folded: undefined,
    lang: undefined,
    dir: undefined,
    ...more,
    text,
  };
}

/** Writes a count: `1,204`. */
export const figures = new Intl.NumberFormat('en-GB');

/** One of our own moments, for a column of them. */
export function moment(at: number, more: Partial<Omit<Cell, 'text'>> = {}): Cell {
  return cell(writtenUtc(at), { look: 'moment', ...more });
}

/** A moment that somebody plans by: in their own zone, where script can tell it. */
export function ownMoment(text: string | undefined): Cell {
  const at = readPlatformMoment(text);
  const shown = cell(writtenPlatform(text));
  if (at === undefined || text === undefined || !hasZone(text)) return shown;
  return { ...shown, instant: new Date(at).toISOString() };
}

/** A date-time of the platform, for a column of them: the day, and below it the time, with a zone if it has one. */
export function platformMoment(text: string | undefined, otherwise?: string): Cell {
  const at = readPlatformMoment(text);
  if (at === undefined || text === undefined) return cell(text ?? otherwise);
  const time = hasZone(text) ? `${writtenTime(at)} UTC` : writtenTime(at);
  return cell(writtenDay(at), { look: 'moment', more: time });
}

/** Ids are for copying: enough of one to tell it from others, `123e…4000`. What is no id stays whole. */
export function shortId(id: string): string {
  return isGuid(id) ? `${id.slice(0, 4)}…${id.slice(-4)}` : id;
}

/** What few ask for, below what they came for. */
export function folded(id: string, label: string, blocks: FoldedBlocks['blocks']): FoldedBlocks {
  return { kind: 'folded', id, label, blocks };
}

export function tag(text: string, tone: Tone): Cell {
  return cell(text, { tone });
}

export function table(
  given: Pick<TableView, 'id' | 'caption' | 'columns' | 'rows' | 'empty'> & Partial<TableView>,
): TableView {
  return { kind: 'table', heading: undefined, about: undefined, pager: undefined, links: [], ...given };
}

/** Which part of a list is shown; `isSet`: not all of it. */
export function filterOf(given: {
  readonly action: string;
  readonly fields: readonly Field[];
  readonly isSet: boolean;
  /** What is asked for is said elsewhere on the page. */
  readonly isTold?: boolean;
}): FilterBlock {
  return {
    kind: 'filter',
    id: 'filter',
    heading: undefined,
    about: undefined,
    label: 'Filter',
    open: given.isSet && given.isTold !== true,
    action: given.action,
    token: '',
    layout: 'line',
    fields: given.fields,
    buttons: [{ name: undefined, value: undefined, label: 'Show', tone: 'ordinary' }],
    links: given.isSet ? [{ href: given.action, label: 'Clear' }] : [],
  };
}

/** Pairs of name and value; one without a value is shown as such. */
export function facts(
  id: string,
  heading: string | undefined,
  given: readonly (readonly [name: string, value: Cell | string | undefined])[],
  about?: string,
): FactsView {
  const shown = given.map(([name, value]) => {
    const shownValue = typeof value === 'object' ? value : cell(value);
    return { name, value: shownValue, wide: shownValue.text.length > fewWords };
  });
  return { kind: 'facts', id, heading, about, facts: shown };
}

/** Characters that find room beside other facts. */
const fewWords = 80;

export function input(
  given: Pick<InputField, 'id' | 'label'> & Partial<Omit<InputField, 'kind' | 'id' | 'label'>>,
): InputField {
  return {
    kind: 'input',
    name: given.id,
    type: 'text',
    value: '',
    hint: undefined,
    mistake: undefined,
    required: undefined,
    limit: undefined,
    size: 'long',
    ...given,
  };
}

export function area(
  given: Pick<AreaField, 'id' | 'label'> & Partial<Omit<AreaField, 'kind' | 'id' | 'label'>>,
): AreaField {
  return {
    kind: 'area',
    name: given.id,
    value: '',
    hint: undefined,
    mistake: undefined,
    required: undefined,
    limit: undefined,
    rows: 5,
    ...given,
  };
}

export function select(
  given: Pick<SelectField, 'id' | 'label' | 'options'> & Partial<Omit<SelectField, 'kind' | 'id' | 'label'>>,
): SelectField {
  return {
    kind: 'select',
    name: given.id,
    groups: [],
    isOwnZone: false,
    required: undefined,
    hint: undefined,
    mistake: undefined,
    ...given,
  };
}

export function check(given: Pick<CheckField, 'id' | 'label' | 'checked'> & Partial<CheckField>): CheckField {
  return { kind: 'check', name: given.id, value: 'yes', hint: undefined, mistake: undefined, ...given };
}

/** Options of a select from pairs of value and label. */
export function options(
  pairs: readonly (readonly [value: string, label: string])[],
  chosen: string,
): readonly OptionView[] {
  return pairs.map(([value, label]) => ({ value, label, selected: value === chosen }));
}
