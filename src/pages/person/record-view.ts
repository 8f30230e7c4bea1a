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
  /** Said when there is nothing yet. */
  readonly empty?: string | undefined;
  readonly certificate?: readonly { readonly name: string; readonly value: string }[] | undefined;
  /** `pattern` is for a script, which knows the reader's own. */
  readonly zone: { readonly text: string; readonly pattern: string };
  readonly filter?: { readonly label: string; readonly choices: readonly FilterChoice[] } | undefined;
  readonly entries: readonly RecordEntry[];
  readonly words: { readonly receipt: string; readonly reference: string; readonly details: string };
  /** What the platform has on record by other ways. */
  readonly elsewhere?: KnownElsewhere | undefined;
  /** Among more than one page. */
  readonly pager?:
    | { readonly text: string; readonly newer?: Link | undefined; readonly older?: Link | undefined }
    | undefined;
  /** A very long record is more than one file. */
  readonly download?: { readonly files: readonly Link[]; readonly hint: string } | undefined;
  /** `print` is done by a script alone; one opens outside of a frame. */
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
  /** Its own page, while that tells more. */
  readonly href: string;
  readonly day: Moment;
  /** The first of its day, in UTC. */
  readonly isFirst: boolean;
  readonly at: Moment;
  readonly channel: string;
  /** undefined: as it was asked. */
  readonly state?: { readonly tone: 'neutral' | 'warning'; readonly text: string } | undefined;
  readonly items: readonly RecordItem[];
  /** Said where there is no item to tell of. */
  readonly nothing?: string | undefined;
  readonly receipts: readonly string[];
  readonly tags: readonly RecordTag[];
}

/** What else is on record about an entry; some lead to another one. */
export interface RecordTag {
  readonly text: string;
  readonly href?: string | undefined;
  /** Between `text` and `rest`. */
  readonly at?: Moment | undefined;
  readonly rest?: string | undefined;
}

export interface RecordItem {
  /** In the words of then, as far as they are known. */
  readonly name: LocalizedText;
  /** What came of it. */
  readonly text?: string | undefined;
  /** As the form showed it, and as it was to be; undefined where no form was. */
  readonly move?: { readonly from: string; readonly to: string } | undefined;
  /** Topics and options, each with what it was to be. */
  readonly choices?: readonly { readonly name: LocalizedText; readonly to: string }[];
  /** What it is called by now, where that is something else. */
  readonly today?: string | undefined;
}

export interface Moment {
  /** For programs, and for a script that writes it in the reader's own time. */
  readonly iso: string;
  /** In words, in UTC. */
  readonly text: string;
}
