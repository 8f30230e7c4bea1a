/**
 * What every route promises. `features/routes.test.ts` finds the routes of the real product and holds each to its
 * line; `features/identity/withdraw-scope.test.ts` tests `person` and `manager`.
 */
export interface RouteRule {
  readonly method: 'GET' | 'POST';
  /** As it is registered, behind the path of its router. */
  readonly path: string;
  /** `nothing`: may be repeated, followed by a scanner, fetched ahead. */
  readonly changes: 'nothing' | 'state';
  /**
   * `anyone`. `token`: whoever has the sealed or signed token in the address. `person`: who is in that center, by a
   * session, or below /embed by the visit in the address. `manager`: a person whose link lets them manage, for a link
   * that only lets withdraw may be forwarded. `staff`: a signed-in member whose role allows it.
   * `operator`: who has the token of the settings. `key`: a program that has a key of the center.
   */
  readonly who: 'anyone' | 'token' | 'person' | 'manager' | 'staff' | 'operator' | 'key';
  /** `static` may be kept; everything else is `never`. */
  readonly cache: 'never' | 'static';
  /** Who may frame it: `nobody`, or the `listed` origins of the center. */
  readonly framing: 'nobody' | 'listed';
  /**
   * Posts that did not come from our own page: `refused`; `open` where whoever calls is no browser; `reads` changes
   * nothing, so that it does not matter.
   */
  readonly crossSite: 'refused' | 'open' | 'reads';
}

/** What a route that is posted to says of its body. */
export interface PostRule extends RouteRule {
  readonly method: 'POST';
  /**
   * The right is known before a byte of the body is read, and more than `most` bytes are refused by the head alone.
   * `unread`: nothing in it matters, and none of it is kept, whatever its encoding.
   */
  readonly body: { readonly most: number } | 'unread';
}

export type Rule = (RouteRule & { readonly method: 'GET' }) | PostRule;

const looked = { method: 'GET', changes: 'nothing', cache: 'never', crossSite: 'reads' } as const;
const posted = { method: 'POST', changes: 'state', cache: 'never', crossSite: 'refused' } as const;
/** A few sealed tokens and words. */
const button = { body: { most: 16 * 1_024 } } as const;
/** What a page asks for, or what was held for a person meanwhile. */
const form = { body: { most: 512 * 1_024 } } as const;
/** The form of a page of a center, which may be larger where its schema is. */
const displayed = { body: { most: 4 * 1_024 * 1_024 } } as const;
const unread = { body: 'unread' } as const;
const alone = { framing: 'nobody' } as const;

/** A center's pages, whichever router they stand in: at the top, or framed. */
function pagesOfCenter(mount: '/centers' | '/embed'): readonly Rule[] {
  const person = { who: 'person', framing: mount === '/embed' ? 'listed' : 'nobody' } as const;
  const manager = { ...person, who: 'manager' } as const;
  return [
    { ...looked, ...person, path: `${mount}/:center{/:page}` },
    { ...posted, ...displayed, ...person, path: `${mount}/:center{/:page}` },
    { ...looked, ...person, path: `${mount}/:center/confirmed` },
    { ...looked, ...person, path: `${mount}/:center/unsubscribe` },
    { ...posted, ...form, ...person, path: `${mount}/:center/unsubscribe` },
    { ...looked, ...person, path: `${mount}/:center/results/:reference` },
    { ...posted, ...button, ...person, path: `${mount}/:center/results/:reference/undo` },
    { ...looked, ...manager, path: `${mount}/:center/record` },
    { ...looked, ...manager, path: `${mount}/:center/record/certificate` },
    { ...looked, ...manager, path: `${mount}/:center/record.json` },
    { ...posted, ...button, ...person, path: `${mount}/:center/objection` },
    { ...posted, ...button, ...person, path: `${mount}/:center/sign-out` },
    // After signing out there is nobody any more; in a frame nobody signs out.
    {
      ...looked,
      ...person,
      who: mount === '/embed' ? 'person' : 'anyone',
      path: `${mount}/:center/signed-out`,
    },
  ];
}

const signIn = { ...alone, who: 'anyone' } as const;
const member = { ...alone, who: 'staff' } as const;

