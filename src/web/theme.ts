import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type Brand, type BrandFont, brandColours } from '../core/model/center/brand.ts';
import type { BrandView } from '../pages/layout.ts';
import type { Assets } from './assets.ts';

type Publisher = Pick<Assets, 'publish'>;

/**
 * Publishes a brand's fonts and custom properties as a stylesheet. `themeHref` is undefined if the brand
 * changes nothing.
 */
export function publishTheme(assets: Publisher, brand: Brand): Pick<BrandView, 'themeHref' | 'fontHrefs'> {
  const fonts = (brand.fonts ?? []).map((font) => ({
    ...font,
    href: assets.publish('theme/font.woff2', readFileSync(font.fontFile)),
  }));
  const sheet = `${fonts.map(faceOf).join('')}${themeProperties(brand)}`;
  return {
    themeHref: sheet === '' ? undefined : assets.publish('theme/brand.css', sheet),
    fontHrefs: fonts.map(({ href }) => href),
  };
}

/** The brand's icon, or our mark in the brand's colour; undefined if it has neither. */
export function publishIcon(assets: Publisher, brand: Brand): string | undefined {
  if (brand.iconFile !== undefined) {
    const ending = extname(brand.iconFile).toLowerCase();
    return assets.publish(`theme/icon${ending}`, readFileSync(brand.iconFile));
  }
  const colours = brandColours(brand);
  if (colours === undefined) return undefined;
  return assets.publish('theme/icon.svg', markIn(colours));
}

/** The mark as an SVG, in the brand's colours; its drawing is that of `public/icon.svg`. */
function markIn({ accent, onAccent }: { readonly accent: string; readonly onAccent: string }): string {
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    `<rect width="32" height="32" rx="8" fill="${accent}"/>` +
    `<path d="M9 16.5l5 5 9.5-11" fill="none" stroke="${onAccent}" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`
  );
}

function faceOf({ family, href, weight = '400', style = 'normal' }: BrandFont & { readonly href: string }) {
  return `@font-face{font-family:"${family}";src:url(${href}) format("woff2");font-weight:${weight};font-style:${style};font-display:swap}\n`;
}

/**
 * The custom properties of a brand, which `public/app.css` reads. Values that passed `brandFaults` cannot
 * break out of the rule.
 */
export function themeProperties(brand: Brand): string {
  const colours = brandColours(brand);
  const properties = {
    '--brand-accent': colours?.accent,
    '--brand-on-accent': colours?.onAccent,
    '--brand-accent-dark': colours?.accentDark,
    '--brand-on-accent-dark': colours?.onAccentDark,
    '--brand-page': brand.background,
    '--brand-page-dark': brand.backgroundDark,
    '--brand-radius': brand.radius === undefined ? undefined : `${brand.radius}px`,
    '--brand-font': brand.font,
  };
  const lines = Object.entries(properties).filter(([, value]) => value !== undefined);
  if (lines.length === 0) return '';
  return `:root{${lines.map(([name, value]) => `${name}:${value}`).join(';')}}\n`;
}
