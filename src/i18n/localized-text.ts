import type { SafeHtml } from '../core/model/center/center.ts';

/** A text for a page; `lang` and `dir` are set only if they differ from the page's. */
export interface LocalizedText {
  readonly text: string;
  readonly lang?: string | undefined;
  readonly dir?: 'ltr' | 'rtl' | undefined;
}

export interface LocalizedHtml {
  readonly html: SafeHtml;
  readonly lang?: string | undefined;
  readonly dir?: 'ltr' | 'rtl' | undefined;
}
