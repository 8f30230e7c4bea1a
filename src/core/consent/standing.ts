import { has } from '../model/by-key.ts';
import type { Purpose } from '../model/center/center.ts';
import { isSameTag } from '../model/language-tag.ts';
import { type ConsentRecord, recordOf, type Subject } from '../model/person/subject.ts';
import { type DesiredItem, isPurpose, partsOf, purposeOf, type Want } from './desired-state.ts';
import { isAssumed, type Purposes } from './merge-set.ts';
import { type ConsentStatus, consentStatus } from './status.ts';

/**
 * The status of a key in a reading. A typed value is `on` if the record has it. `absent`: nothing is on
 * record.
 */
export type Standing = Exclude<ConsentStatus, 'expired'> | 'absent';

export function standing(
  { key, want }: Pick<DesiredItem, 'key' | 'want'>,
  subject: Subject,
  purposes: Purposes,
): Standing {
  if (typeof want === 'string') return standingOfKey(key, subject, purposes);
  return isAsTyped(want, subject) ? 'on' : 'off';
}

/** The standing of a purpose or choice. */
export function standingOfKey(key: string, subject: Subject, purposes: Purposes): Standing {
  const purpose = purposeOf(key);
  const record = recordOf(subject, purpose);
  const whole = standingOfPurpose(record, purposes.get(purpose));
  if (isPurpose(key) || whole === 'locked-on' || whole === 'locked-off') return whole;
  return record !== undefined && isChosen(record, key) ? whole : 'off';
}

export function standingOfPurpose(record: ConsentRecord | undefined, purpose: Purpose | undefined): Standing {
  if (record === undefined) return isAssumed(purpose) ? 'on-by-default' : 'absent';
  const status = consentStatus(purpose, record);
  return status === 'expired' ? 'off' : status;
}

/** The platform's own status, if it is kept: two kinds of off are two withdrawals. */
export function statusGiven({ rawStatus, status }: ConsentRecord): string {
  return rawStatus ?? status;
}

export function isOn(stands: Standing): boolean {
  return stands === 'on' || stands === 'locked-on';
}

function isChosen({ topics, preferences }: ConsentRecord, key: string): boolean {
  const [, , choice, option] = partsOf(key);
  if (option === undefined) return has(topics, choice);
  return preferences.some(({ id, options }) => id === choice && has(options, option));
}

function isAsTyped({ label, value }: Exclude<Want, string>, { dataElements, language }: Subject): boolean {
  if (label === '') return language !== undefined && isSameTag(language, value);
  return (dataElements[label] ?? '') === value;
}
