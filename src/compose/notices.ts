import type { CenterRegistry } from '../core/model/center-config.ts';
import { faultForLog } from '../core/model/logged-fault.ts';
import type { NoticeText } from '../core/model/wording.ts';
import type { Clock } from '../ports/clock.ts';
import type { Platform } from '../ports/platform.ts';
import { within } from '../web/within.ts';
import type { AroundCenter } from '../web/wordings.ts';

/** Milliseconds for which a notice that was read is the one in force. */
const freshFor = 10 * 60 * 1000;
/** A page waits so long for a notice that was never read; then its id alone is known. Milliseconds. */
const firstWait = 1_500;

export interface Notices {
  /** The notice in force; never later than a page can wait. */
  inForce(id: string): Promise<NoticeText>;
}

/** Notices that centers name, each read at most every ten minutes, and kept where the platform is away. */
export function createNotices({
  platform,
  clock,
  warn,
}: {
  readonly platform: Pick<Platform, 'findNoticeVersion'>;
  readonly clock: Clock;
  readonly warn: (event: string, fields: object) => void;
}): Notices {
  const known = new Map<string, NoticeText>();
  const reading = new Map<string, { readonly at: number; readonly done: Promise<void> }>();

  async function read(id: string): Promise<void> {
    try {
      // A version that is active from this very second is none that was active before.
      const now = new Date(clock.now() + 1_000).toISOString().slice(0, 19);
      const found = await platform.findNoticeVersion(id, now);
      const { name, version } = found?.version ?? {};
      known.set(id, { id, name: name ?? '', ...(version === undefined ? {} : { version }) });
    } catch (fault) {
      warn('the notice of a center could not be read', { id, fault: faultForLog(fault) });
    }
  }

  return {
    async inForce(id) {
      const now = clock.now();
      const last = reading.get(id);
      if (last === undefined || now - last.at >= freshFor) reading.set(id, { at: now, done: read(id) });
      const notice = known.get(id);
      if (notice !== undefined) return notice;
      await within(firstWait, reading.get(id)?.done ?? Promise.resolve(), () => undefined);
      return known.get(id) ?? { id, name: '' };
    },
  };
}

/** What a center says beside its schema. */
export function aroundOf(
  registry: Pick<CenterRegistry, 'findByCenter'>,
  notices: Notices,
): (center: string) => Promise<AroundCenter> {
  return async (center) => {
    const { controller, rightsContact, noticeId } = registry.findByCenter(center) ?? {};
    return {
      ...(controller === undefined ? {} : { controller }),
      ...(rightsContact === undefined ? {} : { rightsContact }),
      ...(noticeId === undefined ? {} : { notice: await notices.inForce(noticeId) }),
    };
  };
}
