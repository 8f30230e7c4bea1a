import type { FormView, MistakeView } from './form.ts';
import type { Note } from './layout.ts';
import type { Layout } from './person/layout.ts';
import type { PreferencePage } from './person/preferences.ts';
import type { ButtonView, Field, FilterField } from './staff-fields.ts';

/** A page for staff, in English: a heading, notes, and blocks below one another. */
export interface StaffPage {
  readonly layout: StaffLayout;
  /** The token of each posted form; '' without a sign-in. */
  readonly token: string;
  /** The text of <title>: the heading, and whether the request failed. */
  readonly pageTitle: string;
  /** `card`: a short text and one action, in the middle of the window. */
  readonly frame: 'page' | 'card';
  readonly crumbs: readonly LinkView[];
  readonly lead: readonly string[];
  readonly mistakes: readonly MistakeView[];
  readonly notes: readonly Note[];
  /** Links for the page as a whole; the first is the usual one. */
  readonly links: readonly LinkView[];
  readonly blocks: readonly Block[];
}

export interface StaffLayout extends Layout {
  /** The form that searches a person; undefined without a sign-in. */
  readonly search: FormView | undefined;
}

/** A center's page as a person would see it. It has no form, so nothing can be sent. */
export type PreviewPage = Omit<PreferencePage, 'form'> & { readonly form: undefined };

export interface LinkView {
  readonly href: string;
  readonly label: string;
}

/** Members of every part of a page. */
interface Part<Kind extends string> {
  readonly kind: Kind;
  readonly id: string;
  readonly heading?: string | undefined;
  readonly about?: string | false | undefined;
}

export type Block =
  | FactsView
  | TableView
  | FormBlock
  | FormsBlock
  | FramesBlock
  | FilterBlock
  | ChartView
  | TilesView
  | DaysView
  | FoldedBlocks
  | FindingsView
  | FrameView
  | TimelineView;

/** A list of names with their values. */
export interface FactsView extends Part<'facts'> {
  readonly facts: readonly {
    readonly name: string;
    readonly value: Cell;
    /** Whether the value is long, and so takes the whole line. */
    readonly wide: boolean;
  }[];
}

/** Folded blocks for details that few readers need. */
export interface FoldedBlocks {
  readonly kind: 'folded';
  readonly id: string;
  readonly label: string;
  readonly blocks: readonly Exclude<Block, FoldedBlocks | TilesView>[];
}

/** A table. Each cell repeats its column's heading, which is shown when a row becomes a card. */
export interface TableView extends Part<'table'> {
  /** The caption, for readers who do not see the table. */
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /**
   * Set if each row links to its own page. On a phone it shows its first three cells, the last one, and one
   * moment.
   */
  readonly isList?: true | undefined;
  /** The text in place of a table without rows, which says what to do. */
  readonly empty: string;
  readonly pager?: PagerView | undefined;
  readonly links: readonly LinkView[];
}

export interface Cell {
  readonly text: string;
  /**
   * `time`: a moment whose day stands above it; `code`: an id or the like, for copying; `figure`: a number,
   * which has its column's name on a phone; `none`: a dash, which a phone leaves out.
   */
  readonly look: 'text' | 'code' | 'moment' | 'time' | 'figure' | 'none';
  readonly href?: string | undefined;
  readonly tone?: Tone | undefined;
  /** A moment with its zone (ISO 8601), which a script shows in the reader's own zone. */
  readonly instant?: string | undefined;
  /** A second line in small type. */
  readonly more?: string | false | undefined;
  readonly moreLook: 'text' | 'code';
  /** Folded details that few readers need. */
  readonly folded?: FoldedView | undefined;
  readonly lang?: string | undefined;
  readonly dir?: 'ltr' | 'rtl' | undefined;
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
  readonly first?: LinkView | undefined;
  readonly previous?: LinkView | undefined;
  readonly next?: LinkView | undefined;
  readonly last?: LinkView | undefined;
  /** Other sizes of a page; empty if there is no choice. */
  readonly sizes: readonly SwitchView[];
}

