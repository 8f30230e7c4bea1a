import { join } from 'node:path';
import { type Brand, unbranded } from '../core/model/brand.ts';

const marks = join(import.meta.dirname, '../sandbox/demo/marks');

function brand(name: string, look: Partial<Brand>): Brand {
  return { ...unbranded, name, ...look };
}

/** By the ids of the sandbox's centers: three companies that look nothing alike. */
export const sandboxBrands: ReadonlyMap<string, Brand> = new Map([
  [
    'b00c5000-0000-4000-8000-000000000001',
    brand('Harbour Books', {
      accent: '#0b5563',
      radius: 18,
      font: '"Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif',
      background: '#faf6ec',
      backgroundDark: '#101817',
      iconFile: join(marks, 'harbour-books.svg'),
    }),
  ],
  [
    'ba4c0000-0000-4000-8000-000000000001',
    brand('Alster Bank', {
      accent: '#12284c',
      accentDark: '#9db8ea',
      radius: 2,
      font: '"Helvetica Neue", Helvetica, Arial, sans-serif',
      background: '#f3f4f6',
      iconFile: join(marks, 'alster-bank.svg'),
    }),
  ],
  [
    '0ca11000-0000-4000-8000-000000000001',
    brand('Lindgren University', {
      accent: '#5b2a86',
      radius: 10,
      font: 'Optima, Candara, "Noto Sans", "Segoe UI", sans-serif',
      background: '#f8f5fb',
      iconFile: join(marks, 'lindgren-university.svg'),
    }),
  ],
]);
