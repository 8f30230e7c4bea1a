import { byKey } from '../by-key.ts';
import type { ToldMember } from './told-member.ts';

/** HTML that passed the allowlist of `upstream/safe-html.ts`; the only text that a template may print raw. */
declare const safeHtml: unique symbol;
export type SafeHtml = string & { readonly [safeHtml]: true };

/** One translation. `language` is the tag as the platform spells it. */
export interface TextEntry<T extends string = string> {
  readonly language: string;
  readonly text: T;
  readonly isDefault: boolean;
}

/** A text with its translations; `plain` is the untranslated Label or Description. */
export interface Text<T extends string = string> {
  readonly entries: readonly TextEntry<T>[];
  readonly plain: T | undefined;
}

/** A preference center of either family. Ids are lower-case GUIDs. */
export interface Center {
  readonly id: string;
  /** Changes whenever anything in the center's schemas changes. */
  readonly revision: string;
  /** ORIGINAL is shown as a plain list, ENHANCED and MULTIPAGE as cards. */
  readonly template: 'original' | 'enhanced' | 'multipage';
  readonly title: string | undefined;
  readonly titleImageUrl: string | undefined;
  readonly welcome: Text<SafeHtml>;
  readonly languages: readonly string[];
  readonly defaultLanguage: string;
  /** Label sets: language tag → label name. */
  readonly labelSets: Readonly<Record<string, LabelSet>>;
  /** `Consent.Ds.Portal.*` texts: language tag → key without that prefix → text. */
  readonly translations: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The pages in their `order`; never empty. */
  readonly pages: readonly CenterPage[];
  /**
   * Purposes that no page shows, each once: those on hidden pages, notification purposes that are not
   * displayed, and those that only the single-page list of a Multi Page center names. They can be withdrawn
   * but never granted.
   */
  readonly hidden: readonly Purpose[];
  readonly hardOptOut: 'hide' | 'lock';
  readonly reasons: UnsubscribeReasons | undefined;
  /** Whether a purpose that is switched on without any topic gets all its topics. */
  readonly autoCheckTopics: boolean;
  /**
   * The schema's updateNotOptedOutToActiveStatus: the next update also sends, and so records, purposes that
   * are on by default.
   */
  readonly confirmsDefaults: boolean;
  readonly unread: readonly UnreadPart[];
  /** Members of the center's schemas that are not honoured. */
  readonly told: readonly ToldMember[];
}

/** A message to the schema's editor about a part of it. `left-out`: the page does not show this part. */
export interface UnreadPart {
  readonly code: 'left-out' | 'html-removed' | 'no-name';
  /** A sentence without its full stop. */
  readonly words: string;
}

/** The members of a label set, by their names with a lower-case first letter. */
export const labelNames = {
  title: 'title',
  topicsLabel: 'topics',
  unsubscribeAllLabel: 'unsubscribe-all',
  undoChangesLabel: 'undo-changes',
  updateErrorLabel: 'update-error',
  updateSuccessLabel: 'update-success',
  unsubscribeSuccessLabel: 'unsubscribe-success',
  subscriptionSettingsLabel: 'subscription-settings',
  changePreferencesLabel: 'change-preferences',
  reasonsTitle: 'reasons-title',
  reasonsMessage: 'reasons-message',
  reasonsLabel: 'reasons-label',
} as const;
export type LabelName = (typeof labelNames)[keyof typeof labelNames];

export type LabelSet = Readonly<Partial<Record<LabelName, string>>>;

export interface UnsubscribeReasons {
  readonly choices: readonly { readonly id: string; readonly name: Text }[];
  readonly allowOther: boolean;
  /** The kind of form field. undefined: check boxes. `text`: only a reason in the person's own words. */
  readonly format?: 'radio-buttons' | 'text' | undefined;
}

export interface CenterPage {
  readonly id: string;
  readonly name: Text;
  /** Whether the navigation lists the page. */
  readonly navigation: boolean;
  readonly subscribeAll: boolean;
  readonly unsubscribeAll: boolean;
  readonly sections: readonly Section[];
}

export interface Section {
  readonly id: string;
  readonly kind: 'ordinary' | 'profile' | 'notification' | 'subscription-settings';
  /** The header; undefined when it is hidden. */
  readonly name: Text | undefined;
  readonly description: Text<SafeHtml> | undefined;
  /** The items in their `order`. */
  readonly items: readonly Item[];
}

