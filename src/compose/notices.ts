import type { CenterRegistry } from '../core/model/center/center-config.ts';
import type { NoticeText } from '../core/model/evidence/wording.ts';
import { faultForLog } from '../core/model/logged-fault.ts';
import type { Clock } from '../ports/clock.ts';
import type { Platform } from '../ports/platform.ts';
import type { Logger } from '../web/log.ts';
import { within } from '../web/within.ts';
import type { AroundCenter } from '../web/wordings.ts';

/** A notice is read again after this time. Milliseconds. */
const freshFor = 10 * 60 * 1000;
/** Milliseconds that a page waits for the first reading of a notice. After that the page has only its id. */
const firstWait = 1_500;

/**
 * The texts of the settings beside a center's schema. The notice is read at most every ten minutes; if the
 * platform fails, the last one stays. Resolves within `firstWait`.
 */
export function createAround(parts: {
  readonly registry: CenterRegistry;
  readonly platform: Platform;
  readonly log: Logger;
  readonly clock: Clock;
}): (center: string) => Promise<AroundCenter> {
  const { registry, platform, log, clock } = parts;
  const known = new Map<string, NoticeText>();
  const reading = new Map<string, { readonly at: number; readonly done: Promise<void> }>();

  async function read(id: string): Promise<void> {
    try {
      // One second ahead: a version that becomes active in this second counts.
      const now = new Date(clock.now() + 1_000).toISOString().slice(0, 19);
      const found = await platform.findNoticeVersion(id, now);
      const { name = '', version } = found?.version ?? {};
      known.set(id, { id, name, version });
    } catch (fault) {
      log.warn({ id, fault: faultForLog(fault) }, 'the notice of a center could not be read');
    }
  }

  async function inForce(id: string): Promise<NoticeText> {
    const now = clock.now();
    const last = reading.get(id);
    if (last === undefined || now - last.at >= freshFor) reading.set(id, { at: now, done: read(id) });
    const notice = known.get(id);
    if (notice !== undefined) return notice;
    await within(firstWait, reading.get(id)?.done ?? Promise.resolve(), () => undefined);
    return known.get(id) ?? { id, name: '' };
  }

  return async (center) => {
    const { controller, rightsContact, noticeId } = registry.findByCenter(center) ?? {};
    const notice = noticeId === undefined ? undefined : await inForce(noticeId);
    return { controller, rightsContact, notice };
  };
}
