import type { BrandLink } from '../core/model/center/brand.ts';
import type { FormView } from './form.ts';

export interface BrandView {
  readonly name: string;
  readonly logoUrl?: string | undefined;
  /**
   * Address of the generated stylesheet with the brand's custom properties; undefined for the default look.
   */
  readonly themeHref?: string | undefined;
  /** Addresses of the fonts in the stylesheet, which the page requests at once. */
  readonly fontHrefs: readonly string[];
  readonly stylesheetUrl?: string | undefined;
  readonly scheme: 'auto' | 'light' | 'dark';
  /** The address of the icon; undefined for the product's own. */
  readonly iconHref?: string | undefined;
  readonly showsName: boolean;
  /** The links as configured; a page shows `Layout.brandLinks`. */
  readonly headerLinks: readonly BrandLink[];
  readonly footerLinks: readonly BrandLink[];
}

/** The product's own look. */
export function plainBrand(name: string): BrandView {
  return { name, fontHrefs: [], scheme: 'auto', showsName: true, headerLinks: [], footerLinks: [] };
}

/** A button that posts: its address, its label and its sealed token. */
export interface PostLink extends FormView {
  readonly label: string;
}

export interface Note {
  readonly tone: 'info' | 'success' | 'warning' | 'problem';
  readonly title: string;
  readonly lines: readonly string[];
}

export function note(tone: Note['tone'], title: string, ...lines: readonly string[]): Note {
  return { tone, title, lines };
}
