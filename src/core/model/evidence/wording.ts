/**
 * All words of a center in one language: digests of the texts of its purposes and fields, and of the text
 * around them. Each text is stored once, under the SHA-256 of its canonical JSON in base64url.
 */
export interface Wording {
  readonly center: string;
  readonly revision: string;
  readonly language: string;
  /** Digest of the text around the purposes. */
  readonly around: string;
  readonly purposes: readonly WordingLine[];
  readonly elements: readonly WordingLine[];
}

export interface WordingLine {
  readonly id: string;
  /** The platform's version number. */
  readonly version?: number | undefined;
  readonly text: string;
}

/** The text around the purposes. */
export interface AroundText {
  readonly title?: string | undefined;
  /** Labels of the buttons. */
  readonly save: string;
  readonly unsubscribeAll: string;
  readonly controller?: string | undefined;
  readonly rightsContact?: string | undefined;
  readonly notice?: NoticeText | undefined;
}

/** The privacy notice in force. */
export interface NoticeText extends NamedText {
  readonly version?: number | undefined;
  readonly address?: string | undefined;
}

/** The text of a purpose or of a field. A field has only a name. */
export interface PurposeText {
  readonly name: string;
  /** HTML that passed the allowlist. */
  readonly description?: string | undefined;
  readonly topics?: readonly NamedText[] | undefined;
  readonly preferences?: readonly (NamedText & { readonly options: readonly NamedText[] })[] | undefined;
}

export interface NamedText {
  readonly id: string;
  readonly name: string;
}

export interface AskedWords {
  readonly words: string;
  /** Ids of purposes and fields. */
  readonly ids: readonly string[];
}

/** Texts of an earlier time; undefined if they are not kept. */
export interface WordsOfThen {
  /** The text of a purpose or a field. */
  text(words: string, id: string): (PurposeText & { readonly version?: number | undefined }) | undefined;
  around(words: string): AroundText | undefined;
  /** Digest of the text of a purpose or a field. */
  digest(words: string, id: string): string | undefined;
}
