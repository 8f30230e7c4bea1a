import { type CenterConfig, offersSignIn } from '../core/model/center/center-config.ts';

/** Parameters of an address. A parameter is left out if undefined, and its name stands alone if ''. */
export type Query = Readonly<Record<string, string | undefined>>;

export function withQuery(href: string, query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return value === '' ? name : `${name}=${encodeURIComponent(value)}`;
  });
  if (pairs.length === 0) return href;
  return `${href}${href.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/** `path` is '' or begins with a slash. */
export function centerHref({ name }: Pick<CenterConfig, 'name'>, path = ''): string {
  return `/centers/${encodeURIComponent(name)}${path}`;
}

/** The address of the sign-in page; undefined if the center offers no sign-in. */
export function signInHref(centerConfig: CenterConfig | undefined): string | undefined {
  if (centerConfig === undefined || !offersSignIn(centerConfig)) return undefined;
  return centerHref(centerConfig, '/sign-in');
}

/** The address of a center's page, opened by a link. */
export function linkHref(centerConfig: CenterConfig, token: string): string {
  return withQuery(centerHref(centerConfig), { t: token });
}
