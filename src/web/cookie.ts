import type { Request } from 'express';

/** The raw value of a cookie; undefined if there is none. */
export function readCookie(request: Request, name: string): string | undefined {
  const pairs = (request.get('cookie') ?? '').split(/;\s*/);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
