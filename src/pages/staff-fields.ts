/** The fields of forms on the staff pages. */

export interface ButtonView {
  /** The name; undefined if the button adds nothing to the request. */
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
  /** `area`: a field of several lines. */
  readonly type: 'text' | 'email' | 'date' | 'time' | 'number' | 'color' | 'area';
  readonly size: 'short' | 'long';
  readonly rows: number;
  readonly value: string;
  /** Most characters. A script counts them while typing, the server checks them; the text is never cut. */
  readonly limit?: number | undefined;
}

export interface SelectField extends Labelled {
  readonly kind: 'select';
  readonly options: readonly OptionView[];
  /** Whether a script chooses the reader's own time zone, if it is among the options. */
  readonly isOwnZone: boolean;
  /** Further options after `options`, each group under its heading. */
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

/** Folded fields that few readers need. */
export interface FoldedField {
  readonly kind: 'folded';
  readonly id: string;
  readonly label: string;
  readonly open: boolean;
  readonly fields: readonly (InputField | SelectField | ChecksField)[];
}

/** Any number of rows with the same fields. The button only asks for one more row. */
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

/** A field of a list's filter. */
export type FilterField = InputField | SelectField | CheckField;
