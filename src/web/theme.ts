import { type Brand, brandColours } from '../core/model/brand.ts';
import type { Assets } from './assets.ts';

/** Publishes a brand's custom properties as a stylesheet; undefined when the brand changes none. */
export function publishTheme(assets: Assets, brand: Brand | undefined): string | undefined {
  const sheet = brand === undefined ? undefined : themeSheet(brand);
  return sheet === undefined ? undefined : assets.publish('theme/brand.css', sheet);
}

/** `public/app.css` reads these properties. A brand that `brandFaults` finds nothing in cannot break out of it. */
function themeSheet(brand: Brand): string | undefined {
  const colours = brandColours(brand);
  const properties = {
    '--brand-accent': colours?.accent,
    '--brand-on-accent': colours?.onAccent,
    '--brand-accent-dark': colours?.accentDark,
    '--brand-on-accent-dark': colours?.onAccentDark,
    '--brand-radius': brand.radius === undefined ? undefined : `${brand.radius}px`,
    '--brand-font': brand.font,
  };
  const lines = Object.entries(properties).filter(([, value]) => value !== undefined);
  if (lines.length === 0) return undefined;
  return `:root{${lines.map(([name, value]) => `${name}:${value}`).join(';')}}\n`;
}
