import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { webOrigin } from '../core/model/web-address.ts';

const permissions = [
  'camera',
  'microphone',
  'geolocation',
  'payment',
  'usb',
  'browsing-topics',
  'interest-cohort',
];

/** Where browsers tell us what the policy stopped; see `reports.ts`. */
export const reportPath = '/reports/csp';

/**
 * Headers of every answer, errors included. Nothing may be framed, kept, or loaded from elsewhere, unless a route
 * says so with the functions below.
 */
export function securityHeaders({ https }: { https: boolean }): readonly RequestHandler[] {
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        scriptSrc: ["'self'"],
        imgSrc: ["'self'"],
        fontSrc: ["'self'"],
        // The pending result is read again by script.
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        reportUri: [reportPath],
        reportTo: ['csp'],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    // Paths hold tokens, and the requests for our own files are logged too: no host is sent one, not even ours. With
    // 'no-referrer' browsers would send `Origin: null` with our own forms; with 'strict-origin' only to plain http.
    referrerPolicy: { policy: 'strict-origin' },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
  const ours: RequestHandler = (_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Permissions-Policy', permissions.map((name) => `${name}=()`).join(', '));
    response.setHeader('Reporting-Endpoints', `csp="${reportPath}"`);
    next();
  };
  return [headers, ours];
}

/** Lets pages of these origins, and no others, show this answer in a frame. */
export function allowFraming(response: Response, origins: readonly string[]): void {
  if (origins.length === 0) return;
  widen(response, 'frame-ancestors', originsOf(origins));
  response.removeHeader('X-Frame-Options');
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  // A site that is isolated itself shows only frames that are, too. Pictures of elsewhere come without cookies.
  response.setHeader('Cross-Origin-Embedder-Policy', 'credentialless');
}

/** Lets this answer show pages of ours in a frame: those that `allowOwnFraming` was said of. */
export function allowOwnFrames(response: Response): void {
  response.setHeader(header, `${String(response.getHeader(header) ?? '')};frame-src 'self'`);
}

/** Lets our own pages, and no others, show this answer in a frame. */
export function allowOwnFraming(response: Response): void {
  widen(response, 'frame-ancestors', ["'self'"]);
  response.removeHeader('X-Frame-Options');
}

/**
 * A message that staff look at has its styles within, as mail programs want it: it may have them, in a frame of ours,
 * and nothing else. No script runs in it, and nothing can be sent from it.
 */
export function allowMailStyles(response: Response): void {
  response.setHeader(
    header,
    "default-src 'none';style-src 'unsafe-inline';img-src https:;form-action 'none';frame-ancestors 'self';base-uri 'none'",
  );
}

/** Lets this answer show images of these addresses. */
export function allowImages(response: Response, addresses: readonly (string | undefined)[]): void {
  widen(response, 'img-src', originsOf(addresses));
}

/** Lets this answer load stylesheets of these addresses. */
export function allowStyles(response: Response, addresses: readonly (string | undefined)[]): void {
  widen(response, 'style-src', originsOf(addresses));
}

/** Lets forms of this answer end up at these addresses too: a browser also looks where a post is redirected. */
export function allowFormTargets(response: Response, addresses: readonly string[]): void {
  widen(response, 'form-action', originsOf(addresses));
}

function originsOf(addresses: readonly (string | undefined)[]): readonly string[] {
  const origins = addresses.map((address) => (address === undefined ? undefined : webOrigin(address)));
  return [...new Set(origins.filter((origin) => origin !== undefined))];
}

const header = 'Content-Security-Policy';

function widen(response: Response, directive: string, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const policy = String(response.getHeader(header) ?? '').split(';');
  const widened = policy.map((part) => {
    const [name, ...sources] = part.trim().split(' ');
    if (name !== directive) return part;
    const kept = sources.filter((source) => source !== "'none'" && !origins.includes(source));
    return [name, ...kept, ...origins].join(' ');
  });
  response.setHeader(header, widened.join(';'));
}
