import type { FormView, Mistakes } from '../form.ts';
import type { Layout, Note, Numbers, PostLink } from '../layout.ts';

/** The ways in that a center offers. */
export interface SignInPage {
  readonly layout: Layout;
  readonly notes: readonly Note[];
  readonly mistakes?: Mistakes | undefined;
  readonly pageTitle: string;
  readonly mail?:
    | {
        readonly intro: string;
        readonly form: FormView;
        readonly label: string;
        readonly value: string;
        readonly mistake?: string | undefined;
      }
    | undefined;
  readonly singleSignOn?: PostLink | undefined;
  /** Stands above the second way, where there are two. */
  readonly ways?: string | undefined;
}

/** A message is on its way: its passcode may be typed here. */
export interface PasscodePage {
  readonly layout: Layout;
  readonly mistakes?: Mistakes | undefined;
  readonly pageTitle: string;
  /** The masked address that was typed. */
  readonly sentTo: { readonly label: string; readonly address: string };
  /** undefined where no passcode is taken any more. */
  readonly form?: FormView | undefined;
  /** Sealed: what waits for the person to show who they are. */
  readonly held?: string | undefined;
  readonly code: {
    readonly label: string;
    readonly hint: string;
    readonly digits: number;
    readonly mistake?: string | undefined;
    readonly attempts?: string | undefined;
  };
  readonly resend: PostLink;
  /** When another message may be asked for. Seconds. */
  readonly wait?:
    | {
        readonly text: string;
        /** What a script counts down: `{time}` is minutes and seconds. */
        readonly countdown: string;
        readonly seconds: number;
      }
    | undefined;
  readonly otherHref?: string | undefined;
}

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
