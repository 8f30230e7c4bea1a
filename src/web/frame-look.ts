import type { Request } from 'express';
import { type FrameLook, type FramePart, frameParts, frameSchemes } from '../pages/person/frame-look.ts';

/** A page asks for each of its addresses: the words of a request are read once. */
const known = new WeakMap<Request, FrameLook>();

/**
 * How the site around a frame wants it, as its address says: `?scheme=dark&hide=brand identity record`. It is nobody's
 * right to anything, so it is not sealed; whatever is none of these words asks for nothing.
 */
export function readFrameLook(request: Request): FrameLook {
  const before = known.get(request);
  if (before !== undefined) return before;
  const { scheme, hide } = request.query;
  const look = {
    scheme: frameSchemes.find((each) => each === scheme),
    hidden: typeof hide === 'string' ? readParts(hide) : undefined,
  };
  known.set(request, look);
  return look;
}

function readParts(hide: string): readonly FramePart[] {
  const words = new Set(hide.split(/[\s,]+/));
  return frameParts.filter((part) => words.has(part));
}

/** For the addresses of a page: the next one looks the same. */
export function frameLookQuery({ scheme, hidden }: FrameLook): Record<'scheme' | 'hide', string | undefined> {
  return { scheme, hide: hidden?.join(' ') };
}
