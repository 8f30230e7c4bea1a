import type { Purpose } from '../model/center/center.ts';
import type { ConsentRecord, RecordedStatus } from '../model/person/subject.ts';

/**
 * The status of a purpose for a person. `on`, `off`: as recorded. `on-by-default`: not asked, the center
 * assumes it. `waiting`: PENDING. `locked-on`: ALWAYS_ACTIVE. `locked-off`: HARD_OPT_OUT.
 */
export type ConsentStatus =
  | 'on'
  | 'off'
  | 'on-by-default'
  | 'waiting'
  | 'expired'
  | 'locked-on'
  | 'locked-off';

const statusOnRecord: Readonly<Record<RecordedStatus, ConsentStatus>> = {
  active: 'on',
  'always-active': 'locked-on',
  implicit: 'on-by-default',
  pending: 'waiting',
  expired: 'expired',
  'hard-opt-out': 'locked-off',
  off: 'off',
  'no-consent': 'off',
};

export function consentStatus(
  purpose: Pick<Purpose, 'onByDefault'> | undefined,
  record: ConsentRecord | undefined,
): ConsentStatus {
  if (record === undefined) return purpose?.onByDefault ? 'on-by-default' : 'off';
  return statusOnRecord[record.status];
}

export function isShownOn(status: ConsentStatus): boolean {
  return status === 'on' || status === 'on-by-default' || status === 'locked-on';
}

export function mayChange(status: ConsentStatus): boolean {
  return status !== 'locked-on' && status !== 'locked-off';
}
