import type { Request } from 'express';
import { type CenterConfig, type CenterRegistry, offersSignIn } from '../core/model/center-config.ts';
import type { ProblemCode } from '../core/model/problem.ts';
import { builtIn } from '../i18n/catalogue.ts';
import { choosePageLanguage } from '../i18n/language.ts';
import type { ProblemPage } from '../pages/every-page.ts';
import { buildProblemPage, type ProblemPageInput } from '../pages/person/problem.ts';
import type { BrandOf } from './brand-view.ts';
import type { Fault } from './errors.ts';
import { frameLookQuery, readFrameLook } from './frame-look.ts';
import { readRequestPreferences } from './request-preferences.ts';

/** After these the same address may work: a reload is the way on. */
const mayPass = new Set<ProblemCode>([
  'keys-unreachable',
  'platform-unreachable',
  'platform-slow',
  'platform-busy',
  'quota-used-up',
  'platform-unreadable',
  'store-unavailable',
  'overloaded',
  'draining',
  'unexpected',
  'too-many-requests',
  'platform-refused',
  'platform-denied',
  'wrong-subject',
]);

/** After these somebody must show who they are. */
const needsSignIn = new Set<ProblemCode>([
  'not-signed-in',
  'link-invalid',
  'link-expired',
  'identifier-refused',
]);

/** The page about a problem, made without asking anyone: neither platform nor store may be needed for it. */
export function createProblemPage({ registry, brandOf }: { registry: CenterRegistry; brandOf: BrandOf }) {
  return ({ code, reference, retryAfter, request }: Fault): ProblemPage => {
    const [, prefix, name = ''] = request.path.split('/');
    const isFramed = prefix === 'embed';
    const centerConfig = isFramed || prefix === 'centers' ? registry.find(name) : undefined;
    const language = choosePageLanguage({
      preferences: { ...readRequestPreferences(request), subject: undefined },
      center: builtIn,
    });
    return buildProblemPage({
      code,
      reference,
      retryAfter,
      center: undefined,
      language,
      onward: wayOn(code, request, {
        choices: centerConfig && choicesOf(centerConfig, request, isFramed),
        signIn: signInPathOf(centerConfig),
        home: isFramed && centerConfig !== undefined ? undefined : '/',
      }),
      site: isFramed ? undefined : centerConfig?.embedOrigins[0],
      pageContext: {
        brand: brandOf(centerConfig, undefined),
        subject: undefined,
        pageHref: () => '/',
        languageHref: () => '/',
        signOut: undefined,
        recordHref: undefined,
        frame: isFramed ? 'embedded' : 'top',
        hosts: isFramed ? centerConfig?.embedOrigins : undefined,
        look: isFramed ? readFrameLook(request) : undefined,
        session: undefined,
      },
    });
  };
}

/** Where somebody may sign in, if anywhere. */
function signInPathOf(centerConfig: CenterConfig | undefined): string | undefined {
  if (centerConfig === undefined || !offersSignIn(centerConfig)) return undefined;
  return `/centers/${encodeURIComponent(centerConfig.name)}/sign-in`;
}

/** In a frame the address alone names the visitor. Nothing leads from a page to itself. */
function choicesOf({ name }: CenterConfig, request: Request, isFramed: boolean): string | undefined {
  const path = `/${isFramed ? 'embed' : 'centers'}/${encodeURIComponent(name)}`;
  if (isRead(request) && request.path.toLowerCase() === path) return undefined;
  const visit = request.query['v'];
  if (!isFramed || typeof visit !== 'string') return path;
  const kept = Object.entries({ v: visit, ...frameLookQuery(readFrameLook(request)) });
  const said = kept.filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${path}?${new URLSearchParams(said)}`;
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
  // The address as it is, without its being written down: it may hold the token of a link.
  if (mayPass.has(code) && isRead(request)) return { href: '', to: 'again' };
  return choices === undefined ? start : { href: choices, to: 'choices' };
}
