import { type ReadRecord, recordOf } from '../model/person/subject.ts';
import { carriedIn, type DesiredItem, isPurpose, isUnsettled, itemAt, purposeOf } from './desired-state.ts';
import { asRecorded } from './merge-set.ts';
import { type Draft, withWords } from './step-draft.ts';

/**
 * Finds choices that a grant leaves withdrawn. If a grant replaces a withdrawal that was never sent, or an
 * earlier grant that came late, choices that the record shows under the purpose and that the grant does not
 * choose become withdrawals of their own.
 */
export function findReplaced(draft: Draft, { subject, at }: ReadRecord): Draft {
  const { center } = draft;
  const grants = center.items.filter((grant) => {
    const isJoined = (grant.call ?? Number.POSITIVE_INFINITY) <= grant.order;
    const isNew = grant.want === 'on' && isPurpose(grant.key) && isUnsettled(grant) && at >= grant.at;
    return isNew && (grant.replacesWithdrawal === true || isJoined);
  });
  const found = grants.flatMap(({ key: own, by, at: saidAt, order }) => {
    const record = recordOf(subject, purposeOf(own));
    if (record?.status !== 'active') return [];
    const update = { purposes: [asRecorded(record)], dataElements: {}, language: undefined };
    const left = carriedIn(update).filter((key) => {
      const word = itemAt(center, key);
      return word === undefined || (word.want === 'off' && !isUnsettled(word));
    });
    return left.map((key): DesiredItem => {
      const word = itemAt(center, key);
      const facts = { granted: word?.granted, takenOut: word?.takenOut, withdrawn: order };
      return { key, want: 'off', by, at: saidAt, order, phase: 'open', ...facts };
    });
  });
  return withWords(draft, found);
}
