import type { FormView, MistakeView } from './form.ts';
import type { Note } from './layout.ts';
import type { Layout } from './person/layout.ts';
import type { PreferencePage } from './person/preferences.ts';
import type { ButtonView, Field, FilterField } from './staff-fields.ts';

/** Every page for staff is a heading, notes, and blocks one below the other. In English. */
export interface StaffPage {
  readonly layout: StaffLayout;
  /** Of each form that is posted; '' without a sign-in. */
  readonly token: string;
  /** In <title>: the heading, and whether what was asked for went wrong. */
  readonly pageTitle: string;
  /** `card`: little to read and one thing to do, in the middle of the window. */
  readonly frame: 'page' | 'card';
  readonly crumbs: readonly LinkView[];
  readonly lead: readonly string[];
  readonly mistakes: readonly MistakeView[];
  readonly notes: readonly Note[];
  /** Ways on from the page as a whole; the first is the usual one. */
  readonly links: readonly LinkView[];
  readonly blocks: readonly Block[];
}

export interface StaffLayout extends Layout {
  /** Looks up a person; undefined without a sign-in. */
  readonly search: FormView | undefined;
}

/** A center's page as a person would see it: without a form there is nothing that could be sent. */
export type PreviewPage = Omit<PreferencePage, 'form'> & { readonly form: undefined };

export interface LinkView {
  readonly href: string;
  readonly label: string;
}

/** What every part of a page may have. */
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

/** A list of names and what they stand for. */
export interface FactsView extends Part<'facts'> {
  readonly facts: readonly {
    readonly name: string;
    readonly value: Cell;
    /** More than a few words: takes the whole line. */
    readonly wide: boolean;
  }[];
}

/** What few ask for: other blocks, shown on demand. */
export interface FoldedBlocks {
  readonly kind: 'folded';
  readonly id: string;
  readonly label: string;
  readonly blocks: readonly Exclude<Block, FoldedBlocks | TilesView>[];
}

/** Each cell says its column again, for where a row is a card. */
export interface TableView extends Part<'table'> {
  /** For those who do not see the table. */
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Each row leads to a page of its own: on a phone it has its first three cells and the last, and one moment. */
  readonly isList?: true | undefined;
  /** Shown instead of a table without rows: what to do. */
  readonly empty: string;
  readonly pager?: PagerView | undefined;
  readonly links: readonly LinkView[];
}

export interface Cell {
  readonly text: string;
  /**
   * `time`: a moment whose day is said above it; `code`: an id or the like, to be copied rather than read; `figure`: on a phone its column names it;
   * `none`: a dash, which a phone leaves out.
   */
  readonly look: 'text' | 'code' | 'moment' | 'time' | 'figure' | 'none';
  readonly href?: string | undefined;
  readonly tone?: Tone | undefined;
  /** A moment with its zone, ISO 8601: by script it is said in the reader's own zone. */
  readonly instant?: string | undefined;
  /** A second line in small type. */
  readonly more?: string | false | undefined;
  readonly moreLook: 'text' | 'code';
  /** What few ask for, shown on demand. */
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
  /** Other sizes of a page; none where there is no choice. */
  readonly sizes: readonly SwitchView[];
}

/** `post`: it changes something, or asks what no address may hold. */
export interface FormBlock extends Part<'form'> {
  readonly method: 'get' | 'post';
  readonly action: string;
  readonly layout: 'line' | 'page';
  readonly fields: readonly Field[];
  readonly buttons: readonly ButtonView[];
  readonly links: readonly LinkView[];
}

/** Buttons beside one another, each a form of its own. */
export interface FormsBlock extends Part<'forms'> {
  readonly forms: readonly FormBlock[];
}

/** Asks for a part of a list: usual views, what is asked for beside them, and the fields behind a button. */
export interface FilterBlock extends Omit<FormBlock, 'kind' | 'fields'> {
  readonly kind: 'filter';
  readonly views: readonly SwitchView[];
  /** Each leads to the list without it. */
  readonly chips: readonly LinkView[];
  readonly fields: readonly FilterField[];
}

export interface SwitchView extends LinkView {
  readonly current: boolean;
}

/** Horizontal bars; the same figures stand in a table beside it. */
export interface ChartView extends Part<'chart'> {
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
  readonly tiles: readonly (LinkView & {
    readonly value: string;
    readonly more?: string | undefined;
    readonly tone: Tone;
  })[];
}

/** Two figures a day as bars, of which the second is a part of the first; the same stands in the table. */
export interface DaysView extends Part<'days'> {
  /** Said in place of the bars, where nothing came. */
  readonly empty?: string | false | undefined;
  /** Places are percents of the drawing, from the top left. */
  readonly ticks: readonly { readonly y: string; readonly text: string }[];
  readonly bars: readonly {
    readonly x: string;
    readonly width: string;
    readonly middle: string;
    readonly whole: { readonly y: string; readonly height: string };
    readonly part: { readonly y: string; readonly height: string };
    /** undefined where nothing came. */
    readonly value?: string | undefined;
    /** Below some bars: their day. */
    readonly tick?: string | undefined;
    readonly text: string;
  }[];
  readonly table: TableView;
}

/** Findings of one kind in one language are one line that opens. */
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
  /** At most a few; the rest is behind `all`. */
  readonly items: readonly { readonly where: string; readonly what?: string | undefined }[];
  readonly all?: LinkView | false | undefined;
}

/** What happened, the first on top. */
export interface TimelineView extends Part<'timeline'> {
  readonly steps: readonly StepView[];
}

export interface StepView {
  /** The day of it, `yyyy-MM-dd` and in words; shown above the first of a day. */
  readonly day?: { readonly iso: string; readonly text: string; readonly isFirst: boolean } | undefined;
  readonly title: string;
  readonly href?: string | undefined;
  readonly tone: Tone;
  /** When, and what few words say beside it. */
  readonly at: readonly Cell[];
  readonly lines: readonly string[];
  /** What happened several times in the same way, on demand. */
  readonly folded?: { readonly label: string; readonly at: readonly Cell[] } | undefined;
}

/** The same page of ours in several lights, beside one another. */
export interface FramesBlock extends Part<'frames'> {
  readonly frames: readonly {
    readonly title: string;
    readonly href: string;
    readonly look: 'light' | 'dark' | 'phone' | 'frame' | 'mail';
  }[];
}

/** A page of ours within this one, as wide as it is on something else. */
export interface FrameView extends Part<'frame'> {
  readonly title: string;
  readonly href: string;
  readonly width: 'wide' | 'tablet' | 'phone';
  readonly widths: readonly SwitchView[];
  /** Where the page is by itself. */
  readonly aloneHref: string;
}
