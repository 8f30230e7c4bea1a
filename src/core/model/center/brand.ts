import { isLink } from '../web-address.ts';
import { colourPattern, contrast, lighter } from './colour.ts';

/** The look of a center. Colours are `#rrggbb`; their contrast is checked when the configuration is read. */
export interface Brand {
  readonly name: string;
  readonly logoUrl?: string | undefined;
  readonly accent?: string | undefined;
  readonly accentDark?: string | undefined;
  /** Pixels, 0 to 32. */
  readonly radius?: number | undefined;
  readonly font?: string | undefined;
  readonly scheme: 'auto' | 'light' | 'dark';
  readonly stylesheetUrl?: string | undefined;
  /** Colour of the page behind its cards. */
  readonly background?: string | undefined;
  readonly backgroundDark?: string | undefined;
  /** Fonts that this server delivers itself, so that no other host learns who reads the page. */
  readonly fonts?: readonly BrandFont[] | undefined;
  /** An SVG, PNG or ICO file; without one, the product's mark in the accent colour is used. */
  readonly iconFile?: string | undefined;
  /** Whether the name stands beside the logo. Without a logo, the name is always shown. */
  readonly showName?: boolean | undefined;
  readonly headerLinks?: readonly BrandLink[] | undefined;
  readonly footerLinks?: readonly BrandLink[] | undefined;
}

export const unbranded: Brand = { name: '', scheme: 'auto' };

export interface BrandFont {
  readonly family: string;
  /** A WOFF2 file. */
  readonly fontFile: string;
  /** A number from 1 to 1000, or two of them for a variable font. */
  readonly weight?: string | undefined;
  readonly style?: 'normal' | 'italic' | undefined;
}

export interface BrandLink {
  /** Text by language; the first one serves every other language. */
  readonly label: Readonly<Record<string, string>>;
  readonly href: string;
}

/** Surfaces on which an accent is text, a border or a switch. Keep equal to `public/app.css`. */
const lightSurfaces = ['#ffffff', '#f6f7f9', '#fafbfd'] as const;
const darkSurfaces = ['#171b23', '#0f1218', '#12161d'] as const;
const white = '#ffffff';
const ink = '#0f1218';

/**
 * The colours in use: the accents for light and dark surfaces, and the text colour on each; undefined when
 * the brand keeps the product's accent. A missing accent for dark surfaces is derived from the light one.
 */
export function brandColours(brand: Brand) {
  if (brand.accent === undefined) return undefined;
  const accentDark = brand.accentDark ?? lighten(brand.accent, surfacesOf(brand).dark);
  return {
    accent: brand.accent,
    onAccent: textOn(brand.accent),
    accentDark,
    onAccentDark: textOn(accentDark),
  };
}

/** Faults of a brand, in words for its author. */
export function brandFaults(brand: Brand): readonly string[] {
  const faults: string[] = [...backgroundFaults(brand)];
  for (const name of ['accent', 'accentDark'] as const) {
    const value = brand[name];
    if (value === undefined) continue;
    if (!colourPattern.test(value)) {
      faults.push(`${name} must be a colour written as #rrggbb`);
      continue;
    }
    const surfaces = name === 'accent' ? surfacesOf(brand).light : surfacesOf(brand).dark;
    const lowest = Math.min(...surfaces.map((surface) => contrast(value, surface)));
    if (lowest < 4.5) {
      const kind = name === 'accent' ? 'light' : 'dark';
      faults.push(`${name} has a contrast of ${lowest.toFixed(1)} on ${kind} surfaces; it needs 4.5`);
    }
    if (contrast(value, textOn(value)) < 4.5) faults.push(`${name} leaves no readable text on top of it`);
  }
  if (brand.accentDark !== undefined && brand.accent === undefined) faults.push('accentDark needs an accent');
  if (brand.radius !== undefined && !(brand.radius >= 0 && brand.radius <= 32)) {
    faults.push('radius must be a number of pixels from 0 to 32');
  }
  if (brand.font !== undefined && !isFontStack(brand.font)) {
    faults.push('font must be a list of font names, such as "Inter", Arial, sans-serif');
  }
  if (brand.logoUrl !== undefined && !isHttps(brand.logoUrl)) faults.push('logoUrl must be an https address');
  if (brand.stylesheetUrl !== undefined && !isHttps(brand.stylesheetUrl)) {
    faults.push('stylesheetUrl must be an https address');
  }
  for (const { family, weight } of brand.fonts ?? []) {
    if (!/^[\p{L}\p{N}][\p{L}\p{N} _-]{0,99}$/u.test(family))
      faults.push('fonts: family must be a name of letters, digits and blanks');
    if (weight !== undefined && !/^\d{1,4}( \d{1,4})?$/.test(weight))
      faults.push('fonts: weight must be a number, or two of a variable font');
  }
  if (brand.showName === false && brand.logoUrl === undefined)
    faults.push('showName may be false only beside a logoUrl');
  for (const { href } of [...(brand.headerLinks ?? []), ...(brand.footerLinks ?? [])]) {
    if (!isLink(href))
      faults.push('headerLinks and footerLinks must lead to https addresses, or to mailto: or tel:');
  }
  return faults;
}