export type Item =
  | { readonly kind: 'purpose'; readonly purpose: Purpose }
  | { readonly kind: 'data-element'; readonly element: DataElement }
  | { readonly kind: 'text'; readonly id: string; readonly html: Text<SafeHtml> };

export interface Purpose {
  readonly id: string;
  /** The platform's version number. */
  readonly version?: number | undefined;
  readonly name: Text;
  readonly description: Text<SafeHtml>;
  /** Whether the status is ACTIVE; a purpose of any other status is not shown. */
  readonly active: boolean;
  readonly kind: 'standard' | 'notification';
  /** Whether DefaultConsentStatus is ACTIVE. */
  readonly onByDefault: boolean;
  readonly visibility: 'all' | 'consented' | 'prior-consented';
  /**
   * Set if a part of the purpose's schema is not understood: the purpose can be withdrawn, but nothing in it
   * can be granted.
   */
  readonly leavingOnly?: true | undefined;
  readonly hardOptOutMessage: Text;
  /** Seconds that a consent lasts; undefined when it never expires. */
  readonly lifeSpan: number | undefined;
  readonly topics: readonly Topic[];
  readonly preferences: readonly Preference[];
}

export interface Topic {
  readonly id: string;
  readonly name: Text;
}

const preferencesById = byKey<Preference>(({ id }) => id);

/** The preferences with this id: one for each page that shows the purpose. */
export function preferencesOf({ preferences }: Purpose, id: string): readonly Preference[] {
  return preferencesById(preferences, id);
}

export interface Preference {
  readonly id: string;
  readonly name: Text;
  readonly description: Text<SafeHtml>;
  readonly choice: 'single' | 'multiple';
  readonly display: 'buttons' | 'checkboxes' | 'dropdown' | 'radio-buttons';
  readonly required: boolean;
  readonly options: readonly Option[];
}

export interface Option {
  readonly id: string;
  readonly name: Text;
  readonly isDefault: boolean;
}

export interface DataElement {
  readonly id: string;
  /** The key under which the platform keeps the value (DsDataElements). */
  readonly label: string;
  readonly name: Text;
  readonly type:
    | 'text'
    | 'choice'
    | 'email'
    | 'number'
    | 'date'
    | 'country'
    | 'state'
    | 'country-code'
    | 'state-code'
    | 'phone';
  readonly display: 'dropdown' | 'input';
  readonly hidden: boolean;
  readonly readOnly: boolean;
  readonly required: boolean;
  readonly options: readonly ElementOption[];
}

export interface ElementOption {
  readonly value: string;
  readonly name: Text;
}

/** One entry in the list of centers (GET v2/preferencecenters). */
export interface CenterSummary {
  readonly id: string;
  readonly name: string;
  readonly organization: string;
  readonly template: string;
  readonly status: string;
  readonly publishedDate: string | undefined;
  readonly createdDate: string | undefined;
}

/** The page with this id; without an id, the first page in the navigation. */
export function findPage(center: Center, id: string | undefined): CenterPage | undefined {
  if (id === undefined) return center.pages.find((page) => page.navigation) ?? center.pages[0];
  return center.pages.find((page) => page.id === id || page.id === id.toLowerCase());
}

/** The same items as leaving-only: purposes can only be withdrawn, and fields cannot be edited. */
export function forLeavingOnly(items: readonly Item[]): readonly Item[] {
  return items.map((item): Item => {
    if (item.kind === 'purpose') return { ...item, purpose: { ...item.purpose, leavingOnly: true } };
    if (item.kind === 'data-element')
      return { ...item, element: { ...item.element, readOnly: true, required: false } };
    return item;
  });
}

/** The items of all pages in page order. */
export function itemsOf({ pages }: Pick<Center, 'pages'>): readonly Item[] {
  return pages.flatMap((page) => page.sections.flatMap((section) => section.items));
}

/** Purposes of all pages, then the hidden ones. A purpose on several pages occurs once for each. */
export function everyPurpose(center: Pick<Center, 'pages' | 'hidden'>): readonly Purpose[] {
  const displayed = itemsOf(center).flatMap((item) => (item.kind === 'purpose' ? [item.purpose] : []));
  return [...displayed, ...center.hidden];
}

/** The `purposes` that no page shows, each once. */
export function notShownBy(pages: readonly CenterPage[], purposes: readonly Purpose[]): readonly Purpose[] {
  const seen = new Set(everyPurpose({ pages, hidden: [] }).map(({ id }) => id));
  return purposes.filter(({ id }) => !seen.has(id) && seen.add(id));
}
