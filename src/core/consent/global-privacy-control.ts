import { type Center, everyPurpose } from '../model/center.ts';
import { type Intent, noIntent } from '../model/intent.ts';
import type { Subject } from '../model/subject.ts';
import { purposesOf } from './merge-set.ts';
import { type ConsentStatus, consentStatus } from './status.ts';

/** To a browser that objects, nothing is shown as agreed that is only on by default; what was chosen stays. */
export function statusUnderObjection(status: ConsentStatus): ConsentStatus {
  return status === 'on-by-default' ? 'off' : status;
}

/** The objection made to last: all that is on by default, shown or hidden, switched off. Never grants anything. */
export function objectionIntent(center: Center, subject: Subject): Intent {
  const records = new Map(subject.purposes.map((record) => [record.purpose, record]));
  const purposes = purposesOf(center);
  const assumed = [...new Set([...purposes.keys(), ...records.keys()])].filter((id) => {
    const purpose = purposes.get(id);
    return purpose?.active !== false && consentStatus(purpose, records.get(id)) === 'on-by-default';
  });
  return { ...noIntent, purposes: assumed.map((purpose) => ({ kind: 'off', purpose })) };
}

/** Whether there is any of these that no page of the center draws for this person. */
export function someShownNowhere(
  ids: readonly string[],
  { center, subject: { purposes } }: { center: Center; subject: Subject },
): boolean {
  const recorded = new Set(purposes.map(({ purpose }) => purpose));
  const drawable = everyPurpose({ pages: center.pages, hidden: [] }).filter(
    ({ id, visibility }) => visibility !== 'prior-consented' || recorded.has(id),
  );
  const displayed = new Set(drawable.map(({ id }) => id));
  return ids.some((id) => !displayed.has(id));
}
