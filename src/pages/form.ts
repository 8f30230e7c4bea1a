export interface FormView {
  readonly action: string;
  readonly token: string;
}

export interface MistakeView {
  /** `#` and the id of the field. */
  readonly href: string;
  readonly text: string;
}
