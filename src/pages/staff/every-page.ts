import type { MistakeView } from '../form.ts';
import type { Layout, Note } from '../layout.ts';
import type { PreferencePage } from '../person/preferences-view.ts';

/** Every page for staff is a heading, notes, and blocks one below the other. In English. */
export interface StaffPage {
  readonly layout: Layout;
  /** In <title>: the heading, and whether what was asked for went wrong. */
  readonly pageTitle: string;
  /** `card`: little to read and one thing to do, in the middle of the window. */
  readonly frame: 'page' | 'card';
  readonly crumbs: readonly LinkView[];
  readonly lead: readonly string[];
  readonly mistakes: { readonly title: string; readonly items: readonly MistakeView[] } | undefined;
  readonly notes: readonly Note[];
  /** Ways on from the page as a whole; the first is the usual one. */
  readonly links: readonly LinkView[];
  readonly blocks: readonly Block[];
}

/** A center's page as a person would see it: without a form there is nothing that could be sent. */
export type PreviewPage = Omit<PreferencePage, 'form'> & { readonly form: undefined };

export interface LinkView {
  readonly href: string;
  readonly label: string;
}

export type Block =
  | FactsView
  | TableView
  | FormBlock
  | FilterBlock
  | ChartView
  | TilesView
  | DaysView
  | FoldedBlocks
  | FindingsView
  | FrameView
  | ViewsView
  | TimelineView;

/** A list of names and what they stand for. */
export interface FactsView {
  readonly kind: 'facts';
  readonly id: string;
  readonly heading: string | undefined;
  readonly about: string | undefined;
  readonly facts: readonly FactView[];
}

export interface FactView {
  readonly name: string;
  readonly value: Cell;
  /** More than a few words: takes the whole line. */
  readonly wide: boolean;
}

/** What few ask for: other blocks, shown on demand. */
export interface FoldedBlocks {
  readonly kind: 'folded';
  readonly id: string;
  readonly label: string;
  readonly blocks: readonly Exclude<Block, FoldedBlocks | TilesView>[];
}

/** Each cell says its column again, for where a row is a card. */
export interface TableView {
  readonly kind: 'table';
  readonly id: string;
  readonly heading: string | undefined;
  readonly about: string | undefined;
  /** For those who do not see the table. */
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Shown instead of a table without rows: what to do. */
  readonly empty: string;
  readonly pager: PagerView | undefined;
  readonly links: readonly LinkView[];
}

export interface Cell {
  readonly text: string;
  /** `code`: an id or the like, to be copied rather than read; `moment`: stays on one line. */
  readonly look: 'text' | 'code' | 'moment';
  readonly href: string | undefined;
  readonly tone: Tone | undefined;
  /** A moment with its zone, ISO 8601: by script it is said in the reader's own zone. */
  readonly instant: string | undefined;
  /** A second line in small type. */
  readonly more: string | undefined;
  readonly moreLook: 'text' | 'code';
  /** What few ask for, shown on demand. */
  readonly folded: FoldedView | undefined;
  readonly lang: string | undefined;
  readonly dir: 'ltr' | 'rtl' | undefined;
}

/** Ids, each with a button that copies it. */
export interface FoldedView {
  readonly label: string;
  readonly pairs: readonly { readonly name: string; readonly text: string }[];
}

export type Tone = 'neutral' | 'success' | 'warning' | 'problem';

export interface PagerView {
  readonly label: string;
  readonly text: string;
  readonly first: LinkView | undefined;
  readonly previous: LinkView | undefined;
  readonly next: LinkView | undefined;
  readonly last: LinkView | undefined;
  /** Other sizes of a page; none where there is no choice. */
  readonly sizes: readonly { readonly href: string; readonly label: string; readonly current: boolean }[];
}

/** `get-form` asks, and its fields stay in the address; `post-form` changes something, or asks what no address may hold. */
export interface FormBlock {
  readonly kind: 'get-form' | 'post-form';
  readonly id: string;
  readonly heading: string | undefined;
  readonly about: string | undefined;
  readonly action: string;
  /** Empty in a `get-form`. */
  readonly token: string;
  readonly layout: 'line' | 'page';
  readonly fields: readonly Field[];
  readonly buttons: readonly ButtonView[];
  readonly links: readonly LinkView[];
}

/** Asks for a part of a list. Where there is little room it stays folded, unless it asks for something. */
export interface FilterBlock extends Omit<FormBlock, 'kind'> {
  readonly kind: 'filter';
  readonly label: string;
  readonly open: boolean;
}

export interface ButtonView {
  /** undefined: it says nothing of its own in what is sent. */
  readonly name: string | undefined;
  readonly value: string | undefined;
  readonly label: string;
  readonly tone: 'primary' | 'ordinary';
}

export type Field =
  | InputField
  | AreaField
  | SelectField
  | CheckField
  | ChecksField
  | HiddenField
  | RowsField
  | PartField
  | FoldedField;

interface Labelled {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly mistake: string | undefined;
}

export interface InputField extends Labelled {
  readonly kind: 'input';
  readonly type: 'text' | 'email' | 'date' | 'time' | 'number';
  readonly value: string;
  /** Most characters: counted by script as they are typed, checked when they are sent, never cut off. */
  readonly limit: number | undefined;
  readonly required: string | undefined;
  readonly size: 'short' | 'long';
}

