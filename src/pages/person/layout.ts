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

/** What is known around any page: the visitor, and addresses. */
export interface PageContext {
  readonly brand: BrandView;
  /** undefined without a sign-in. */
  readonly subject?: SubjectId | undefined;
  readonly pageHref: (page: string) => string;
  /** The present page in another language. */
  readonly languageHref: (language: string) => string;
  readonly signOut?: { readonly action: string; readonly token: string } | undefined;
  readonly recordHref?: string | undefined;
  readonly everywhereHref?: string | undefined;
  readonly frame: 'top' | 'embedded';
  /** Origins that may frame the page and hear of it. */
  readonly hosts?: readonly string[] | undefined;
  /** How the site around a frame wants it. */
  readonly look?: FrameLook | undefined;
  /** Seconds; undefined without a session. */
  readonly session?:
    | {
        readonly endsIn: number;
        readonly warnBefore: number;
        readonly continueHref: string;
        /** The page that warns those who have no script. */
        readonly endingHref?: string | undefined;
      }
    | undefined;
}

/** Around any page. */
export interface AnySetting {
  readonly pageContext: PageContext;
  /** undefined where none is known: then only the built-in texts are used. */
  readonly center: Center | undefined;
  readonly language: string;
}

/** Around a page of a center. */
export interface PageSetting extends AnySetting {
  readonly center: Center;
}

/** What stands around every page: who is asking, in which language, ways on and out. */
export type Layout = ReturnType<typeof buildLayout>;

/** `page`: the id of the center's page that is open, if one is. */
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
    /** In a center of several pages the name of this one: follows the title in <title>, tells the pages apart. */
    place: navigation.find((item) => item.current)?.label.text,
    brand: { ...brand, scheme: look?.scheme ?? brand.scheme },
    /** A site around a frame may show its own. */
    showsBrand: !isHidden(pageContext, 'brand'),
    showsTitle: !isHidden(pageContext, 'title'),
    /** A frame has a ground of its own where it is not certain what it stands on. */
    hasOwnGround: frame === 'embedded' && (look?.ground === 'own' || look?.scheme === undefined),
    /** The masked identifier; undefined without a sign-in. */
    who: subject === undefined || isHidden(pageContext, 'identity') ? undefined : maskIdentifier(subject),
    navigation,
    languages: buildLanguages(center?.languages ?? [], language, pageContext),
    /** undefined without a sign-in, or a cookie to forget. */
    signOut: signOut && { ...signOut, label: named('sign-out') },
    /** Link to the person's own history; undefined without a sign-in. */
    record:
      recordHref === undefined || isHidden(pageContext, 'record')
        ? undefined
        : { href: recordHref, label: messages.record.title },
    /** Link to signing out on every device; undefined without a sign-in. */
    everywhereHref: pageContext.everywhereHref,
    /** Ways to the rest of the brand's site, in the page's language; empty in a frame, which stands in it. */
    brandLinks: {
      header: linksOf(brand.headerLinks, pageContext, language),
      footer: linksOf(brand.footerLinks, pageContext, language),
    },
    frame,
    /** Origins, separated by blanks, that hear what happens in a frame; undefined at the top. */
    hosts: pageContext.hosts?.join(' '),
    /** All built-in texts, in the page's language. */
    messages,
    /** The center's name for the list of languages, or ours. */
    languageLabel: named('language'),
    /** Between a name and what is said of it. */
    colon: colonOf(messages),
    /** Texts of the dialog before a session ends, and when: in seconds from now. undefined without a session. */
    session: session && {
      ...session,
      /** Without script the page goes there when it is time to warn, after `seconds`; undefined where it stays. */
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

/** Without a center and a sign-in, as in a message; in English what only staff and operators see. */
export function plainLayout(title: string, brand: BrandView, language = 'en') {
  const nowhere = () => '';
  const pageContext = { brand, pageHref: nowhere, languageHref: nowhere, frame: 'top' } as const;
  return buildLayout({ center: undefined, language, title, pageContext });
}

/** Left out of a frame; its page can be opened all the same. */
function isHidden({ frame, look }: PageContext, part: FramePart): boolean {
  return frame === 'embedded' && (look?.hidden ?? hiddenUnlessSaid).includes(part);
}

/** Those of the brand's links that reach somebody. */
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

/** Where a person is let in once more; none where a center does not let people in. */
export function againLinks(href: string | undefined, language: string) {
  return href === undefined ? [] : [{ href, label: messagesFor(language).signedOut.again }];
}

/** A page's name, or its number without one. */
export function pageName(center: Center, page: CenterPage, language: string): LocalizedText {
  const name = chooseText(page.name, language, center.defaultLanguage);
  if (name !== undefined) return name;
  const number = center.pages.indexOf(page) + 1;
  return { text: fill(messagesFor(language).page.unnamedPage, { number }) };
}

/** ": ", which French and Chinese write in their own ways. */
export function colonOf({ mistakes }: Messages): string {
  return fill(mistakes.named, { name: '', text: '' });
}

/** Before somebody is let in there is nothing to go to. */
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

/** Nothing to choose from is not shown. A region is named only where it tells two languages apart. */
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
