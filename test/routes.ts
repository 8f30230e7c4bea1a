/**
 * The promises of every route. `features/routes.test.ts` finds the routes of the real product and tests each
 * against its line here; `features/identity/withdraw-scope.test.ts` tests `person` and `manager`.
 */
export interface RouteRule {
  readonly method: 'GET' | 'POST';
  /** The path as it is registered, behind the path of its router. */
  readonly path: string;
  /** `nothing`: the request may be repeated, made by a scanner, or made ahead of time. */
  readonly changes: 'nothing' | 'state';
  /**
   * The callers that are let in. `token`: a caller with the sealed or signed token in the address. `person`:
   * a visitor with a session in that center, or below /embed with the visit in the address. `manager`: a
   * person whose link lets them manage; a link that only lets withdraw may have been forwarded. `staff`: a
   * signed-in member whose role allows it. `operator`: a caller with the token of the settings. `key`: a
   * program with a key of the center.
   */
  readonly who: 'anyone' | 'token' | 'person' | 'manager' | 'staff' | 'operator' | 'key';
  /** `static`: the answer may be cached; `never`: every other answer. */
  readonly cache: 'never' | 'static';
  /** The origins that may frame it: none (`nobody`), or those `listed` for the center. */
  readonly framing: 'nobody' | 'listed';
  /**
   * A post from another site is `refused`, or taken (`open`) where the callers are no browsers. `reads`: the
   * request changes nothing, so that its site does not matter.
   */
  readonly crossSite: 'refused' | 'open' | 'reads';
}

/** The promises of a POST route, with the limit of its body. */
export interface PostRule extends RouteRule {
  readonly method: 'POST';
  /**
   * The caller's right is checked before a byte of the body is read, and a body of more than `most` bytes is
   * refused by its head alone. `unread`: the body does not matter, and none of it is kept, whatever its
   * encoding.
   */
  readonly body: { readonly most: number } | 'unread';
}

export type Rule = (RouteRule & { readonly method: 'GET' }) | PostRule;

const read = { method: 'GET', changes: 'nothing', cache: 'never', crossSite: 'reads' } as const;
const post = { method: 'POST', changes: 'state', cache: 'never', crossSite: 'refused' } as const;
/** The form of a button: a few sealed tokens and words. */
const button = { body: { most: 16 * 1_024 } } as const;
/** A form with fields of a page, or with a submission that is held while its visitor signs in. */
const form = { body: { most: 512 * 1_024 } } as const;
/** The form of a center's preferences, which is larger for a larger schema. */
const preferences = { body: { most: 4 * 1_024 * 1_024 } } as const;
const unread = { body: 'unread' } as const;
const unframed = { framing: 'nobody' } as const;

/** The pages of a center, in the router at the top or in the framed one. */
function pagesOfCenter(mount: '/centers' | '/embed'): readonly Rule[] {
  const person = { who: 'person', framing: mount === '/embed' ? 'listed' : 'nobody' } as const;
  const manager = { ...person, who: 'manager' } as const;
  return [
    { ...read, ...person, path: `${mount}/:center{/:page}` },
    { ...post, ...preferences, ...person, path: `${mount}/:center{/:page}` },
    { ...read, ...person, path: `${mount}/:center/confirmed` },
    { ...read, ...person, path: `${mount}/:center/unsubscribe` },
    { ...post, ...form, ...person, path: `${mount}/:center/unsubscribe` },
    { ...read, ...person, path: `${mount}/:center/results/:reference` },
    { ...post, ...button, ...person, path: `${mount}/:center/results/:reference/undo` },
    { ...read, ...manager, path: `${mount}/:center/record` },
    { ...read, ...manager, path: `${mount}/:center/record/certificate` },
    { ...read, ...manager, path: `${mount}/:center/record.json` },
    { ...post, ...button, ...person, path: `${mount}/:center/objection` },
    { ...post, ...button, ...person, path: `${mount}/:center/sign-out` },
    // After signing out there is no session, so that anyone may see it; in a frame no visitor signs out.
    {
      ...read,
      ...person,
      who: mount === '/embed' ? 'person' : 'anyone',
      path: `${mount}/:center/signed-out`,
    },
  ];
}

const signIn = { ...unframed, who: 'anyone' } as const;
const member = { ...unframed, who: 'staff' } as const;

