import type { Request } from 'express';
import type { CenterConfig } from '../core/model/center-config.ts';
import { isEndedBySignOut } from '../core/model/sign-out.ts';
import { readSubjectId, type SubjectId } from '../core/model/subject.ts';
import type { Visit } from '../core/model/visit.ts';
import { afterBody } from './after-body.ts';
import { readRequestPreferences } from './request-preferences.ts';
import type { Visits } from './visits.ts';

const minute = 60_000;
/** Every page renews it. */
const idle = 30 * minute;
/** Whatever happens. */
const absolute = 12 * 60 * minute;

const use = 'embed visit';

export interface EmbedVisits extends Visits {
  /** Where a visit goes on that began at `since`, epoch milliseconds. */
  begin(
    request: Request,
    centerConfig: CenterConfig,
    who: Pick<Visit, 'subject' | 'scope' | 'since'>,
  ): string;
}

export interface EmbedVisitsParts {
  readonly seal: {
    seal(purpose: string, value: unknown): string;
    open(purpose: string, token: string): unknown;
  };
  readonly clock: { now(): number };
  /** When this person last signed out on all devices, epoch milliseconds. */
  readonly leftAt: (subject: SubjectId) => number | undefined;
}

/**
 * Visits in another site's frame. No cookie may be needed there, so every address of a page says who is here, sealed:
 * for this center, this channel, and 30 minutes. It ends with the person's sessions when they sign out on all devices.
 */
export function embedVisits({ seal, clock, leftAt }: EmbedVisitsParts): EmbedVisits {
  /** One sealing, and one look, serves all addresses of a page. */
  const renewed = new WeakMap<Request, string>();
  const found = new WeakMap<Request, Visit | undefined>();

  function find(request: Request, { name }: CenterConfig): Visit | undefined {
    if (!found.has(request)) {
      found.set(request, read(request));
      afterBody(request, found, () => {
        found.delete(request);
        renewed.delete(request);
      });
    }
    const visit = found.get(request);
    return visit?.center === name ? visit : undefined;
  }

  function read(request: Request): Visit | undefined {
    const token = request.query['v'];
    const opened = typeof token === 'string' ? readSealed(seal.open(use, token)) : undefined;
    if (opened === undefined) return undefined;
    const { visit, at } = opened;
    const now = clock.now();
    if (!isYounger(idle, { at, now }) || !isYounger(absolute, { at: visit.since, now })) return undefined;
    return isEndedBySignOut(visit.since, leftAt(visit.subject)) ? undefined : visit;
  }

  function write(
    centerConfig: CenterConfig,
    path: string,
    query: Record<string, string | undefined>,
  ): string {
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    );
    const search = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
    return `/embed/${encodeURIComponent(centerConfig.name)}${path}${search}`;
  }

  function renew(request: Request, centerConfig: CenterConfig): string | undefined {
    const known = renewed.get(request);
    if (known !== undefined) return known;
    const visit = find(request, centerConfig);
    if (visit === undefined) return undefined;
    const made = seal.seal(use, { visit, at: clock.now() });
    renewed.set(request, made);
    return made;
  }

  return {
    frame: 'embedded',
    find,
    href(request, centerConfig, path, { lang = readRequestPreferences(request).visit } = {}) {
      return write(centerConfig, path, { v: renew(request, centerConfig), lang });
    },
    begin(request, centerConfig, { subject, scope, since }) {
      const visit: Visit = { center: centerConfig.name, subject, scope, channel: 'embed', since };
      return write(centerConfig, '', {
        v: seal.seal(use, { visit, at: clock.now() }),
        lang: readRequestPreferences(request).visit,
      });
    },
    secondsLeft(request, centerConfig) {
      const visit = find(request, centerConfig);
      if (visit === undefined) return undefined;
      // The addresses of this page begin their 30 minutes now.
      return Math.floor(Math.min(idle, visit.since + absolute - clock.now()) / 1000);
    },
    leave: undefined,
  };
}

/** How old something of the future is, after a clock was set back, nobody knows. */
function isYounger(life: number, { at, now }: { at: number; now: number }): boolean {
  return at <= now && now - at < life;
}

function readSealed(value: unknown): { readonly visit: Visit; readonly at: number } | undefined {
  const at = member(value, 'at');
  const visit = member(value, 'visit');
  const center = member(visit, 'center');
  const since = member(visit, 'since');
  const scope = member(visit, 'scope');
  const subject = readSubjectId(member(visit, 'subject'));
  if (typeof at !== 'number' || typeof since !== 'number' || typeof center !== 'string') return undefined;
  if (subject === undefined || (scope !== 'manage' && scope !== 'withdraw')) return undefined;
  return { visit: { center, subject, scope, channel: 'embed', since }, at };
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