/** Text colours on the page background, which must stay readable. Keep equal to `public/app.css`. */
const onPage = { background: ['#14171f', '#5a6270'], backgroundDark: ['#eef1f6', '#a5afbf'] } as const;

function backgroundFaults(brand: Brand): readonly string[] {
  return (['background', 'backgroundDark'] as const).flatMap((name) => {
    const value = brand[name];
    if (value === undefined) return [];
    if (!colourPattern.test(value)) return [`${name} must be a colour written as #rrggbb`];
    const lowest = Math.min(...onPage[name].map((text) => contrast(text, value)));
    return lowest < 4.5 ? [`${name} leaves text a contrast of ${lowest.toFixed(1)}; it needs 4.5`] : [];
  });
}

/** Surfaces under the accent. An invalid background is skipped: `backgroundFaults` reports it. */
function surfacesOf({ background, backgroundDark }: Brand) {
  const also = (colour: string | undefined) =>
    colour !== undefined && colourPattern.test(colour) ? [colour] : [];
  return { light: [...lightSurfaces, ...also(background)], dark: [...darkSurfaces, ...also(backgroundDark)] };
}

/** A foreground and a background colour. WCAG 2 asks for a contrast of 4.5 if the foreground is text. */
export type ColourPair = ReturnType<typeof colourPairs>[number];

/** The product's own accent. Keep equal to `public/app.css`. */
const ownAccent = { accent: '#1f5eff', accentDark: '#8fb0ff' };

/** Each pair of colours that the brand determines, with its measured contrast. */
export function colourPairs(brand: Brand) {
  const given = brand.accent === undefined ? { ...brand, ...ownAccent } : brand;
  const colours = brandColours(given);
  if (colours === undefined) return [];
  const { accent: light, onAccent: onLight, accentDark: dark, onAccentDark: onDark } = colours;
  const schemes = [
    ['light', light, onLight, brand.background, lightSurfaces, onPage.background],
    ['dark', dark, onDark, brand.backgroundDark, darkSurfaces, onPage.backgroundDark],
  ] as const;
  return schemes.flatMap(([scheme, accent, onAccent, background, [card, usual], [text, soft]]) => {
    const page = background ?? usual;
    const read = [
      ['Accent on a card', accent, card],
      ['Accent on the page', accent, page],
      ['Text on the accent', onAccent, accent],
      ['Text on the page', text, page],
      ['Soft text on the page', soft, page],
    ] as const;
    return read.map(([what, front, back]) => ({
      scheme,
      what,
      front,
      back,
      contrast: contrast(front, back),
    }));
  });
}

/**
 * Whether the text is a list of font names, quoted or not, between commas. Nothing else passes, so the text
 * cannot end the CSS declaration around it.
 */
export function isFontStack(font: string): boolean {
  const name = /^(?:[\p{L}\p{N}][\p{L}\p{N} _-]*|"[\p{L}\p{N} _-]+"|'[\p{L}\p{N} _-]+'|-apple-system)$/u;
  return font.length <= 300 && font.split(',').every((part) => name.test(part.trim()));
}

/** Whether the text is an https address that cannot end the HTTP header around it. */
function isHttps(address: string): boolean {
  return /^https:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:\/[^\s"'<>;,\\]*)?$/i.test(address);
}

function textOn(background: string): string {
  return contrast(background, white) >= 4.5 || contrast(background, white) >= contrast(background, ink)
    ? white
    : ink;
}

/** The same hue, made lighter until it reads well on every dark surface. */
function lighten(accent: string, surfaces: readonly string[]): string {
  for (let part = 0; part < 20; part += 1) {
    const lightened = lighter(accent, part / 20);
    if (surfaces.every((surface) => contrast(lightened, surface) >= 6)) return lightened;
  }
  return white;
}
