import type { Center, CenterPage } from '../../core/model/center/center.ts';
import { isSameTag, readTag } from '../../core/model/language-tag.ts';
import { maskIdentifier, type SubjectId } from '../../core/model/person/subject.ts';
import { fill, type Messages, messagesFor } from '../../i18n/catalogue.ts';
import { label } from '../../i18n/label.ts';
import {
  chooseText,
  direction,
  htmlLanguage,
  type LocalizedText,
  languageName,
  matchLanguage,
} from '../../i18n/language.ts';
import type { BrandView } from '../layout.ts';
import { type FrameLook, type FramePart, hiddenUnlessSaid } from './frame-look.ts';

/** The context of any page: the visitor, and addresses. */
export interface PageContext {
  readonly brand: BrandView;
  /** The visitor's identifier; undefined without a sign-in. */
  readonly subject?: SubjectId | undefined;
  readonly pageHref: (page: string) => string;
  /** The address of the current page in another language. */
  readonly languageHref: (language: string) => string;
  readonly signOut?: { readonly action: string; readonly token: string } | undefined;
  readonly recordHref?: string | undefined;
  readonly everywhereHref?: string | undefined;
  readonly frame: 'top' | 'embedded';
  /** Origins that may show the page in a frame and get its messages. */
  readonly hosts?: readonly string[] | undefined;
  /** The look that the site around a frame requests. */
  readonly look?: FrameLook | undefined;
  /** The session, in seconds; undefined without one. */
  readonly session?:
    | {
        readonly endsIn: number;
        readonly warnBefore: number;
        readonly continueHref: string;
        /** The page that warns visitors without script. */
        readonly endingHref?: string | undefined;
      }
    | undefined;
}

/** The setting of any page. */
export interface AnySetting {
  readonly pageContext: PageContext;
  /** The center; undefined if none is known: then only the built-in texts are used. */
  readonly center: Center | undefined;
  readonly language: string;
}

/** The setting of a center's page. */
export interface PageSetting extends AnySetting {
  readonly center: Center;
}

/** The frame of every page: visitor, language, navigation and sign-out. */
export type Layout = ReturnType<typeof buildLayout>;

/** Builds the frame of a page. `page`: the id of the open page of the center, if any. */
export function buildLayout(input: AnySetting & { readonly title: string; readonly page?: string }) {
  const { pageContext, center, language, title } = input;
  const messages = messagesFor(language);
  const { brand, frame, look, session, subject, signOut, recordHref } = pageContext;
  const named = (name: Parameters<typeof label>[2]) => label(center, language, name);
  const navigation = center === undefined ? [] : buildNavigation(center, input.page, language, pageContext);
  return {
    lang: htmlLanguage(language),
    dir: direction(language),
    /** The page's h1, and the beginning of its <title>. */
    title,
    /**
     * The name of this page in a center with several pages. In <title> it follows the title, so that the
     * pages differ.
     */
    place: navigation.find((item) => item.current)?.label.text,
    brand: { ...brand, scheme: look?.scheme ?? brand.scheme },
    /** Whether the page shows the brand: a site around a frame may show its own. */
    showsBrand: !isHidden(pageContext, 'brand'),
    showsTitle: !isHidden(pageContext, 'title'),
    /** Whether a frame has its own background, because the one behind it is not certain. */
    hasOwnGround: frame === 'embedded' && (look?.ground === 'own' || look?.scheme === undefined),
    /** The masked identifier; undefined without a sign-in. */
    who: subject === undefined || isHidden(pageContext, 'identity') ? undefined : maskIdentifier(subject),
    navigation,
    languages: buildLanguages(center?.languages ?? [], language, pageContext),
    /** The sign-out form; undefined without a sign-in or a cookie to delete. */
    signOut: signOut && { ...signOut, label: named('sign-out') },
    /** Link to the person's own history; undefined without a sign-in. */
    record:
      recordHref === undefined || isHidden(pageContext, 'record')
        ? undefined
        : { href: recordHref, label: messages.record.title },
    /** Link to signing out on every device; undefined without a sign-in. */
    everywhereHref: pageContext.everywhereHref,
    /**
     * Links to the brand's site in the page's language; empty in a frame, which is already within that site.
     */
    brandLinks: {
      header: linksOf(brand.headerLinks, pageContext, language),
      footer: linksOf(brand.footerLinks, pageContext, language),
    },
    frame,
    /** Origins, separated by blanks, that get messages from a frame; undefined at the top. */
    hosts: pageContext.hosts?.join(' '),
    /** All built-in texts, in the page's language. */
    messages,
    /** The label of the list of languages: the center's, or ours. */
    languageLabel: named('language'),
    /** The separator between a name and a text about it. */
    colon: colonOf(messages),
    /**
     * Texts of the dialog before a session ends, with times in seconds from now; undefined without a session.
     */
    session: session && {
      ...session,
      /**
       * The page to which a visitor without script is led after `seconds`, when it is time to warn; undefined
       * if the page stays.
       */
      ending:
        session.endingHref === undefined
          ? undefined
          : { href: session.endingHref, seconds: Math.max(1, session.endsIn - session.warnBefore) },
      title: named('session-title'),
      description: named('session-description'),
      continueLabel: named('session-continue'),
      leaveLabel: named('session-leave'),
    },
  };
}