export const routes: readonly Rule[] = [
  { ...read, ...unframed, who: 'anyone', path: '/' },
  { ...read, ...unframed, who: 'anyone', path: '/health/live' },
  { ...read, ...unframed, who: 'anyone', path: '/health/ready' },
  { ...read, ...unframed, who: 'operator', path: '/metrics' },
  {
    ...post,
    ...button,
    ...unframed,
    who: 'anyone',
    path: '/reports/csp',
    changes: 'nothing',
    crossSite: 'open',
  },
  { ...read, ...unframed, who: 'anyone', path: '/sandbox/mailbox' },
  { ...read, ...unframed, who: 'anyone', path: '/sandbox/mailbox/:id' },
  { ...read, ...unframed, who: 'anyone', path: '/embed.js', cache: 'static' },
  { ...read, ...unframed, who: 'anyone', path: '/.well-known/jwks.json' },
  { ...read, ...unframed, who: 'anyone', path: '/.well-known/sayso/record.schema.json' },

  { ...read, ...unframed, who: 'anyone', path: '/.well-known/sayso/roots' },
  { ...read, ...unframed, who: 'anyone', path: '/verify' },
  {
    ...post,
    ...unframed,
    body: { most: 2 * 1_024 * 1_024 },
    who: 'token',
    path: '/verify',
    changes: 'nothing',
  },

  { ...read, ...unframed, who: 'token', path: '/u/:token' },
  { ...post, ...unread, ...unframed, who: 'token', path: '/u/:token', crossSite: 'open' },

  { ...read, ...unframed, who: 'key', path: '/api/events' },
  { ...post, ...unread, ...unframed, who: 'key', path: '/api/events/:id/stopped', crossSite: 'open' },
  {
    ...post,
    ...unframed,
    body: { most: 640 * 1_024 },
    who: 'key',
    path: '/api/may-send',
    changes: 'nothing',
    crossSite: 'open',
  },

  // Links of the platform's hosted pages lead here; a script of the page posts the part behind the #.
  { ...read, ...signIn, path: '/ui' },
  { ...post, ...button, ...signIn, path: '/ui' },

  // A link opens its session; a request without a session is led to the sign-in page.
  { ...read, ...unframed, who: 'token', path: '/centers/:center' },
  { ...read, ...signIn, path: '/centers/:center{/*rest}' },
  { ...read, ...signIn, path: '/centers/:center/sign-in' },
  { ...post, ...button, ...signIn, path: '/centers/:center/sign-in' },
  { ...read, ...signIn, path: '/centers/:center/sign-in/passcode' },
  { ...post, ...form, ...signIn, who: 'token', path: '/centers/:center/sign-in/passcode' },
  { ...post, ...form, ...signIn, who: 'token', path: '/centers/:center/sign-in/resend' },
  { ...read, ...signIn, who: 'token', path: '/centers/:center/sign-in/link' },
  { ...post, ...button, ...signIn, who: 'token', path: '/centers/:center/sign-in/link' },
  // The question before a visitor goes on as another person.
  { ...read, ...signIn, who: 'token', path: '/centers/:center/sign-in/switch' },
  { ...post, ...button, ...signIn, who: 'token', path: '/centers/:center/sign-in/switch' },
  { ...post, ...form, ...signIn, who: 'token', path: '/centers/:center/sign-in/fresh' },
  { ...post, ...button, ...signIn, path: '/centers/:center/sign-in/start' },
  { ...read, ...signIn, who: 'token', path: '/centers/:center/sign-in/callback' },
  { ...read, ...unframed, who: 'person', path: '/centers/:center/step-up' },
  { ...read, ...signIn, path: '/centers/:center/session-ending' },
  { ...read, ...unframed, who: 'manager', path: '/centers/:center/devices' },
  { ...post, ...button, ...unframed, who: 'manager', path: '/centers/:center/devices' },
  ...pagesOfCenter('/centers'),

  // A ticket opens a visit, once.
  { ...read, who: 'token', framing: 'listed', path: '/embed/:center' },
  ...pagesOfCenter('/embed'),

  // The sign-in page of the staff; with the one-time key in its address it signs in.
  { ...read, ...unframed, who: 'anyone', path: '/staff' },
  { ...post, ...form, ...unframed, who: 'staff', path: '/staff/sign-out' },
  { ...read, ...unframed, who: 'anyone', path: '/staff/signed-out' },
  // The way to the sign-in page of the staff's organization, and back.
  { ...read, ...unframed, who: 'anyone', path: '/staff/sign-in' },
  { ...read, ...unframed, who: 'token', path: '/staff/callback' },
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
  ].map((path) => ({ ...read, ...member, path: `/staff/${path}` }) as const),
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
  ].map((path) => ({ ...post, ...form, ...member, path: `/staff/${path}` }) as const),
];
