import { type Center, itemsOf, type Purpose } from '../model/center/center.ts';
import type { Subject } from '../model/person/subject.ts';
import { type Intent, noIntent } from '../model/submission/intent.ts';
import { purposesOf } from './merge-set.ts';
import { type ConsentStatus, consentStatus } from './status.ts';

/** With Global Privacy Control a purpose on by default is shown as off; the person's own choices stay. */
export function statusUnderObjection(status: ConsentStatus): ConsentStatus {
  return status === 'on-by-default' ? 'off' : status;
}

/**
 * Makes the objection permanent: switches off every purpose on by default, shown or hidden. It never grants.
 */
export function objectionIntent(center: Center, subject: Subject): Intent {
  const records = new Map(subject.purposes.map((record) => [record.purpose, record]));
  const purposes = purposesOf(center);
  const assumed = [...new Set([...purposes.keys(), ...records.keys()])].filter((id) => {
    const purpose = purposes.get(id);
    return purpose?.active !== false && consentStatus(purpose, records.get(id)) === 'on-by-default';
  });
  return { ...noIntent, purposes: assumed.map((purpose) => ({ kind: 'off', purpose })) };
}

/** True if one of these purposes is on no page that this person sees. */
export function someShownNowhere(
  ids: readonly string[],
  { center, subject: { purposes } }: { center: Center; subject: Subject },
): boolean {
  const recorded = new Set(purposes.map(({ purpose }) => purpose));
  const isDrawn = ({ id, visibility }: Purpose) => visibility !== 'prior-consented' || recorded.has(id);
  const displayed = new Set(
    itemsOf(center).map((item) => item.kind === 'purpose' && isDrawn(item.purpose) && item.purpose.id),
  );
  return ids.some((id) => !displayed.has(id));
}
