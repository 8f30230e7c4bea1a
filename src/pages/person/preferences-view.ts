import type { Center } from '../../core/model/center/center.ts';
import type { Visit } from '../../core/model/person/visit.ts';
import type { Messages } from '../../i18n/catalogue.ts';
import type { LocalizedHtml, LocalizedText } from '../../i18n/language.ts';
import type { FormView, Mistakes } from '../form.ts';
import type { Layout, Note } from '../layout.ts';
import type { ChannelIcon } from './channel-icon.ts';
import type { OutcomeView } from './outcome.ts';

export interface PreferencePage {
  readonly layout: Layout;
  readonly titleImageUrl?: string | undefined;
  /** Of several pages, the name of this one: then it is the heading, below the title. */
  readonly heading?: LocalizedText | undefined;
  readonly welcome?: LocalizedHtml | undefined;
  readonly itemStyle: 'plain' | 'cards';
  readonly notes: readonly Note[];
  /** What the form sent last, where all of it is saved. */
  readonly outcome?: (OutcomeView & { readonly here: string }) | undefined;
  /** Where a script has the next result told over the form: the page's id in its address, or ''. */
  readonly here: string;
  /** What is wrong with the form, linked to the fields; undefined when nothing is. */
  readonly mistakes?: Mistakes | undefined;
  /** In <title>: the page's own title, and that something is wrong. */
  readonly pageTitle: string;
  /** The center's name for topics, or ours. */
  readonly topicsLegend: string;
  /** `saved`: where something else is shown than what is saved; see `savedBehind`. */
  readonly form: FormView & { readonly saved?: string | undefined };
  readonly sections: readonly SectionView[];
  /** Ways through a page of many purposes; undefined on all others. */
  readonly finder?: Finder | undefined;
  readonly actions: {
    readonly save: string;
    readonly undo: string;
    readonly subscribeAll?: string | undefined;
    readonly unsubscribeAll?: { readonly href: string; readonly label: string } | undefined;
  };
  /** "Keep … as my language", when the page's language is not the recorded one. */
  readonly keepLanguage?:
    | { readonly id: string; readonly label: string; readonly value: string; readonly checked: boolean }
    | undefined;
  readonly scope: Visit['scope'];
  /** For a person who may only withdraw here: the way to more, where there is one. */
  readonly stepUpHref?: string | undefined;
  /** The button that makes the objection of a browser (Sec-GPC) last. */
  readonly objection?: FormView | undefined;
}

export interface Finder {
  /** As the page is shown; a script counts again. */
  readonly count: string;
  /** The sections that have a name; undefined when there are fewer than two. */
  readonly contents?: readonly { readonly href: string; readonly label: LocalizedText }[] | undefined;
}

export interface SectionView {
  readonly id: string;
  readonly heading?: LocalizedText | undefined;
  readonly description?: LocalizedHtml | undefined;
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
  readonly description?: LocalizedHtml | undefined;
  /** `name="purpose"`, the purpose's id. */
  readonly value: string;
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly tag?: { readonly tone: 'neutral' | 'warning' | 'success'; readonly text: string } | undefined;
  /** AlwaysActiveTooltip, HardOptOutMessage, or what a state means. */
  readonly hint?: LocalizedText | undefined;
  /** Offered in the last week of its life span; `name="renew"`, the purpose's id. */
  readonly renew?: { readonly id: string; readonly label: string; readonly checked: boolean } | undefined;
  readonly topics: readonly ChoiceView[];
  readonly preferences: readonly PreferenceView[];
}

export interface PreferenceView {
  readonly id: string;
  readonly label: LocalizedText;
  readonly description?: LocalizedHtml | undefined;
  readonly display: 'pills' | 'checkboxes' | 'dropdown' | 'radios';
  readonly type: 'radio' | 'checkbox' | 'select';
  readonly multiple: boolean;
  readonly required: boolean;
  readonly name: string;
  readonly disabled: boolean;
  /** A single choice that is not required begins with "none", whose value is ''. */
  readonly choices: readonly ChoiceView[];
  readonly mistake?: string | undefined;
}

export interface ChoiceView {
  readonly id: string;
  /** Where its name says by which way something comes. */
  readonly icon?: ChannelIcon | undefined;
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
  readonly required: boolean;
  readonly autocomplete?: string | undefined;
  readonly mistake?: string | undefined;
  /** Just now. */
  readonly isSaved: boolean;
}

/** What all items of a page are made with. */
export interface ViewInput {
  readonly center: Center;
  readonly language: string;
  readonly messages: Messages;
  /** `withdraw`: nothing is offered that can be switched on, and values are masked. */
  readonly scope: Visit['scope'];
  /** What the mistake in a field is, by the field's name and the item's. */
  readonly mistakeIn: (field: string, item: string) => string | undefined;
}
