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

/** The input of a builder: the members without a default, and those that differ from it. */
type Given<Made, Needed extends keyof Made = Extract<keyof Made, 'id' | 'label'>> = Pick<Made, Needed> &
  Partial<Omit<Made, Needed | 'kind'>>;

/** A form, posted unless `method` says otherwise. `label` names its button. */
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

/** A cell of a table. An unknown value is shown as a dash, never as a blank. */
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

/** A moment in UTC, which a script shows in the reader's zone. The foot of the page names the zone. */
export function moment(at: number, more: Partial<Cell> = {}): Cell {
  const { text = writtenMoment(at), ...rest } = more;
  return cell(text, { look: 'moment', instant: new Date(at).toISOString(), ...rest });
}

/** The platform's date-time; one without a zone is not converted. */
export function platformMoment(text: string | undefined, otherwise?: string): Cell {
  const at = readPlatformMoment(text);
  if (at === undefined || text === undefined) return cell(text ?? otherwise);
  return hasZone(text) ? moment(at) : cell(writtenMoment(at), { look: 'moment' });
}

/** The platform's date-time among facts, with a remark if it has no zone. */
export function ownMoment(text: string | undefined): Cell {
  return text !== undefined && hasZone(text) ? platformMoment(text) : cell(writtenPlatform(text));
}

/** A cell for a column of figures. */
function figure(value: number): Cell {
  return cell(figures.format(value), { look: 'figure' });
}

/** A short form of an id, enough to tell it from others: `123e…4000`. Any other text stays whole. */
export function shortId(id: string): string {
  return isGuid(id) ? `${id.slice(0, 4)}…${id.slice(-4)}` : id;
}

/** Folded pairs for copying, such as ids; an unknown value is left out. */
export function details(
  known: readonly (readonly [name: string, text: string | undefined])[],
  label = 'Details',
): FoldedView {
  return { label, pairs: known.flatMap(([name, text]) => (text === undefined ? [] : { name, text })) };
}

/** Folded blocks for details that few readers need. */
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

/** The content of a table. `columns`: for each heading, the function that gives a row's cell. */
export interface Tabular<Row> extends Omit<Given<TableView, 'id' | 'caption'>, 'columns' | 'rows'> {
  readonly columns: Readonly<Record<string, (row: Row) => Content>>;
  readonly rows: readonly Row[];
}

/** A table. A number is shown as a figure, and a column without any known value is left out. */
export function table<Row>({ columns, rows, ...given }: Tabular<Row>): TableView {
  const kept = Object.entries(columns)
    .map(([heading, contentOf]) => ({ heading, cells: rows.map((row) => cellOf(contentOf(row), figure)) }))
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

/** A list of names with values. A missing value is shown as a dash, true as `yes`. */
export function facts(
  id: string,
  heading: string | undefined,
  given: Listed<readonly [name: string, value: Content]>,
): FactsView {
  const shown = listed(given).map(([name, content]) => {
    const value = cellOf(content, (number) => cell(String(number)));
    return { name, value, wide: value.text.length > fewWords };
  });
  return { kind: 'facts', id, heading, facts: shown };
}

type Content = Cell | string | number | boolean | undefined;

function cellOf(content: Content, ofNumber: (number: number) => Cell): Cell {
  if (typeof content === 'object') return content;
  if (typeof content === 'number') return ofNumber(content);
  return cell(typeof content === 'boolean' ? (content ? 'yes' : 'no') : content);
}

/** Number of characters that fit beside other facts. */
const fewWords = 80;

export function input(given: Given<InputField>): InputField {
  return { kind: 'input', name: given.id, type: 'text', value: '', size: 'long', rows: 5, ...given };
}

/**
 * A menu. `from`: pairs of value and label, objects with id and name, or values that `labelOf` turns into
 * labels. `none`: the label of the empty choice, which comes first.
 */
export function select(
  given: Given<SelectField> & {
    readonly from?: readonly (Choice | string)[];
    readonly labelOf?: (value: string) => string;
    readonly none?: string;
    readonly chosen?: string | undefined;
  },
): SelectField {
  const { from = [], labelOf = String, none, chosen = '', ...rest } = given;
  const pairs = from.map((one): Choice => (typeof one === 'string' ? [one, labelOf(one)] : one));
  const all = options(none === undefined ? pairs : [['', none], ...pairs], chosen);
  return { kind: 'select', name: rest.id, groups: [], isOwnZone: false, options: all, ...rest };
}

type Choice = readonly [value: string, label: string] | { readonly id: string; readonly name: string };

export function check(given: Given<CheckField>): CheckField {
  return { kind: 'check', name: given.id, value: 'yes', checked: false, ...given };
}

/** Check boxes, or radio buttons. */
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
