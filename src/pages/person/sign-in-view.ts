import type { FormView } from '../form.ts';
import type { Layout, Numbers, PostLink } from '../layout.ts';

export interface OneButtonForm extends FormView {
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

/** A heading, a few lines, and something that one button does. */
export interface OneButtonPage {
  readonly layout: Layout;
  /** A tick before the title: what was asked is done, and its button only takes it back. */
  readonly isDone: boolean;
  readonly lines: readonly string[];
  /** The masked identifier that it is about. */
  readonly about?: string | undefined;
  readonly form?: (OneButtonForm & { readonly button: string }) | undefined;
  /** Our number, for a person who asks for it. */
  readonly numbers?: Numbers | undefined;
  readonly links: readonly { readonly href: string; readonly label: string }[];
  readonly others: readonly PostLink[];
  /** Outside a frame, where the link leads. */
  readonly opensOutside: boolean;
  /** Seconds after which the page looks again. */
  readonly refresh?: number | undefined;
}

/** A message with a link, with a passcode where it may be typed, or with what was changed. */
export interface MailPage {
  readonly layout: Layout;
  readonly preview: string;
  readonly greeting: string;
  readonly text: string;
  readonly changes: readonly { readonly title: string; readonly lines: readonly string[] }[];
  readonly button?: { readonly href: string; readonly label: string } | undefined;
  readonly passcode?: { readonly label: string; readonly code: string } | undefined;
  readonly lines: readonly string[];
  readonly colours: { readonly accent: string; readonly onAccent: string };
}

/** What the sandbox would have sent. */
export interface MailboxPage {
  readonly layout: Layout;
  readonly lines: readonly string[];
  readonly back: { readonly href: string; readonly label: string };
  readonly mails: readonly {
    readonly subject: string;
    readonly to: string;
    readonly at: string;
    readonly lang: string;
    readonly dir: 'ltr' | 'rtl';
    readonly parts: readonly { readonly text: string; readonly href?: string | undefined }[];
    readonly htmlHref: string;
    readonly htmlLabel: string;
  }[];
}
