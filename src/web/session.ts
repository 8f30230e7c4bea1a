import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import session, { type SessionData } from 'express-session';
import { Problem } from '../core/model/problem.ts';
import type { Member } from '../core/model/staff-member.ts';
import type { Visit } from '../core/model/visit.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { afterBody } from './after-body.ts';
import { readCookie } from './cookie.ts';
import { ExpressSessionStore } from './express-session-store.ts';
import type { SignInNotes } from './sign-in-notes.ts';

/** A session holds who is here, in which center, and nothing else: nothing about consent. */
declare module 'express-session' {
  interface SessionData {
    /** At most one for each center, so that several centers in one browser never mix. */
    visits: readonly Visit[];
    /** In the staff's own cookie and store only. */
    member: Member;
  }
}

export interface SessionOptions {
  readonly store: SessionStore;
  /** The first signs, all are accepted. */
  readonly secrets: readonly string[];
  readonly https: boolean;
  /** Without a request after which a session ends; the store enforces it as the cookie's maxAge. */
  readonly idleMs: number;
  /** After signing in at which a visit ends, whatever happens. */
  readonly absoluteMs: number;
  readonly clock: { now(): number };
}

export interface Sessions {
  /** Reads the session of a request that has one; makes none. A store that fails is `store-unavailable`. */
  readonly middleware: RequestHandler;
  /**
   * Under a new session id, beside the visits to other centers. Resolves once it is stored. `visit.since` is from
   * before what lets this person in was looked at: a sign-out on all devices after it ends the visit.
   */
  signIn(request: Request, visit: Visit): Promise<void>;
  /** Ends the whole session, in every center, and forgets the cookie. */
  signOut(request: Request): Promise<void>;
  /** This request does not count as a sign of life, and has no session any more. */
  leaveUntouched(request: Request): void;
  visitOf(request: Request, center: string): Visit | undefined;
  /** Seconds until this visit ends if nothing happens; undefined without one. */
  secondsLeft(request: Request, center: string): number | undefined;
}

/** Staff: another cookie, another store, and never sent along from another site. */
export interface StaffSessions {
  readonly middleware: RequestHandler;
  /** Under a new session id. Resolves once it is stored. */
  signIn(request: Request, member: Member): Promise<void>;
  signOut(request: Request): Promise<void>;
  memberOf(request: Request): Member | undefined;
  /** The browser sent a session's cookie that is signed here, even if the session is over by now. */
  wasThere(request: Request): boolean;
  /** Seconds until the session ends if nothing happens; undefined without one. */
  secondsLeft(request: Request): number | undefined;
}

export function createSessions(
  options: SessionOptions & { readonly notes?: Pick<SignInNotes, 'signedIn'> },
): Sessions {
  const { idleMs, absoluteMs, clock } = options;
  const cookie = openCookie(options, { name: 'sayso', sameSite: 'lax' });

  function visitOf(request: Request, center: string): Visit | undefined {
    const visit = request.session?.visits?.find((candidate) => candidate.center === center);
    return visit !== undefined && clock.now() - visit.since < absoluteMs ? visit : undefined;
  }

  return {
    middleware: cookie.middleware,
    async signIn(request, visit) {
      // What lets this person in may have taken long to look at: who has signed out meanwhile stays signed out.
      await cookie.readAgain(request);
      const others = (request.session?.visits ?? []).filter((other) => other.center !== visit.center);
      await renew(request);
      request.session.visits = [...others, visit];
      await settled((done) => request.session.save(done));
      options.notes?.signedIn(request, visit);
    },
    signOut: cookie.forget,
    leaveUntouched(request) {
      Reflect.deleteProperty(request, 'session');
    },
    visitOf,
    secondsLeft(request, center) {
      const visit = visitOf(request, center);
      if (visit === undefined) return undefined;
      return Math.floor(Math.min(idleMs, visit.since + absoluteMs - clock.now()) / 1000);
    },
  };
}

