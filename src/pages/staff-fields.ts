/** What is written, ticked or chosen on the pages for staff. */

export interface ButtonView {
  /** undefined: it says nothing of its own in what is sent. */
  readonly name?: string | undefined;
  readonly value?: string | undefined;
  readonly label: string;
  readonly tone: 'primary' | 'ordinary';
}

export type Field =
  | InputField
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
  readonly hint?: string | undefined;
  readonly mistake?: string | undefined;
  readonly required?: string | undefined;
}

export interface InputField extends Labelled {
  readonly kind: 'input';
  /** `area`: of several lines. */
  readonly type: 'text' | 'email' | 'date' | 'time' | 'number' | 'color' | 'area';
  readonly size: 'short' | 'long';
  readonly rows: number;
  readonly value: string;
  /** Most characters: counted by script as they are typed, checked when they are sent, never cut off. */
  readonly limit?: number | undefined;
}

export interface SelectField extends Labelled {
  readonly kind: 'select';
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
  readonly hint?: string | undefined;
  readonly rows: readonly {
    readonly legend: string;
    readonly fields: readonly (InputField | SelectField | FoldedField)[];
  }[];
  readonly add: ButtonView;
}

/** What a list can be asked by. */
export type FilterField = InputField | SelectField | CheckField;
