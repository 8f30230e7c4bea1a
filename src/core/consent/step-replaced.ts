import { type ReadRecord, recordOf } from '../model/person/subject.ts';
import { carriedBy, type DesiredItem, isPurpose, isUnsettled, itemAt, purposeOf } from './desired-state.ts';
import { asRecorded } from './merge-set.ts';
import { type Draft, withItems } from './step-draft.ts';

/**
 * A grant over a withdrawal that was never carried out, or over an earlier grant that came late: choices that the record
 * shows under the purpose, and that the grant does not choose, become withdrawals of their own.
 */
export function findReplaced(draft: Draft, { subject, at }: ReadRecord): Draft {
  const { center } = draft;
  const found = center.items.flatMap((grant): DesiredItem[] => {
    const { key: own, want, by, at: saidAt, order } = grant;
    const isJoined = (grant.call ?? order) < order;
    const isOver = want !== 'on' || !isUnsettled(grant) || (grant.replacesWithdrawal !== true && !isJoined);
    const record = recordOf(subject, purposeOf(own));
    if (isOver || !isPurpose(own) || record?.status !== 'active' || at < saidAt) return [];
    const purposes = [asRecorded(record)];
    const chosen = carriedBy({ update: { purposes, dataElements: {}, language: undefined }, refusals: [] });
    return chosen.flatMap((key): DesiredItem[] => {
      const word = itemAt(center, key);
      if (key === own || (word !== undefined && (word.want !== 'off' || isUnsettled(word)))) return [];
      const { granted, takenOut } = word ?? {};
      return [
        { key, want: 'off', by, at: saidAt, order, phase: 'open', granted, takenOut, withdrawn: order },
      ];
    });
  });
  if (found.length === 0) return draft;
  const keys = new Set(found.map(({ key }) => key));
  return withItems(draft, [...center.items.filter(({ key }) => !keys.has(key)), ...found], []);
}
