import { isGuid } from '../../core/model/center/center-config.ts';
import { hasZone, readPlatformMoment, writtenMoment, writtenPlatform } from '../../core/model/utc-time.ts';
import type {
  CheckField,
  ChecksField,
  Field,
  InputField,
  OptionView,
  SelectField,
} from '../../pages/staff-fields.ts';
import type {
  Cell,
  FactsView,
  FoldedBlocks,
  FoldedView,
  FormBlock,
  TableView,
  Tone,
} from '../../pages/staff-page.ts';
import { type Listed, listed } from './page.ts';

/** What a builder is told: what has no usual value, and what is otherwise than usual. */
type Given<Made, Needed extends keyof Made = Extract<keyof Made, 'id' | 'label'>> = Pick<Made, Needed> &
  Partial<Omit<Made, Needed | 'kind'>>;

/** Posted unless it says otherwise; `label` names its button. */
export function form(
  given: Pick<FormBlock, 'id' | 'action'> &
    Partial<Omit<FormBlock, 'fields'>> & {
      readonly fields?: Listed<Field>;
      readonly label?: string;
      readonly tone?: 'primary' | 'ordinary';
    },
): FormBlock {
  const { label = '', tone = 'primary', fields, ...rest } = given;
  return {
    kind: 'form',
    method: 'post',
    layout: 'page',
    fields: listed(fields),
    buttons: [{ label, tone }],
    links: [],
    ...rest,
  };
}

/** What is not known is a dash, never a blank. */
export function cell(text: string | undefined, more: Partial<Omit<Cell, 'text'>> = {}): Cell {
  if (text === undefined || text === '') return { ...cell('–', more), look: 'none' };
  return {
    look: isGuid(text) ? 'code' : 'text',
    moreLook: more.more && isGuid(more.more) ? 'code' : 'text',
    ...more,
    text,
  };
}

/** `1 version`, `2 versions`. */
export function amount(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** Writes a count: `1,204`. */
export const figures = new Intl.NumberFormat('en-GB');

/** In UTC; by script in the reader's zone. The foot of the page says which. */
export function moment(at: number, more: Partial<Cell> = {}): Cell {
  const { text = writtenMoment(at), ...rest } = more;
  return cell(text, { look: 'moment', instant: new Date(at).toISOString(), ...rest });
}

/** A date-time of the platform; one without a zone stays as it is. */
export function platformMoment(text: string | undefined, otherwise?: string): Cell {
  const at = readPlatformMoment(text);
  if (at === undefined || text === undefined) return cell(text ?? otherwise);
  return hasZone(text) ? moment(at) : cell(writtenMoment(at), { look: 'moment' });
}

/** The same among facts, where one without a zone says so. */
export function ownMoment(text: string | undefined): Cell {
  return text !== undefined && hasZone(text) ? platformMoment(text) : cell(writtenPlatform(text));
}

/** A figure, for a column of them. */
function figure(value: number): Cell {
  return cell(figures.format(value), { look: 'figure' });
}

/** Ids are for copying: enough of one to tell it from others, `123e…4000`. What is no id stays whole. */
export function shortId(id: string): string {
  return isGuid(id) ? `${id.slice(0, 4)}…${id.slice(-4)}` : id;
}

/** Not for reading, but to be copied; without what is not known. */
export function details(
  known: readonly (readonly [name: string, text: string | undefined])[],
  label = 'Details',
): FoldedView {
  return { label, pairs: known.flatMap(([name, text]) => (text === undefined ? [] : { name, text })) };
}

/** What few ask for, below what they came for. */
export function folded(
  id: string,
  label: string,
  blocks: Listed<FoldedBlocks['blocks'][number]>,
): FoldedBlocks {
  return { kind: 'folded', id, label, blocks: listed(blocks) };
}

export function tag(text: string, tone: Tone): Cell {
  return cell(text, { tone });
}

/** Its columns by their headings: each says what a row has there. */
export interface Tabular<Row> extends Omit<Given<TableView, 'id' | 'caption'>, 'columns' | 'rows'> {
  readonly columns: Readonly<Record<string, (row: Row) => Said>>;
  readonly rows: readonly Row[];
}

/** A number is a figure. A column in which nothing is known is left out. */
export function table<Row>({ columns, rows, ...given }: Tabular<Row>): TableView {
  const kept = Object.entries(columns)
    .map(([heading, tell]) => ({ heading, cells: rows.map((row) => cellOf(tell(row), figure)) }))
    .filter(({ cells }) => rows.length === 0 || cells.some(({ look }) => look !== 'none'));
  return {
    kind: 'table',
    empty: '',
    links: [],
    ...given,
    columns: kept.map(({ heading }) => heading),
    rows: rows.map((_, at) => kept.flatMap(({ cells }) => cells[at] ?? [])),
  };
}

/** Pairs of name and value; one without a value is shown as such, true as `yes`. */
export function facts(
  id: string,
  heading: string | undefined,
  given: Listed<readonly [name: string, value: Said]>,
): FactsView {
  const shown = listed(given).map(([name, said]) => {
    const value = cellOf(said, (number) => cell(String(number)));
    return { name, value, wide: value.text.length > fewWords };
  });
  return { kind: 'facts', id, heading, facts: shown };
}

type Said = Cell | string | number | boolean | undefined;

function cellOf(said: Said, ofNumber: (number: number) => Cell): Cell {
  if (typeof said === 'object') return said;
  if (typeof said === 'number') return ofNumber(said);
  return cell(typeof said === 'boolean' ? (said ? 'yes' : 'no') : said);
}

/** Characters that find room beside other facts. */
const fewWords = 80;

export function input(given: Given<InputField>): InputField {
  return { kind: 'input', name: given.id, type: 'text', value: '', size: 'long', rows: 5, ...given };
}

/**
 * A menu. `from`: pairs of value and label, things with id and name, or values that `said` labels. `none`: the label of
 * the empty choice, which comes first.
 */
export function select(
  given: Given<SelectField> & {
    readonly from?: readonly (Choice | string)[];
    readonly said?: (value: string) => string;
    readonly none?: string;
    readonly chosen?: string | undefined;
  },
): SelectField {
  const { from = [], said = String, none, chosen = '', ...rest } = given;
  const pairs = from.map((one): Choice => (typeof one === 'string' ? [one, said(one)] : one));
  const all = options(none === undefined ? pairs : [['', none], ...pairs], chosen);
  return { kind: 'select', name: rest.id, groups: [], isOwnZone: false, options: all, ...rest };
}

type Choice = readonly [value: string, label: string] | { readonly id: string; readonly name: string };

export function check(given: Given<CheckField>): CheckField {
  return { kind: 'check', name: given.id, value: 'yes', checked: false, ...given };
}

/** Boxes to tick, or one of several to choose. */
export function checks(given: Given<ChecksField, 'id' | 'type' | 'label' | 'choices'>): ChecksField {
  return { kind: 'checks', name: given.id, ...given };
}

export function choice(id: string, value: string, label: string, checked: boolean) {
  return { id, value, label, checked };
}

export function options(from: readonly Choice[], chosen: string): readonly OptionView[] {
  return from.map((one) => {
    const [value, label] = 'id' in one ? [one.id, one.name] : one;
    return { value, label, selected: value === chosen };
  });
}
