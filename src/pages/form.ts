export interface FormView {
  readonly action: string;
  /** undefined where the address says all that a token would. */
  readonly token?: string | undefined;
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
