import { join } from 'node:path';
import { type Brand, unbranded } from '../core/model/center/brand.ts';

const demo = join(import.meta.dirname, '../sandbox/demo');

function brand(name: string, { letters, font, ...look }: Partial<Brand> & { letters: string }): Brand {
  const mark = name.toLowerCase().replace(' ', '-');
  const family = letters[0]?.toUpperCase() + letters.slice(1);
  const fontFile = join(demo, 'fonts', `${letters}.woff2`);
  return {
    ...unbranded,
    name,
    ...look,
    font: `${family}, ${font}`,
    fonts: [{ family, fontFile, weight: '400 700', style: undefined }],
    iconFile: join(demo, 'marks', `${mark}.svg`),
  };
}

/** Brands of three made-up companies, by the ids of their centers. */
export const sandboxBrands: ReadonlyMap<string, Brand> = new Map([
  [
    'b00c5000-0000-4000-8000-000000000001',
    brand('Harbour Books', {
      accent: '#0b5563',
      radius: 18,
      letters: 'literata',
      font: 'Georgia, serif',
      background: '#faf6ec',
      backgroundDark: '#101817',
    }),
  ],
  [
    'ba4c0000-0000-4000-8000-000000000001',
    brand('Alster Bank', {
      accent: '#12284c',
      accentDark: '#9db8ea',
      radius: 2,
      letters: 'archivo',
      font: 'Arial, sans-serif',
      background: '#f3f4f6',
    }),
  ],
  [
    '0ca11000-0000-4000-8000-000000000001',
    brand('Lindgren University', {
      accent: '#5b2a86',
      radius: 10,
      letters: 'figtree',
      font: 'system-ui, sans-serif',
      background: '#f8f5fb',
    }),
  ],
]);
