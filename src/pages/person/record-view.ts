import type { LocalizedText } from '../../i18n/localized-text.ts';
import type { Layout } from '../layout.ts';

/** In a frame whose visit is over: what to do, and a way on that opens outside the frame. */
export interface ExpiredPage {
  readonly layout: Layout;
  readonly lines: readonly string[];
  readonly links: readonly { readonly href: string; readonly label: string }[];
}

/** What a person changed, the newest first. */
export interface RecordPage {
  readonly layout: Layout;
  readonly intro: string;
  /** Said when there is nothing yet. */
  readonly empty: string | undefined;
  readonly entries: readonly RecordEntry[];
  readonly words: {
    readonly how: string;
    readonly receipt: string;
    readonly reference: string;
    readonly details: string;
  };
  /** Among more than one page. */
  readonly pager:
    | {
        readonly text: string;
        readonly newer: { readonly href: string; readonly label: string } | undefined;
        readonly older: { readonly href: string; readonly label: string } | undefined;
      }
    | undefined;
  /** A very long record is more than one file. */
  readonly download:
    | {
        readonly files: readonly { readonly href: string; readonly label: string }[];
        readonly hint: string;
        /** Where such a file is checked: outside of a frame. */
        readonly verify: { readonly href: string; readonly label: string; readonly opensOutside: boolean };
      }
    | undefined;
  readonly back: { readonly href: string; readonly label: string };
}

export interface RecordEntry {
  readonly reference: string;
  /** Its own page, while that tells more. */
  readonly href: string;
  readonly at: Moment;
  readonly channel: string;
  readonly state: { readonly tone: 'success' | 'info' | 'warning' | 'problem'; readonly text: string };
  readonly items: readonly RecordItem[];
  /** Said where there is no item to tell of. */
  readonly nothing: string | undefined;
  readonly receipts: readonly string[];
  /** What else is on record about it; some lead to another entry. */
  readonly tags: readonly { readonly text: string; readonly href: string | undefined }[];
}

export interface RecordItem {
  /** In the words of then, as far as they are known. */
  readonly name: LocalizedText;
  /** What came of it. */
  readonly text: string | undefined;
  /** As the form showed it, and as it was to be; undefined where no form was. */
  readonly move: { readonly from: string; readonly to: string } | undefined;
  /** Topics and options, each with what it was to be. */
  readonly choices: readonly { readonly name: LocalizedText; readonly to: string }[];
  /** What it is called by now, where that is something else. */
  readonly today: string | undefined;
}

export interface Moment {
  /** For programs, and for a script that writes it in the reader's own time. */
  readonly iso: string;
  /** In words, in UTC, and saying so. */
  readonly text: string;
}
