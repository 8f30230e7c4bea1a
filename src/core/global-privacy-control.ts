import type { Center } from './center.ts';
import { type ConsentStatus, consentStatus } from './consent.ts';
import { type Intent, noIntent, type PurposeChange } from './intent.ts';
import type { Subject } from './subject.ts';

/** To a browser that objects, nothing is shown as agreed that is only on by default; what was chosen stays. */
export function statusUnderObjection(status: ConsentStatus): ConsentStatus {
  return status === 'on-by-default' ? 'off' : status;
}

/** The objection made to last: all that is on by default, on whichever page, switched off. Never grants anything. */
export function objectionIntent(center: Center, subject: Subject): Intent {
  const records = new Map(subject.purposes.map((record) => [record.purpose, record]));
  const objected = new Map<string, PurposeChange>();
  for (const section of center.pages.flatMap((page) => page.sections)) {
    for (const item of section.items) {
      if (item.kind !== 'purpose' || !item.purpose.active) continue;
      const { id } = item.purpose;
      if (consentStatus(item.purpose, records.get(id)) !== 'on-by-default') continue;
      objected.set(id, { kind: 'off', purpose: id });
    }
  }
  return { ...noIntent, purposes: [...objected.values()] };
}
