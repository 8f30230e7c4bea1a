import type { BrandLink } from '../core/model/center/brand.ts';
import { type Messages, messagesFor } from '../i18n/catalogue.ts';
import type { LocalizedText } from '../i18n/language.ts';
import type { FormView } from './form.ts';

/** What stands around every page of a person: who is asking, in which language, ways on and out. */
export interface Layout {
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl';
  /** The page's h1, and the beginning of its <title>. */
  readonly title: string;
  /** In a center of several pages the name of this one: follows the title in <title>, tells the pages apart. */
  readonly place?: string | undefined;
  readonly brand: BrandView;
  /** The masked identifier; undefined without a sign-in. */
  readonly who?: string | undefined;
  readonly navigation: readonly (LocalizedLink & { readonly current: boolean })[];
  readonly languages: readonly {
    readonly lang: string;
    /** The language's own name for itself. */
    readonly name: string;
    readonly dir: 'ltr' | 'rtl';
    readonly href: string;
    readonly current: boolean;
  }[];
  /** undefined without a sign-in, or a cookie to forget. */
  readonly signOut?: PostLink | undefined;
  /** A field in the bar, of the staff pages alone. */
  readonly search?: (PostLink & { readonly name: string }) | undefined;
  /** Link to the person's own history; undefined without a sign-in. */
  readonly record?: { readonly href: string; readonly label: string } | undefined;
  /** Link to signing out on every device; undefined without a sign-in. */
  readonly everywhereHref?: string | undefined;
  /** Ways to the rest of the brand's site, in the page's language; empty in a frame, which stands in it. */
  readonly brandLinks: {
    readonly header: readonly LocalizedLink[];
    readonly footer: readonly LocalizedLink[];
  };
  readonly frame: 'top' | 'embedded';
  /** A site around a frame may show its own. */
  readonly showsBrand: boolean;
  readonly showsTitle: boolean;
  /** A frame has a ground of its own where it is not certain what it stands on. */
  readonly hasOwnGround: boolean;
  /** Origins, separated by blanks, that hear what happens in a frame; undefined at the top. */
  readonly hosts?: string | undefined;
  /** All built-in texts, in the page's language. */
  readonly messages: Messages;
  /** The center's name for the list of languages, or ours. */
  readonly languageLabel: string;
  /** Between a name and what is said of it. */
  readonly colon: string;
  /** Texts of the dialog before a session ends, and when: in seconds from now. undefined without a session. */
  readonly session?:
    | {
        readonly endsIn: number;
        readonly warnBefore: number;
        readonly title: string;
        readonly description: string;
        readonly continueLabel: string;
        readonly leaveLabel: string;
        readonly continueHref: string;
        /** Without script the page goes there when it is time to warn, after `seconds`; undefined where it stays. */
        readonly ending?: { readonly href: string; readonly seconds: number } | undefined;
      }
    | undefined;
}

export interface BrandView {
  readonly name: string;
  readonly logoUrl?: string | undefined;
  /** Address of the generated stylesheet with the brand's custom properties; undefined for the default look. */
  readonly themeHref?: string | undefined;
  /** Of the fonts in it: the page asks for them at once. */
  readonly fontHrefs: readonly string[];
  readonly stylesheetUrl?: string | undefined;
  readonly scheme: 'auto' | 'light' | 'dark';
  /** undefined for the product's own. */
  readonly iconHref?: string | undefined;
  readonly showsName: boolean;
  /** As the settings have them; a page shows `Layout.brandLinks`. */
  readonly headerLinks: readonly BrandLink[];
  readonly footerLinks: readonly BrandLink[];
}

/** The product's own look. */
export function plainBrand(name: string): BrandView {
  return { name, fontHrefs: [], scheme: 'auto', showsName: true, headerLinks: [], footerLinks: [] };
}

/** English, like everything that only staff and operators see; without a sign-in. */
export function plainLayout(title: string, brand: BrandView): Layout {
  return {
    lang: 'en',
    dir: 'ltr',
    title,
    brand,
    navigation: [],
    languages: [],
    brandLinks: { header: [], footer: [] },
    frame: 'top',
    showsBrand: true,
    showsTitle: true,
    hasOwnGround: false,
    messages: messagesFor('en'),
    languageLabel: 'Language',
    colon: ': ',
  };
}

export interface LocalizedLink {
  readonly label: LocalizedText;
  readonly href: string;
}

/** A button that posts: address, label and the sealed token that goes with it. */
export interface PostLink extends FormView {
  readonly label: string;
}

/** Numbers, for a person who asks for them. */
export interface Numbers {
  /** Ours. */
  readonly reference: string;
  /** The platform's. */
  readonly receipts: readonly string[];
}

/** A tinted note. */
export interface Note {
  readonly tone: 'info' | 'success' | 'warning' | 'problem';
  readonly title: string;
  readonly lines: readonly string[];
  readonly receipt?: string | undefined;
}
