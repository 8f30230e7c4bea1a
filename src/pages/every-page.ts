import type { Layout, LocalizedHtml, LocalizedText, Note, PostLink } from './layout.ts';
import type { ExpiredPage, RecordPage } from './person/record-view.ts';
import type {
  MailboxPage,
  MailPage,
  OneButtonPage,
  PasscodePage,
  SignInPage,
} from './person/sign-in-view.ts';
import type { PreviewPage, StaffPage } from './staff/every-page.ts';

/*
 * The fields a form posts, beside those a model names itself:
 *   token           every form: the sealed token
 *   purpose         preferences: ids of the purposes that are ticked
 *   action          preferences: `save` or `subscribe-all`, by the button
 *   keep-language   preferences: the tag of the language to be kept as the person's own, when ticked
 *   reason          unsubscribe: ids of the reasons that are ticked, `other` for the free one
 *   reason-text     unsubscribe: the words of the free one
 *   email           sign-in: the address
 *   code            passcode: the six digits
 *   leaving         one button: sealed, who is asked before going on as somebody else
 *   held            passcode, one button: a sealed post that waits for the person to show who they are
 */

/** Every page the house can show: view name → what its template may read. */
export interface Pages {
  'centers/preferences': PreferencePage;
  'centers/result': ResultPage;
  'centers/unsubscribe': UnsubscribePage;
  'centers/signed-out': PlainPage;
  'start/sandbox': StartPage;
  'start/plain': PlainPage;
  'start/mailbox': MailboxPage;
  'identity/sign-in': SignInPage;
  'identity/passcode': PasscodePage;
  'identity/one-button': OneButtonPage;
  'mail/sign-in': MailPage;
  'embed/expired': ExpiredPage;
  'record/record': RecordPage;
  'errors/problem': ProblemPage;
  'staff/page': StaffPage;
  'staff/problem': ProblemPage;
  'preview/center': PreviewPage;
}

export interface PreferencePage {
  readonly layout: Layout;
  readonly titleImageUrl: string | undefined;
  readonly welcome: LocalizedHtml | undefined;
  readonly itemStyle: 'plain' | 'cards';
  readonly notes: readonly Note[];
  /** What is wrong with the form, linked to the fields; undefined when nothing is. */
  readonly mistakes: { readonly title: string; readonly items: readonly MistakeView[] } | undefined;
  readonly form: FormView;
  readonly sections: readonly SectionView[];
  readonly actions: {
    readonly save: string;
    readonly undo: string;
    readonly subscribeAll: string | undefined;
    readonly unsubscribeAll: { readonly href: string; readonly label: string } | undefined;
    /** Said beside the buttons once something on the page was changed (script only). */
    readonly unsaved: string;
  };
  /** Beside each switch, as it stands now (script only). */
  readonly states: { readonly on: string; readonly off: string };
  /** "Keep … as my language", when the page's language is not the recorded one. */
  readonly keepLanguage:
    | { readonly label: string; readonly value: string; readonly checked: boolean }
    | undefined;
  /** The way on for somebody who may only withdraw here. */
  readonly stepUp: { readonly href: string; readonly label: string } | undefined;
  /** The button that makes the objection of a browser (Sec-GPC) last. */
  readonly objection: PostLink | undefined;
}

export interface FormView {
  readonly action: string;
  readonly token: string;
}

export interface MistakeView {
  /** `#` and the id of the field. */
  readonly href: string;
  readonly text: string;
}

export interface SectionView {
  readonly id: string;
  readonly heading: LocalizedText | undefined;
  readonly description: LocalizedHtml | undefined;
  readonly kind: 'ordinary' | 'profile' | 'notification' | 'subscription-settings';
  readonly items: readonly ItemView[];
}

export type ItemView = PurposeView | ElementView | TextView;

export interface TextView {
  readonly kind: 'text';
  readonly html: LocalizedHtml;
}

export interface PurposeView {
  readonly kind: 'purpose';
  /** For the input; the description's id is this and `-about`. */
  readonly id: string;
  readonly name: LocalizedText;
  readonly description: LocalizedHtml | undefined;
  /** `name="purpose"`, the purpose's id. */
  readonly value: string;
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly tag: { readonly tone: 'neutral' | 'warning'; readonly text: string } | undefined;
  /** AlwaysActiveTooltip, HardOptOutMessage, or what a state means. */
  readonly hint: LocalizedText | undefined;
  readonly topics: ChoiceGroup | undefined;
  readonly preferences: readonly PreferenceView[];
}

