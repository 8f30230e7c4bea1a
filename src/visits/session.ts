import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import session, { type SessionData } from 'express-session';
import type { Visit } from '../core/model/person/visit.ts';
import { Problem } from '../core/model/problem.ts';
import type { Member } from '../core/model/staff/staff-member.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { afterBody } from '../web/body.ts';
import { ownCookie, readCookie } from '../web/cookie.ts';
import { ExpressSessionStore } from './express-session-store.ts';
import type { SignInNotes } from './sign-in-notes.ts';

/** A session holds the signed-in person and center, and nothing about consent. */
declare module 'express-session' {
  interface SessionData {
    /** At most one visit for each center. */
    visits: readonly Visit[];
    /** The staff member, only in the staff's own cookie and store. */
    member: Member;
  }
}

export interface SessionOptions {
  readonly store: SessionStore;
  /** The first secret signs, all are accepted. */
  readonly secrets: readonly string[];
  readonly https: boolean;
  /** A session without requests ends after this time; the store enforces it as the cookie's maxAge. */
  readonly idleMs: number;
  /** A visit ends this long after sign-in. */
  readonly absoluteMs: number;
  readonly clock: { now(): number };
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(options: SessionOptions & { readonly notes?: Pick<SignInNotes, 'signedIn'> }) {
  const cookie = openCookie(options, { name: 'sayso', sameSite: 'lax' });

  function visitOf(request: Request, center: string): Visit | undefined {
    const visit = request.session?.visits?.find((candidate) => candidate.center === center);
    return cookie.isAlive(visit) ? visit : undefined;
  }

  return {
    middleware: cookie.middleware,
    /**
     * Adds the visit under a new session id and keeps visits to other centers. Resolves when it is stored.
     * `visit.since` is a time before the proof (link, code) was checked, so that a later sign-out on all
     * devices ends the visit.
     */
    async signIn(request: Request, visit: Visit): Promise<void> {
      // Checking the proof may have taken long: a visit that was signed out meanwhile must not come back.
      await cookie.readAgain(request);
      const others = (request.session?.visits ?? []).filter((other) => other.center !== visit.center);
      await cookie.signIn(request, { visits: [...others, visit] });
      options.notes?.signedIn(request, visit);
    },
    /** Ends the session in every center and clears the cookie. */
    signOut: cookie.forget,
    /** Removes the session from this request, so that the request does not renew it. */
    leaveUntouched(request: Request): void {
      Reflect.deleteProperty(request, 'session');
    },
    visitOf,
    /** Seconds until the visit ends without further requests; undefined without a visit. */
    secondsLeft: (request: Request, center: string) => cookie.secondsLeft(visitOf(request, center)),
  };
}

export type StaffSessions = ReturnType<typeof createStaffSessions>;

/** Staff sessions have their own cookie and store; the cookie is never sent from another site. */
export function createStaffSessions(options: SessionOptions) {
  const cookie = openCookie(options, { name: 'sayso-staff', sameSite: 'strict' });

  function memberOf(request: Request): Member | undefined {
    const member = request.session?.member;
    return cookie.isAlive(member) ? member : undefined;
  }

  return {
    middleware: cookie.middleware,
    signIn: (request: Request, member: Member) => cookie.signIn(request, { member }),
    signOut: cookie.forget,
    memberOf,
    /** True if the browser sent a session cookie signed by us, even if the session is over. */
    wasThere: cookie.isSent,
    secondsLeft: (request: Request) => cookie.secondsLeft(memberOf(request)),
  };
}

type SignedIn = Pick<Visit | Member, 'since'>;

function openCookie(
  { store: kept, secrets, https, idleMs, absoluteMs, clock }: SessionOptions,
  given: { name: string; sameSite: 'lax' | 'strict' },
) {
  const store = new ExpressSessionStore(kept, { clock, idleMs });
  const { name, cookie } = ownCookie({ ...given, https });
  const read = session({
    store,
    name,
    secret: [...secrets],
    cookie: { ...cookie, maxAge: idleMs },
    rolling: true,
    resave: false,
    saveUninitialized: false,
  });

  /**
   * Reads the session of a request if it has one, and creates none. A failing store throws
   * `store-unavailable`.
   */
  const middleware: RequestHandler = (request, response, next) => {
    // The public address is https; the cookie does not depend on which hop ended TLS.
    if (https) Object.defineProperty(request, 'secure', { value: true });
    let passed = false;
    read(request, response, (fault?: unknown) => {
      // express-session calls again if a touch or save fails after the answer has started. Ignore that:
      // sign-in and sign-out wait for the store themselves, and the next request reads it.
      if (passed) return;
      passed = true;
      afterBody(request, () => readAgain(request));
      next(fault === undefined ? undefined : unavailable(fault));
    });
  };

  /** Reads the session of a signed-in visitor again. If it has ended meanwhile, the request loses it. */
  async function readAgain(request: Request): Promise<void> {
    if (request.session === undefined || !isSignedIn(request)) return;
    const now = await kept.find(request.sessionID);
    if (now === undefined) Reflect.deleteProperty(request, 'session');
    else store.createSession(request, now as unknown as SessionData);
  }

  return {
    middleware,
    readAgain,
    /** Signs in under a new session id. Resolves when it is stored. */
    async signIn(request: Request, data: Partial<Pick<SessionData, 'visits' | 'member'>>): Promise<void> {
      await renew(request);
      Object.assign(request.session, data);
      await settled((done) => request.session.save(done));
    },
    isAlive: (signedIn: SignedIn | undefined): boolean =>
      signedIn !== undefined && clock.now() - signedIn.since < absoluteMs,
    /** Seconds until the session ends without further requests; undefined without one. */
    secondsLeft: (signedIn: SignedIn | undefined): number | undefined =>
      signedIn && Math.floor(Math.min(idleMs, signedIn.since + absoluteMs - clock.now()) / 1000),
    isSent: (request: Request): boolean => isSigned(readCookie(request, name) ?? '', secrets),
    async forget(request: Request): Promise<void> {
      request.res?.clearCookie(name, cookie);
      if (request.session === undefined) return;
      await settled((done) => request.session.destroy(done));
    },
  };
}

/** The format of express-session: `s:`, the id, a dot and the signature, escaped. */
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
 * Takes a new session id. An empty session was never stored, so ending it would only write a tombstone for
 * each opened link.
 */
async function renew(request: Request): Promise<void> {
  if (request.session === undefined) request.sessionStore.generate(request);
  else if (isSignedIn(request)) await settled((done) => request.session.regenerate(done));
}

function isSignedIn({ session }: Request): boolean {
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
