export interface FormView {
  readonly action: string;
  readonly token: string;
}

/** What is wrong with a form, at the top of its page. */
export interface Mistakes {
  readonly title: string;
  readonly items: readonly MistakeView[];
}

export interface MistakeView {
  /** `#` and the id of the field. */
  readonly href: string;
  readonly text: string;
}
