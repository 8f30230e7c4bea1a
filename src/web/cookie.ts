import type { Request } from 'express';

/** A cookie that only our own pages get, and no script. Behind https it cannot be set by another host. */
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