export function createStaffSessions(options: SessionOptions): StaffSessions {
  const { idleMs, absoluteMs, clock } = options;
  const cookie = openCookie(options, { name: 'sayso-staff', sameSite: 'strict' });

  function memberOf(request: Request): Member | undefined {
    const member = request.session?.member;
    return member !== undefined && clock.now() - member.since < absoluteMs ? member : undefined;
  }

  return {
    middleware: cookie.middleware,
    async signIn(request, member) {
      await renew(request);
      request.session.member = member;
      await settled((done) => request.session.save(done));
    },
    signOut: cookie.forget,
    memberOf,
    wasThere: cookie.isSent,
    secondsLeft(request) {
      const member = memberOf(request);
      if (member === undefined) return undefined;
      return Math.floor(Math.min(idleMs, member.since + absoluteMs - clock.now()) / 1000);
    },
  };
}

function openCookie(
  { store: kept, secrets, https, idleMs, clock }: SessionOptions,
  given: { name: string; sameSite: 'lax' | 'strict' },
) {
  const store = new ExpressSessionStore(kept, { clock, idleMs });
  const name = https ? `__Host-${given.name}` : given.name;
  const cookie = { path: '/', httpOnly: true, sameSite: given.sameSite, secure: https } as const;
  const read = session({
    store,
    name,
    secret: [...secrets],
    cookie: { ...cookie, maxAge: idleMs },
    rolling: true,
    resave: false,
    saveUninitialized: false,
  });

  const middleware: RequestHandler = (request, response, next) => {
    // The public address says https; which hop ended TLS is not for the cookie to find out.
    if (https) Object.defineProperty(request, 'secure', { value: true });
    let passed = false;
    read(request, response, (fault?: unknown) => {
      // Called again when a touch or save fails under an answer that is already on its way. Signing in and out wait
      // for the store themselves, and the next request will meet a store that is gone.
      if (passed) return;
      passed = true;
      afterBody(request, middleware, () => readAgain(request));
      next(fault === undefined ? undefined : unavailable(fault));
    });
  };

  /** Of a session in which somebody is signed in: what it holds now. Ended meanwhile, it is forgotten. */
  async function readAgain(request: Request): Promise<void> {
    if (request.session === undefined || !holdsSomebody(request)) return;
    const now = await kept.find(request.sessionID);
    if (now === undefined) Reflect.deleteProperty(request, 'session');
    else store.createSession(request, now as unknown as SessionData);
  }

  return {
    middleware,
    readAgain,
    isSent: (request: Request): boolean => isSigned(readCookie(request, name) ?? '', secrets),
    async forget(request: Request): Promise<void> {
      request.res?.clearCookie(name, cookie);
      if (request.session === undefined) return;
      await settled((done) => request.session.destroy(done));
    },
  };
}

/** As express-session writes it: `s:`, the id, a dot and the signature, escaped. */
function isSigned(cookie: string, secrets: readonly string[]): boolean {
  const [, id = ''] = /^s%3A([\w-]+)\./.exec(cookie) ?? [];
  const given = Buffer.from(cookie);
  return secrets.some((secret) => {
    const signature = createHmac('sha256', secret).update(id).digest('base64').replace('=', '');
    const made = Buffer.from(encodeURIComponent(`s:${id}.${signature}`));
    return made.length === given.length && timingSafeEqual(made, given);
  });
}

/**
 * Another id, which had no session before. A session that holds nothing was never stored and its id was made
 * for this very request: to end it would only leave a tombstone for every link that is opened.
 */
async function renew(request: Request): Promise<void> {
  if (request.session === undefined) request.sessionStore.generate(request);
  else if (holdsSomebody(request)) await settled((done) => request.session.regenerate(done));
}

function holdsSomebody({ session }: Request): boolean {
  return session.visits !== undefined || session.member !== undefined;
}

function settled(start: (done: (fault?: unknown) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((fault) => (fault === undefined || fault === null ? resolve() : reject(unavailable(fault))));
  });
}

function unavailable(cause: unknown): Problem {
  return new Problem('store-unavailable', { cause });
}
