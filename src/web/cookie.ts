import type { Request } from 'express';

/**
 * The name and options of a cookie that only our own pages get, and no script. Behind https no other host can
 * set it.
 */
export function ownCookie(given: { name: string; https: boolean; sameSite: 'lax' | 'strict' }) {
  const { https, sameSite } = given;
  return {
    name: https ? `__Host-${given.name}` : given.name,
    cookie: { path: '/', httpOnly: true, sameSite, secure: https } as const,
  };
}

/** The raw value of a cookie; undefined if there is none. */
export function readCookie(request: Request, name: string): string | undefined {
  const pairs = (request.get('cookie') ?? '').split(/;\s*/);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
