import type { Request } from 'express';
import type { Center } from '../core/model/center/center.ts';
import type { CenterConfig, CenterRegistry } from '../core/model/center/center-config.ts';
import { type ProblemCode, problems } from '../core/model/problem.ts';
import { buildProblemPage, type ProblemPage, type ProblemPageInput } from '../pages/person/problem.ts';
import type { BrandOf } from './brand-view.ts';
import type { Fault } from './errors.ts';
import { frameLookQuery, readFrameLook } from './frame-look.ts';
import { signInHref, withQuery } from './href.ts';
import { openPage } from './open-page.ts';

/** Problems after which the visitor must sign in. */
const needsSignIn = new Set<ProblemCode>([
  'not-signed-in',
  'link-invalid',
  'link-expired',
  'identifier-refused',
]);

/** Builds the page about a problem. It calls neither platform nor store, because they may be the problem. */
export function createProblemPage(parts: {
  readonly registry: CenterRegistry;
  readonly brandOf: BrandOf;
  /** A center as last read, by its id. */
  readonly keptCenter: (id: string) => Center | undefined;
}) {
  const { registry, brandOf, keptCenter } = parts;
  return ({ code, reference, retryAfter, request }: Fault): ProblemPage => {
    const [, prefix, name = ''] = request.path.split('/');
    const isFramed = prefix === 'embed';
    const centerConfig = isFramed || prefix === 'centers' ? registry.find(name) : undefined;
    return buildProblemPage({
      code,
      reference,
      retryAfter,
      center: centerConfig && keptCenter(centerConfig.center),
      onward: wayOn(code, request, {
        choices: centerConfig && choicesOf(centerConfig, request, isFramed),
        signIn: signInHref(centerConfig),
        home: isFramed && centerConfig !== undefined ? undefined : '/',
      }),
      site: isFramed ? undefined : centerConfig?.embedOrigins[0],
      ...openPage(brandOf, request, {
        centerConfig,
        center: undefined,
        pageHref: () => '/',
        languageHref: () => '/',
        frame: isFramed ? 'embedded' : 'top',
        hosts: isFramed ? centerConfig?.embedOrigins : undefined,
        look: isFramed ? readFrameLook(request) : undefined,
      }),
    });
  };
}

/**
 * The page that leads back to the choices. In a frame only the address identifies the visitor. A page does
 * not link to itself.
 */
function choicesOf({ name }: CenterConfig, request: Request, isFramed: boolean): string | undefined {
  const path = `/${isFramed ? 'embed' : 'centers'}/${encodeURIComponent(name)}`;
  if (isRead(request) && request.path.toLowerCase() === path) return undefined;
  const visit = request.query['v'];
  if (!isFramed || typeof visit !== 'string') return path;
  return withQuery(path, { v: visit, ...frameLookQuery(readFrameLook(request)) });
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function wayOn(
  code: ProblemCode,
  request: Request,
  { choices, signIn, home }: Readonly<Record<'choices' | 'signIn' | 'home', string | undefined>>,
): ProblemPageInput['onward'] {
  const start = home === undefined ? undefined : ({ href: home, to: 'home' } as const);
  if (needsSignIn.has(code)) return signIn === undefined ? start : { href: signIn, to: 'signIn' };
  const mayPass = problems[code].status >= 500 || code === 'too-many-requests';
  // The empty address reloads the page without printing the address, which may hold a link's token.
  if (mayPass && isRead(request)) return { href: '', to: 'again' };
  return choices === undefined ? start : { href: choices, to: 'choices' };
}
