/** How a center looks. Colours are `#rrggbb`; their contrast is checked when the configuration is read. */
export interface Brand {
  readonly name: string;
  readonly logoUrl: string | undefined;
  readonly accent: string | undefined;
  readonly accentDark: string | undefined;
  /** Pixels, 0 to 32. */
  readonly radius: number | undefined;
  readonly font: string | undefined;
  readonly scheme: 'auto' | 'light' | 'dark';
  readonly stylesheetUrl: string | undefined;
}

/** The brand's colours as they are used: text that stands on the accent, and the accent on dark surfaces. */
export interface BrandColours {
  readonly accent: string;
  readonly onAccent: string;
  readonly accentDark: string;
  readonly onAccentDark: string;
}

/** Where an accent is used as text, a border or a switch. The same as in `public/app.css`. */
const lightSurfaces = ['#ffffff', '#f6f7f9', '#fafbfd'];
const darkSurfaces = ['#171b23', '#0f1218', '#12161d'];
const white = '#ffffff';
const ink = '#0f1218';

const colour = /^#[0-9a-f]{6}$/i;

/** WCAG 2 contrast of two `#rrggbb` colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const a = luminance(one);
  const b = luminance(other);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** undefined when the brand keeps the product's accent. An accent for dark surfaces is derived when none is given. */
export function brandColours(brand: Brand): BrandColours | undefined {
  if (brand.accent === undefined) return undefined;
  const accentDark = brand.accentDark ?? lighten(brand.accent);
  return {
    accent: brand.accent,
    onAccent: textOn(brand.accent),
    accentDark,
    onAccentDark: textOn(accentDark),
  };
}

/** What is wrong with a brand, in words for whoever wrote it; empty when nothing is. */
export function brandFaults(brand: Brand): readonly string[] {
  const faults: string[] = [];
  for (const name of ['accent', 'accentDark'] as const) {
    const value = brand[name];
    if (value === undefined) continue;
    if (!colour.test(value)) {
      faults.push(`${name} must be a colour written as #rrggbb`);
      continue;
    }
    const surfaces = name === 'accent' ? lightSurfaces : darkSurfaces;
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
  return faults;
}

/** Names, quoted or not, between commas: nothing that could end the declaration it is written into. */
function isFontStack(font: string): boolean {
  const name = /^(?:[\p{L}\p{N}][\p{L}\p{N} _-]*|"[\p{L}\p{N} _-]+"|'[\p{L}\p{N} _-]+'|-apple-system)$/u;
  return font.length <= 300 && font.split(',').every((part) => name.test(part.trim()));
}

/** An https address without anything that could end the header it is written into. */
function isHttps(address: string): boolean {
  return /^https:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:\/[^\s"'<>;,\\]*)?$/i.test(address);
}

function textOn(background: string): string {
  return contrast(background, white) >= 4.5 || contrast(background, white) >= contrast(background, ink)
    ? white
    : ink;
}

/** The same hue, mixed with white until it reads well on every dark surface. */
function lighten(accent: string): string {
  for (let part = 0; part < 20; part += 1) {
    const mixed = mix(accent, part / 20);
    if (darkSurfaces.every((surface) => contrast(mixed, surface) >= 6)) return mixed;
  }
  return white;
}

function mix(from: string, share: number): string {
  const parts = channels(from).map((value) => Math.round(value + (255 - value) * share));
  return `#${parts.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(value: string): number {
  const [red = 0, green = 0, blue = 0] = channels(value).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(value: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(value.slice(at, at + 2), 16));
}
