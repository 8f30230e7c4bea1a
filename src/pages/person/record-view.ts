import type { LocalizedText } from '../../i18n/localized-text.ts';
import type { Layout } from '../layout.ts';

/** In a frame whose visit is over: what to do, and a way on that opens outside the frame. */
export interface ExpiredPage {
  readonly layout: Layout;
  readonly lines: readonly string[];
  readonly links: readonly { readonly href: string; readonly label: string }[];
}

/** What a person changed, the newest first: by days, of one purpose, or as a certificate to print. */
export interface RecordPage {
  readonly layout: Layout;
  readonly intro: string;
  /** Instead of entries when there are none. */
  readonly empty?: string | undefined;
  readonly certificate?: readonly { readonly name: string; readonly value: string }[] | undefined;
  /** `pattern` is for a script, which knows the reader's own. */
  readonly zone: { readonly text: string; readonly pattern: string };
  readonly filter?: { readonly label: string; readonly choices: readonly FilterChoice[] } | undefined;
  readonly entries: readonly RecordEntry[];
  readonly words: { readonly receipt: string; readonly reference: string; readonly details: string };
  /** On record, but not by a submission made here. */
  readonly elsewhere?: KnownElsewhere | undefined;
  /** undefined: one page. */
  readonly pager?:
    | { readonly text: string; readonly newer?: Link | undefined; readonly older?: Link | undefined }
    | undefined;
  /** A long record is several files. */
  readonly download?: { readonly files: readonly Link[]; readonly hint: string } | undefined;
  /** `print`: a button that needs a script. */
  readonly ways: readonly (Link & { readonly print?: true; readonly opensOutside?: boolean })[];
}

interface Link {
  readonly href: string;
  readonly label: string;
}

export interface FilterChoice {
  readonly href: string;
  readonly name: LocalizedText;
  readonly current: boolean;
}

export interface KnownElsewhere {
  readonly title: string;
  readonly hint: string;
  readonly items: readonly { readonly name: LocalizedText; readonly state: string }[];
}

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