export interface AreaField extends Labelled {
  readonly kind: 'area';
  readonly value: string;
  readonly limit: number | undefined;
  readonly required: string | undefined;
  readonly rows: number;
}

export interface SelectField extends Labelled {
  readonly kind: 'select';
  readonly required: string | undefined;
  readonly options: readonly OptionView[];
  /** Script chooses the reader's own time zone, where it is among the options. */
  readonly isOwnZone: boolean;
  /** After `options`, each under a heading of its own. */
  readonly groups: readonly { readonly label: string; readonly options: readonly OptionView[] }[];
}

export interface OptionView {
  readonly value: string;
  readonly label: string;
  readonly selected: boolean;
}

export interface CheckField extends Labelled {
  readonly kind: 'check';
  readonly value: string;
  readonly checked: boolean;
}

export interface ChecksField extends Labelled {
  readonly kind: 'checks';
  readonly type: 'checkbox' | 'radio';
  readonly choices: readonly {
    readonly id: string;
    readonly value: string;
    readonly label: string;
    readonly about: string | undefined;
    readonly checked: boolean;
  }[];
}

export interface HiddenField {
  readonly kind: 'hidden';
  readonly name: string;
  readonly value: string;
}

/** A heading over the fields that follow. */
export interface PartField {
  readonly kind: 'part';
  readonly title: string;
}

/** Fields that few need, shown on demand. */
export interface FoldedField {
  readonly kind: 'folded';
  readonly id: string;
  readonly label: string;
  readonly open: boolean;
  readonly fields: readonly (InputField | SelectField | ChecksField)[];
}

/** Any number of rows of the same fields; the button asks for one more and changes nothing else. */
export interface RowsField {
  readonly kind: 'rows';
  readonly id: string;
  readonly legend: string;
  readonly hint: string | undefined;
  readonly rows: readonly {
    readonly legend: string;
    readonly fields: readonly (InputField | SelectField | FoldedField)[];
  }[];
  readonly add: ButtonView;
}

/** Horizontal bars; the same figures stand in a table beside it. */
export interface ChartView {
  readonly kind: 'chart';
  readonly id: string;
  readonly heading: string;
  readonly about: string | undefined;
  readonly label: string;
  readonly bars: readonly {
    readonly text: string;
    readonly count: number;
    /** Percent of the most frequent. */
    readonly share: string;
  }[];
  readonly links: readonly LinkView[];
}

/** Figures, each leading to its list. */
export interface TilesView {
  readonly kind: 'tiles';
  readonly tiles: readonly {
    readonly href: string;
    readonly label: string;
    readonly value: string;
    readonly more: string | undefined;
    readonly tone: Tone;
  }[];
}

/** Two figures a day as bars, of which the second is a part of the first; the same stands in the table. */
export interface DaysView {
  readonly kind: 'days';
  readonly id: string;
  readonly heading: string;
  readonly about: string | undefined;
  readonly legend: { readonly whole: string; readonly part: string };
  /** In units of the drawing, which is as wide as `width` and 100 high. */
  readonly width: string;
  readonly bars: readonly {
    readonly x: string;
    readonly wholeY: string;
    readonly wholeHeight: string;
    readonly partY: string;
    readonly partHeight: string;
    readonly text: string;
  }[];
  readonly most: string;
  readonly from: string;
  readonly to: string;
  readonly tableLabel: string;
  readonly table: TableView;
}

/** Findings of one kind in one language are one line that opens. */
export interface FindingsView {
  readonly kind: 'findings';
  readonly id: string;
  readonly heading: string | undefined;
  readonly about: string | undefined;
  readonly groups: readonly FindingGroupView[];
  readonly empty: string;
  readonly links: readonly LinkView[];
}

export interface FindingGroupView {
  readonly weight: { readonly text: string; readonly tone: Tone };
  readonly title: string;
  readonly language: string;
  readonly count: number;
  readonly advice: string;
  /** At most a few; the rest is behind `all`. */
  readonly items: readonly { readonly where: string; readonly what: string | undefined }[];
  readonly all: LinkView | undefined;
}

/** What happened, the first on top. */
export interface TimelineView {
  readonly kind: 'timeline';
  readonly id: string;
  readonly heading: string | undefined;
  readonly about: string | undefined;
  readonly steps: readonly StepView[];
}

export interface StepView {
  readonly title: string;
  readonly at: string;
  readonly tone: Tone;
  readonly lines: readonly string[];
  readonly href: string | undefined;
}

/** A page of ours within this one, as wide as it is on something else. */
export interface FrameView {
  readonly kind: 'frame';
  readonly id: string;
  readonly heading: string | undefined;
  readonly about: string | undefined;
  readonly title: string;
  readonly href: string;
  readonly width: 'wide' | 'tablet' | 'phone';
  readonly label: string;
  readonly widths: readonly { readonly href: string; readonly label: string; readonly current: boolean }[];
  readonly alone: LinkView;
}

/** The same list, looked at in ways that many need; each is an address to keep. */
export interface ViewsView {
  readonly kind: 'views';
  readonly id: string;
  readonly heading: string | undefined;
  readonly about: string | undefined;
  readonly label: string;
  readonly views: readonly { readonly href: string; readonly label: string; readonly current: boolean }[];
}
