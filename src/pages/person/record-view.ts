import type { LocalizedText } from '../../i18n/language.ts';

export interface RecordEntry {
  readonly reference: string;
  /** Its result page. */
  readonly href: string;
  readonly day: Moment;
  /** The first of its day, in UTC. */
  readonly isFirst: boolean;
  readonly at: Moment;
  readonly channel: string;
  /** undefined: all was saved as asked. */
  readonly state?: { readonly tone: 'neutral' | 'warning'; readonly text: string } | undefined;
  readonly items: readonly RecordItem[];
  /** Instead of items when there are none. */
  readonly nothing?: string | undefined;
  readonly receipts: readonly string[];
  readonly tags: readonly RecordTag[];
}

/** A note on an entry, perhaps with a link to another entry. */
export interface RecordTag {
  readonly text: string;
  readonly href?: string | undefined;
  /** Between `text` and `rest`. */
  readonly at?: Moment | undefined;
  readonly rest?: string | undefined;
}

export interface RecordItem {
  /** As the person saw it, where that was kept. */
  readonly name: LocalizedText;
  /** The result; undefined where `move` says enough. */
  readonly text?: string | undefined;
  /** As the form showed it, and as asked; undefined without a form. */
  readonly move?: { readonly from: string; readonly to: string } | undefined;
  /** Topics and options, each as asked. */
  readonly choices?: readonly { readonly name: LocalizedText; readonly to: string }[];
  /** Today's name, where it is another. */
  readonly today?: string | undefined;
}

export interface Moment {
  /** A script writes it in the reader's own time. */
  readonly iso: string;
  /** For readers, in UTC. */
  readonly text: string;
}