export interface ChoiceGroup {
  readonly legend: string;
  /** The inputs' name. */
  readonly name: string;
  readonly choices: readonly ChoiceView[];
}

export interface PreferenceView {
  readonly id: string;
  readonly label: LocalizedText;
  readonly description: LocalizedHtml | undefined;
  readonly display: 'pills' | 'checkboxes' | 'dropdown' | 'radios';
  readonly type: 'radio' | 'checkbox' | 'select';
  readonly multiple: boolean;
  readonly required: string | undefined;
  readonly name: string;
  readonly disabled: boolean;
  /** A single choice that is not required begins with "none", whose value is ''. */
  readonly choices: readonly ChoiceView[];
  readonly mistake: string | undefined;
}

export interface ChoiceView {
  readonly id: string;
  readonly value: string;
  readonly label: LocalizedText;
  readonly checked: boolean;
  readonly disabled: boolean;
}

export interface ElementView {
  readonly kind: 'data-element';
  readonly id: string;
  readonly name: string;
  readonly label: LocalizedText;
  readonly control: 'text' | 'email' | 'number' | 'date' | 'tel' | 'select' | 'static';
  readonly value: string;
  /** For select; the first may be the empty choice. */
  readonly options: readonly {
    readonly value: string;
    readonly label: LocalizedText;
    readonly selected: boolean;
  }[];
  readonly required: string | undefined;
  readonly autocomplete: string | undefined;
  readonly mistake: string | undefined;
}

export interface ResultPage {
  readonly layout: Layout;
  readonly notes: readonly Note[];
  /** By item, in the order of the page. */
  readonly groups: readonly ResultGroup[];
  readonly reference: { readonly label: string; readonly value: string };
  readonly undo: PostLink | undefined;
  readonly back: { readonly href: string; readonly label: string };
  /** Seconds after which the page looks again, while something is being carried out. */
  readonly refresh: number | undefined;
}

export interface ResultGroup {
  readonly tone: 'success' | 'info' | 'problem' | 'warning';
  /** undefined when the page's own title says it. */
  readonly title: string | undefined;
  readonly items: readonly { readonly name: LocalizedText; readonly text: string }[];
  readonly receipts: readonly string[];
  readonly receiptLabel: string;
}

export interface UnsubscribePage {
  readonly layout: Layout;
  readonly intro: string;
  readonly form: FormView;
  readonly reasons: ReasonsView | undefined;
  readonly confirm: string;
  readonly back: { readonly href: string; readonly label: string };
}

export interface ReasonsView {
  readonly title: string;
  readonly message: string | undefined;
  readonly choices: readonly ChoiceView[];
  readonly other:
    | {
        readonly id: string;
        readonly label: string;
        readonly textLabel: string;
        readonly hint: string;
        /** Characters that are kept. */
        readonly maxLength: number;
        /** Characters that can be typed. */
        readonly most: number;
      }
    | undefined;
}

/** A heading, a few lines, and ways on. */
export interface PlainPage {
  readonly layout: Layout;
  readonly lines: readonly string[];
  readonly links: readonly { readonly href: string; readonly label: string }[];
}

export interface ProblemPage {
  /** Which of its two frames it stands in. */
  readonly view: 'errors/problem' | 'staff/problem';
  readonly layout: Layout;
  readonly lines: readonly string[];
  readonly reference: { readonly label: string; readonly value: string };
  readonly links: readonly { readonly href: string; readonly label: string }[];
  /** Outside a frame, where the links lead. */
  readonly opensOutside: boolean;
}

export interface StartPage {
  readonly layout: Layout;
  readonly lines: readonly string[];
  readonly centers: readonly StartCenter[];
  readonly more: {
    readonly title: string;
    readonly links: readonly { readonly href: string; readonly label: string; readonly text: string }[];
  };
}

export interface StartCenter {
  readonly name: string;
  readonly template: string;
  readonly people: readonly {
    readonly name: string;
    readonly about: string;
    /** By its own name. */
    readonly language: LocalizedText;
    readonly href: string;
  }[];
}
