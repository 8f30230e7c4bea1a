import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { systemTimer } from '../clock.ts';
import { faultForLog } from '../core/model/logged-fault.ts';
import { everyRole } from '../core/model/staff/staff-member.ts';
import { createFailedSignIns } from '../features/staff/failed-sign-ins.ts';
import { pageContextOf } from '../features/staff/guarded-router.ts';
import { buildStaffLayout } from '../features/staff/page.ts';
import { staffProblem, strangersProblem } from '../features/staff/plain.ts';
import { staffRoutes } from '../features/staff/routes.ts';
import { createStaffSingleSignOn } from '../features/staff/single-sign-on.ts';
import { createStaffKeys } from '../features/staff/staff-key.ts';
import { whatStays } from '../store/what-stays.ts';
import { createStaffSessions } from '../visits/session.ts';
import type { createProblemPage } from '../web/problem.ts';
import { createSingleSignOn } from '../web/single-sign-on.ts';
import { erasedFileOf, eraseListed } from './erased-list.ts';
import type { Identity } from './identity.ts';
import type { ProductParts } from './parts.ts';
import { receiversOf } from './receivers.ts';
import { cookieKeys } from './secret.ts';
import { createStaffLinks } from './staff-links.ts';
import { staffSessionLife } from './stores.ts';

export type Staff = ReturnType<typeof composeStaff>;

/** Composes the staff pages with their own cookie. */
export function composeStaff(deps: ProductParts, identity: Identity) {
  const { config, secrets, stores, seal, random, https } = deps;
  const isSandbox = config.platform === undefined;
  const { log } = stores.staff;
  const { clock, replayGuard } = stores;
  const sessions = createStaffSessions({
    ...staffSessionLife,
    store: stores.staff.sessions,
    secrets: cookieKeys(secrets, 'staff cookie'),
    https,
    clock,
  });
  const key = isSandbox ? randomBytes(32).toString('base64url') : undefined;
  const isPrintedKey = key === undefined ? () => false : oneTimeKey(key);
  const takeStaffKey = createStaffKeys({ seal, clock, replayGuard });
  const failedSignIns = createFailedSignIns({ log, clock, timer: systemTimer });
  const router = staffRoutes({
    ...stores,
    ...deps,
    log,
    failedSignIns,
    sessions,
    clock,
    personData: listingErasures(deps),
    watch: deps.operation.platformWatch,
    links: createStaffLinks(deps, identity),
    hourlyQuota: config.quota?.perHour,
    retry: deps.delivery.retry,
    whatStays,
    receivers: receiversOf(config.centers),
    ways: {
      singleSignOn: config.staff === undefined ? undefined : '/staff/sign-in',
      oneTime: isSandbox ? 'printed' : 'command',
    },
    takeKey: async (request, given) => {
      if (!isPrintedKey(given)) return takeStaffKey(request, given);
      const member = { id: 'one-time-address', name: 'Sandbox staff', roles: everyRole };
      return { member, how: 'by the one-time address' };
    },
    singleSignOn: singleSignOn(deps, identity),
  });
  return {
    router,
    /** The address that opens the staff pages once. Only the sandbox has it. */
    oneTimeAddress: key === undefined ? undefined : new URL(`/staff?key=${key}`, config.publicUrl).href,
    around: (request: Request) => pageContextOf({ sessions, seal, random, clock }, request),
    close: () => failedSignIns.close(),
  };
}

function listingErasures({ config, log, stores: { personData } }: ProductParts): typeof personData {
  return {
    ...personData,
    async erase(...asked) {
      const { outcome, fault } = await eraseListed(personData, erasedFileOf(config), ...asked);
      if (fault !== undefined)
        log.warn({ fault: faultForLog(fault) }, 'the list of erasures could not be written');
      return outcome;
    },
  };
}

function singleSignOn(deps: ProductParts, { openId }: Identity) {
  const { publicUrl, config } = deps;
  const { staff } = config;
  if (staff === undefined) return undefined;
  const warn = (event: string, fault: unknown) => deps.warn(`staff: ${event}`, fault);
  return createStaffSingleSignOn({
    ...staff,
    client: { ...staff, issuer: staff.issuer.href, clientSecret: staff.clientSecret?.reveal() },
    trips: createSingleSignOn({ ...deps, ...deps.stores, openId, name: 'sayso-staff-way', warn }),
    publicUrl,
    warn,
  });
}

/** True for the right key, but only the first time. */
function oneTimeKey(key: string): (given: string) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(key);
  let isUsed = false;
  return (given) => {
    if (isUsed || !timingSafeEqual(digest(given), expected)) return false;
    isUsed = true;
    return true;
  };
}

type ProblemPageOf = ReturnType<typeof createProblemPage>;

/** Below `/staff` a problem is shown in the staff pages, in words for staff. */
export function forStaff(staff: Staff, problemPage: ProblemPageOf): ProblemPageOf {
  return (fault) => {
    const page = problemPage(fault);
    const isStaff = /^\/staff(\/|$)/i.test(fault.request.path);
    if (!isStaff) return page;
    const context = staff.around(fault.request);
    const isMember = context.member !== undefined;
    const problem = isMember ? staffProblem(fault.code, fault.retryAfter) : strangersProblem(fault.code);
    if (problem === undefined) return page;
    const again = page.links.some(({ href }) => href === '') ? [{ href: '', label: 'Try again' }] : [];
    return {
      ...page,
      view: 'staff/problem',
      layout: buildStaffLayout(context, { title: problem.title, section: 'start' }),
      lines: [...problem.lines],
      links: [...again, { href: '/staff', label: isMember ? 'Back to the staff pages' : 'Sign in as staff' }],
      contact: [],
    };
  };
}
