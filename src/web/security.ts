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

/** The address for reports of the content security policy; see `reports.ts`. */
export const reportPath = '/reports/csp';

/**
 * Headers of every answer, errors included. They forbid framing, caching and foreign content; the functions
 * below allow single exceptions.
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
        // The script of a pending result reads the page again.
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        reportUri: [reportPath],
        reportTo: ['csp'],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    // Paths hold tokens, and requests for assets are logged too, so no request carries a path as referrer.
    // `no-referrer` would make browsers send `Origin: null` with our forms; `strict-origin` sends null only
    // to plain http.
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

/** Allows pages of these origins, and no others, to frame this answer. */
export function allowFraming(response: Response, origins: readonly string[]): void {
  if (origins.length === 0) return;
  widen(response, 'frame-ancestors', originsOf(origins));
  response.removeHeader('X-Frame-Options');
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  // An isolated site shows only isolated frames. Foreign pictures are then loaded without cookies.
  response.setHeader('Cross-Origin-Embedder-Policy', 'credentialless');
}

/** Allows this answer to frame our own pages that called `allowOwnFraming`. */
export function allowOwnFrames(response: Response): void {
  response.setHeader(header, `${String(response.getHeader(header) ?? '')};frame-src 'self'`);
}

/** Allows our own pages, and no others, to frame this answer. */
export function allowOwnFraming(response: Response): void {
  widen(response, 'frame-ancestors', ["'self'"]);
  response.removeHeader('X-Frame-Options');
}

/**
 * Allows the inline styles of a mail in the preview of a staff page, and our own frame. No script runs and no
 * form can be sent.
 */
export function allowMailStyles(response: Response): void {
  response.setHeader(
    header,
    "default-src 'none';style-src 'unsafe-inline';img-src https:;form-action 'none';frame-ancestors 'self';base-uri 'none'",
  );
}

/**
 * Allows these addresses beside our own: images and stylesheets from there, or forms that end there, because
 * browsers also check where a POST is redirected.
 */
export function allow(
  response: Response,
  directive: 'img-src' | 'style-src' | 'form-action',
  addresses: readonly (string | undefined)[],
): void {
  widen(response, directive, originsOf(addresses));
}

function originsOf(addresses: readonly (string | undefined)[]): readonly string[] {
  return addresses.flatMap((address) => (address === undefined ? [] : (webOrigin(address) ?? [])));
}

const header = 'Content-Security-Policy';

function widen(response: Response, directive: string, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const policy = String(response.getHeader(header) ?? '').split(';');
  const widened = policy.map((part) => {
    const [name, ...sources] = part.trim().split(' ');
    if (name !== directive) return part;
    const kept = sources.filter((source) => source !== "'none'");
    return [name, ...new Set([...kept, ...origins])].join(' ');
  });
  response.setHeader(header, widened.join(';'));
}
