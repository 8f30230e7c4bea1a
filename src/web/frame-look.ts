import type { Request } from 'express';
import { isFontStack } from '../core/model/center/brand.ts';
import { type FrameLook, type FramePart, frameParts, frameSchemes } from '../pages/person/frame-look.ts';
import type { Query } from './href.ts';

/** A page reads the look once for each of its links, so it is kept for the request. */
const known = new WeakMap<Request, FrameLook>();

/**
 * The look of the frame that the host page wants, from the address: `?scheme=dark&hide=brand identity
 * record`. The look gives no right, so it is not sealed. Unknown values are ignored.
 */
export function readFrameLook(request: Request): FrameLook {
  return known.getOrInsertComputed(request, read);
}

function read({ query }: Request): FrameLook {
  const { scheme, ground, hide, accent, radius, font } = query;
  return {
    scheme: frameSchemes.find((each) => each === scheme),
    ground: ground === 'own' ? ground : undefined,
    hidden: typeof hide === 'string' ? readParts(hide) : undefined,
    accent: textIf(accent, (text) => /^[0-9a-f]{6}$/i.test(text)),
    radius: textIf(radius, (text) => /^\d{1,2}(?:\.\d{1,6})?$/.test(text) && Number(text) <= 32),
    font: textIf(font, isFontStack),
  };
}

function textIf(value: unknown, isValid: (text: string) => boolean): string | undefined {
  return typeof value === 'string' && isValid(value) ? value : undefined;
}

function readParts(hide: string): readonly FramePart[] {
  const words = new Set(hide.split(/[\s,]+/));
  return frameParts.filter((part) => words.has(part));
}

/** The same look as a query, for the links of the page. */
export function frameLookQuery({ hidden, ...look }: FrameLook): Query {
  const { scheme, ground, accent, radius, font } = look;
  return { scheme, hide: hidden?.join(' '), ground, accent, radius, font };
}