/** A form. `post`: the form changes something, or sends a value that no address may hold. */
export interface FormBlock extends Part<'form'> {
  readonly method: 'get' | 'post';
  readonly action: string;
  readonly layout: 'line' | 'page';
  readonly fields: readonly Field[];
  readonly buttons: readonly ButtonView[];
  readonly links: readonly LinkView[];
}

/** Buttons side by side, each with its own form. */
export interface FormsBlock extends Part<'forms'> {
  readonly forms: readonly FormBlock[];
}

/** The filter of a list: usual views, a chip for each other condition, and the fields behind a button. */
export interface FilterBlock extends Omit<FormBlock, 'kind' | 'fields'> {
  readonly kind: 'filter';
  readonly views: readonly SwitchView[];
  /** Chips, each with a link to the list without that condition. */
  readonly chips: readonly LinkView[];
  readonly fields: readonly FilterField[];
}

export interface SwitchView extends LinkView {
  readonly current: boolean;
}

/** Horizontal bars; a table beside them has the same figures. */
export interface ChartView extends Part<'chart'> {
  readonly label: string;
  readonly bars: readonly {
    readonly text: string;
    readonly count: number;
    /** The length in percent of the longest bar. */
    readonly share: string;
  }[];
  readonly links: readonly LinkView[];
}

/** Figures, each with a link to its list. */
export interface TilesView {
  readonly kind: 'tiles';
  readonly tiles: readonly (LinkView & {
    readonly value: string;
    readonly more?: string | undefined;
    readonly tone: Tone;
  })[];
}

/** Two figures a day as bars, the second a part of the first; the table has the same figures. */
export interface DaysView extends Part<'days'> {
  /** The text in place of the bars if all figures are zero. */
  readonly empty?: string | false | undefined;
  /** Lines of the scale. Positions are percents of the drawing, from the top left. */
  readonly ticks: readonly { readonly y: string; readonly text: string }[];
  readonly bars: readonly {
    readonly x: string;
    readonly width: string;
    readonly middle: string;
    readonly whole: { readonly y: string; readonly height: string };
    readonly part: { readonly y: string; readonly height: string };
    /** The figure above the bar; undefined for zero. */
    readonly value?: string | undefined;
    /** The day below the bar; only some bars have it. */
    readonly tick?: string | undefined;
    readonly text: string;
  }[];
  readonly table: TableView;
}

/** A list of findings. Findings of one kind in one language are one line that opens. */
export interface FindingsView extends Part<'findings'> {
  readonly groups: readonly FindingGroupView[];
  readonly links: readonly LinkView[];
}

export interface FindingGroupView {
  readonly weight: { readonly text: string; readonly tone: Tone };
  readonly title: string;
  readonly language: string;
  readonly count: number;
  readonly advice: string;
  /** The first few findings; the rest is behind `all`. */
  readonly items: readonly { readonly where: string; readonly what?: string | undefined }[];
  readonly all?: LinkView | false | undefined;
}

/** A timeline; the given order is from top to bottom. */
export interface TimelineView extends Part<'timeline'> {
  readonly steps: readonly StepView[];
}

export interface StepView {
  /** The day of the step. It is shown above the first step of a day. */
  readonly day?: { readonly iso: string; readonly text: string; readonly isFirst: boolean } | undefined;
  readonly title: string;
  readonly href?: string | undefined;
  readonly tone: Tone;
  /** The time, and short texts beside it. */
  readonly at: readonly Cell[];
  readonly lines: readonly string[];
  /** The times of steps that happened several times in the same way, on demand. */
  readonly folded?: { readonly label: string; readonly at: readonly Cell[] } | undefined;
}

/** The same page in several looks, side by side. */
export interface FramesBlock extends Part<'frames'> {
  readonly frames: readonly {
    readonly title: string;
    readonly href: string;
    readonly look: 'light' | 'dark' | 'phone' | 'frame' | 'mail';
  }[];
}

/** A page in a frame within this one, in the width of a device. */
export interface FrameView extends Part<'frame'> {
  readonly title: string;
  readonly href: string;
  readonly width: 'wide' | 'tablet' | 'phone';
  readonly widths: readonly SwitchView[];
  /** The address of the page without the frame. */
  readonly aloneHref: string;
}
