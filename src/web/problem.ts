import type { Request } from 'express';
import type { Address, Addresses } from '../core/address.ts';
import { choosePageLanguage } from '../core/language.ts';
import { builtIn } from '../core/messages/catalogue.ts';
import type { ProblemPage } from '../core/pages.ts';
import type { ProblemCode } from '../core/problem.ts';
import { buildProblemPage, type ProblemPageInput } from '../core/problem-page.ts';
import type { BrandOf } from './brand-view.ts';
import type { Fault } from './errors.ts';
import { readWishes } from './wishes.ts';

/** After these the same address may work: a reload is the way on. */
const mayPass = new Set<ProblemCode>([
  'platform-unreachable',
  'platform-slow',
  'platform-busy',
  'platform-unreadable',
  'store-unavailable',
  'overloaded',
  'draining',
  'unexpected',
  'too-many-requests',
]);

/** After these the form is of no use any more: the way on is a fresh page. */
const needsFreshPage = new Set<ProblemCode>([
  'bad-request',
  'form-refused',
  'nonce-reused',
  'too-large',
  'not-allowed',
]);

/** After these somebody must show who they are. */
const needsDoor = new Set<ProblemCode>(['not-signed-in', 'link-invalid', 'link-expired']);

/** The page about a problem, made without asking anyone: neither platform nor store may be needed for it. */
export function createProblemPage({ addresses, brandOf }: { addresses: Addresses; brandOf: BrandOf }) {
  return ({ code, reference, retryAfter, request }: Fault): ProblemPage => {
    const [, room, name = ''] = request.path.split('/');
    const isFramed = room === 'embed';
    const address = isFramed || room === 'centers' ? addresses.find(name) : undefined;
    const language = choosePageLanguage({
      wishes: { ...readWishes(request), subject: undefined },
      center: builtIn,
    });
    return buildProblemPage({
      code,
      reference,
      retryAfter,
      center: undefined,
      language,
      onward: wayOn(
        code,
        request,
        address === undefined
          ? undefined
          : `/${room}/${encodeURIComponent(address.name)}${isFramed ? visitIn(request) : ''}`,
        isFramed ? undefined : doorOf(address),
      ),
      surroundings: {
        brand: brandOf(address, undefined),
        subject: undefined,
        pageHref: () => '/',
        languageHref: () => '/',
        signOut: undefined,
        recordHref: undefined,
        frame: isFramed ? 'embedded' : 'top',
        hosts: isFramed ? address?.embedOrigins : undefined,
        session: undefined,
      },
    });
  };
}

/** Where somebody may sign in, if anywhere. */
function doorOf(address: Address | undefined): string | undefined {
  if (address === undefined) return undefined;
  const { mail, singleSignOn } = address.signIn;
  return mail || singleSignOn !== undefined
    ? `/centers/${encodeURIComponent(address.name)}/sign-in`
    : undefined;
}

/** In a frame the address alone says who is there. */
function visitIn(request: Request): string {
  const visit = request.query['v'];
  return typeof visit === 'string' ? `?v=${encodeURIComponent(visit)}` : '';
}

function wayOn(
  code: ProblemCode,
  request: Request,
  choices: string | undefined,
  door: string | undefined,
): ProblemPageInput['onward'] {
  if (door !== undefined && needsDoor.has(code)) return { href: door, to: 'door' };
  if (mayPass.has(code) && (request.method === 'GET' || request.method === 'HEAD')) {
    return { href: request.originalUrl.replace(/[?&]t=[^&]*/, ''), to: 'again' };
  }
  if (choices !== undefined && (mayPass.has(code) || needsFreshPage.has(code)))
    return { href: choices, to: 'choices' };
  return undefined;
}