export const routes: readonly Rule[] = [
  { ...looked, ...alone, who: 'anyone', path: '/' },
  { ...looked, ...alone, who: 'anyone', path: '/health/live' },
  { ...looked, ...alone, who: 'anyone', path: '/health/ready' },
  { ...looked, ...alone, who: 'operator', path: '/metrics' },
  {
    ...posted,
    ...button,
    ...alone,
    who: 'anyone',
    path: '/reports/csp',
    changes: 'nothing',
    crossSite: 'open',
  },
  { ...looked, ...alone, who: 'anyone', path: '/sandbox/mailbox' },
  { ...looked, ...alone, who: 'anyone', path: '/sandbox/mailbox/:id' },
  { ...looked, ...alone, who: 'anyone', path: '/embed.js', cache: 'static' },
  { ...looked, ...alone, who: 'anyone', path: '/.well-known/jwks.json' },
  { ...looked, ...alone, who: 'anyone', path: '/.well-known/sayso/record.schema.json' },

  { ...looked, ...alone, who: 'anyone', path: '/.well-known/sayso/roots' },
  { ...looked, ...alone, who: 'anyone', path: '/verify' },
  {
    ...posted,
    ...alone,
    body: { most: 2 * 1_024 * 1_024 },
    who: 'token',
    path: '/verify',
    changes: 'nothing',
  },

  { ...looked, ...alone, who: 'token', path: '/u/:token' },
  { ...posted, ...unread, ...alone, who: 'token', path: '/u/:token', crossSite: 'open' },

  { ...looked, ...alone, who: 'key', path: '/api/events' },
  { ...posted, ...unread, ...alone, who: 'key', path: '/api/events/:id/stopped', crossSite: 'open' },
  {
    ...posted,
    ...alone,
    body: { most: 640 * 1_024 },
    who: 'key',
    path: '/api/may-send',
    changes: 'nothing',
    crossSite: 'open',
  },

  // Links of the platform's hosted pages: the page whose script posts what stands behind the #.
  { ...looked, ...signIn, path: '/ui' },
  { ...posted, ...button, ...signIn, path: '/ui' },

  // Opens the session that its link is for; led to the sign-in page without one.
  { ...looked, ...alone, who: 'token', path: '/centers/:center' },
  { ...looked, ...signIn, path: '/centers/:center{/*rest}' },
  { ...looked, ...signIn, path: '/centers/:center/sign-in' },
  { ...posted, ...button, ...signIn, path: '/centers/:center/sign-in' },
  { ...looked, ...signIn, path: '/centers/:center/sign-in/passcode' },
  { ...posted, ...form, ...signIn, who: 'token', path: '/centers/:center/sign-in/passcode' },
  { ...posted, ...form, ...signIn, who: 'token', path: '/centers/:center/sign-in/resend' },
  { ...looked, ...signIn, who: 'token', path: '/centers/:center/sign-in/link' },
  { ...posted, ...button, ...signIn, who: 'token', path: '/centers/:center/sign-in/link' },
  // The question before going on as somebody else.
  { ...looked, ...signIn, who: 'token', path: '/centers/:center/sign-in/switch' },
  { ...posted, ...button, ...signIn, who: 'token', path: '/centers/:center/sign-in/switch' },
  { ...posted, ...form, ...signIn, who: 'token', path: '/centers/:center/sign-in/fresh' },
  { ...posted, ...button, ...signIn, path: '/centers/:center/sign-in/start' },
  { ...looked, ...signIn, who: 'token', path: '/centers/:center/sign-in/callback' },
  { ...looked, ...alone, who: 'person', path: '/centers/:center/step-up' },
  { ...looked, ...signIn, path: '/centers/:center/session-ending' },
  { ...looked, ...alone, who: 'manager', path: '/centers/:center/devices' },
  { ...posted, ...button, ...alone, who: 'manager', path: '/centers/:center/devices' },
  ...pagesOfCenter('/centers'),

  // A ticket opens a visit, once.
  { ...looked, who: 'token', framing: 'listed', path: '/embed/:center' },
  ...pagesOfCenter('/embed'),

  // The sign-in page of the staff, and with the one-time key the way in.
  { ...looked, ...alone, who: 'anyone', path: '/staff' },
  { ...posted, ...form, ...alone, who: 'staff', path: '/staff/sign-out' },
  { ...looked, ...alone, who: 'anyone', path: '/staff/signed-out' },
  // To the sign-in of the staff's organization, and back from it.
  { ...looked, ...alone, who: 'anyone', path: '/staff/sign-in' },
  { ...looked, ...alone, who: 'token', path: '/staff/callback' },
  ...[
    'notices',
    'notices/:id',
    'tasks',
    'tasks/new',
    'tasks/:id',
    'tasks/:id/edit',
    'tasks/:id/close',
    'tasks/:id/reopen',
    'centers',
    'centers/:id',
    'centers/:id/findings.csv',
    'centers/:id/preview',
    'centers/:id/preview/page',
    'studio',
    'studio/page',
    'studio/theme.css',
    'submissions',
    'submissions.csv',
    'submissions/:reference',
    'reasons',
    'wordings',
    'wordings.csv',
    'wordings.jsonl',
    'receivers',
    'hosted-links',
    'reasons.csv',
    'people',
    'audit',
    'audit.csv',
  ].map((path) => ({ ...looked, ...member, path: `/staff/${path}` }) as const),
  ...[
    'tasks/new',
    'tasks/:id/edit',
    'tasks/:id/close',
    'tasks/:id/reopen',
    'submissions/:reference/retry',
    'receivers',
    'people',
    'people/choose',
    'people/withdraw',
    'people/link',
    'people/export',
    'people/erase',
  ].map((path) => ({ ...posted, ...form, ...member, path: `/staff/${path}` }) as const),
];