/**
 * The frame of a page without a center and a sign-in, such as a message. Pages for staff and operators are in
 * English.
 */
export function plainLayout(title: string, brand: BrandView, language = 'en') {
  const nowhere = () => '';
  const pageContext = { brand, pageHref: nowhere, languageHref: nowhere, frame: 'top' } as const;
  return buildLayout({ center: undefined, language, title, pageContext });
}

/** Whether a part is left out in a frame. Its own page stays reachable. */
function isHidden({ frame, look }: PageContext, part: FramePart): boolean {
  return frame === 'embedded' && (look?.hidden ?? hiddenUnlessSaid).includes(part);
}

/** The brand's links for contact: mail addresses and telephone numbers, each once. */
export function contactLinks(pageContext: PageContext, language: string) {
  const { headerLinks, footerLinks } = pageContext.brand;
  const reaching = [...footerLinks, ...headerLinks].filter(({ href }) => /^(?:mailto|tel):/i.test(href));
  const once = reaching.filter(({ href }, at) => reaching.findIndex((one) => one.href === href) === at);
  return linksOf(once, pageContext, language);
}

function linksOf(links: BrandView['headerLinks'], { frame }: PageContext, language: string) {
  if (frame === 'embedded') return [];
  return links.map(({ label, href }) => {
    const tags = Object.keys(label);
    const tag = matchLanguage(tags, language) ?? tags[0] ?? '';
    const isForeign = tag !== '' && htmlLanguage(tag) !== htmlLanguage(language);
    const spoken = isForeign ? { lang: htmlLanguage(tag), dir: direction(tag) } : {};
    return { label: { text: label[tag] ?? href, ...spoken }, href };
  });
}

/** The link to sign in again; none if the center has no sign-in. */
export function againLinks(href: string | undefined, language: string) {
  return href === undefined ? [] : [{ href, label: messagesFor(language).signedOut.again }];
}

/** The name of a page, or its number if it has none. */
export function pageName(center: Center, page: CenterPage, language: string): LocalizedText {
  const name = chooseText(page.name, language, center.defaultLanguage);
  if (name !== undefined) return name;
  const number = center.pages.indexOf(page) + 1;
  return { text: fill(messagesFor(language).page.unnamedPage, { number }) };
}

/** The separator ": ", which French and Chinese write in their own ways. */
export function colonOf({ mistakes }: Messages): string {
  return fill(mistakes.named, { name: '', text: '' });
}

/** The links to the center's pages; none before the sign-in, and none for a single page. */
function buildNavigation(
  center: Center,
  current: string | undefined,
  language: string,
  { subject, pageHref }: PageContext,
) {
  if (subject === undefined) return [];
  const pages = center.pages.filter((page) => page.navigation);
  if (pages.length < 2) return [];
  return pages.map((page) => ({
    label: pageName(center, page, language),
    href: pageHref(page.id),
    current: page.id === current,
  }));
}

/**
 * The choice of languages; none if there is only one. A language has its region only if two languages differ
 * by it.
 */
function buildLanguages(languages: readonly string[], current: string, { languageHref }: PageContext) {
  if (languages.length < 2) return [];
  return languages.map((tag) => ({
    lang: htmlLanguage(tag),
    name: languageNameAmong(languages, tag),
    dir: direction(tag),
    href: languageHref(tag),
    current: isSameTag(tag, current),
  }));
}

export function languageNameAmong(languages: readonly string[], tag: string): string {
  const { base } = readTag(tag);
  const isAlone = languages.every((other) => other === tag || readTag(other).base !== base);
  return languageName(isAlone ? base : tag);
}
