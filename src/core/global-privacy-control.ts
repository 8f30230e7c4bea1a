import type { Center } from './center.ts';
import { type ConsentStatus, consentStatus } from './consent.ts';
import { type Intent, noIntent } from './intent.ts';
import { purposesOf } from './merge-set.ts';
import type { Subject } from './subject.ts';

/** To a browser that objects, nothing is shown as agreed that is only on by default; what was chosen stays. */
export function statusUnderObjection(status: ConsentStatus): ConsentStatus {
  return status === 'on-by-default' ? 'off' : status;
}

/** The objection made to last: all that is on by default, on whichever page, switched off. Never grants anything. */
export function objectionIntent(center: Center, subject: Subject): Intent {
  const records = new Map(subject.purposes.map((record) => [record.purpose, record]));
  const assumed = [...purposesOf(center).values()].filter(
    (purpose) => purpose.active && consentStatus(purpose, records.get(purpose.id)) === 'on-by-default',
  );
  return { ...noIntent, purposes: assumed.map(({ id }) => ({ kind: 'off', purpose: id })) };
}
