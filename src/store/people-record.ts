import { askedEvidence } from '../core/consent/asked-evidence.ts';
import { Problem } from '../core/model/problem.ts';
import { withdraws } from '../core/model/submission/intent.ts';
import type { People, Recorded } from '../ports/people.ts';
import { endTurn } from '../turn.ts';
import { sealAsked } from './evidence-seal.ts';
import { hashesOf, isLong, longBytes, sealedRequest } from './journal-seal.ts';
import { groupWriter } from './people-group.ts';
import { claimedOf, type Given, heldRow } from './people-rows.ts';
import type { PeopleParts } from './people-write.ts';
import { oncePerTurn } from './turns.ts';

/** Tries of a submission without a lock, which saves a statement. */
const triesWithoutLock = 3;
/** Tries of a submission whose person others change at the same time. */
const mostTries = 20;

/**
 * Records submissions. Those that come in one turn of the event loop, or while others are being written, go
 * in one transaction, in which each statement writes for all of them.
 */
export function peopleRecord(parts: PeopleParts): People['record'] {
  const { sql, seal, board } = parts;
  const writer = groupWriter(parts);

  const laneOf = (group: readonly Given[]) =>
    group.some(({ submission }) => withdraws(submission.request.intent)) ? sql.forWithdrawals : sql;

  const needsTransaction = ({ subjects, submission }: Given) =>
    subjects.length > 1 || submission.request.reasons.length > 0;

  /** Writes a group, and tries again without recorded submissions if others have changed people meanwhile. */
  async function writeAll(group: readonly Given[]): Promise<readonly Recorded[]> {
    const all = new Map<Given, Recorded>();
    for (let tries = 0; tries < mostTries; tries += 1) {
      const left = group.filter((given) => !all.has(given));
      if (left.length === 0) return group.flatMap((given) => all.get(given) ?? []);
      const lane = laneOf(left);
      const isContended = tries >= triesWithoutLock;
      const { recorded, told } =
        sql.dialect.isLocal || isContended || left.some(needsTransaction)
          ? await lane.transaction((transaction) => writer.inTransaction(transaction, left, isContended))
          : await writer.alone(lane, left, tries === 0);
      for (const [given, each] of recorded) {
        all.set(given, each);
        const isRecorded = each.kind === 'new' || each.kind === 'open';
        if (isRecorded && each.claimed === undefined) board.recorded(given.row);
      }
      for (const reference of told) board.told(reference);
    }
    throw new Problem('overloaded', { cause: new Error('others write of these people all the time') });
  }

  const alone = async (given: Given): Promise<Recorded> => {
    const [recorded] = await writeAll([given]);
    if (recorded === undefined) throw new Error('one was left out');
    return recorded;
  };
  const inTurn = oncePerTurn<Given, Recorded>({
    orderOf: ({ row }) => row,
    mayJoin: (given) => given.subjects.length === 1 && (sql.dialect.isLocal || !needsTransaction(given)),
    isUnanswered: sql.isUnanswered,
    async together(group) {
      const nonces = new Set(group.map(({ submission }) => submission.request.nonce));
      if (nonces.size < group.length) throw new Error('one nonce came twice');
      return writeAll(atOnce(group));
    },
    alone: (given) =>
      alone(given).catch((fault: unknown) => {
        // The answer was lost. If the submission was written, it is found by its nonce.
        if (sql.isLost(fault)) return alone(given).then((recorded) => withLease(given, recorded));
        throw fault;
      }),
  });

  /** Adds the lease if it was given together with the answer that was lost. */
  async function withLease({ row: id, lease }: Given, recorded: Recorded): Promise<Recorded> {
    if (lease === undefined || recorded.kind !== 'new' || recorded.claimed !== undefined) return recorded;
    const row = await sql.forWithdrawals.get(heldRow, { id, owner: lease.owner });
    return { ...recorded, claimed: row && claimedOf(seal, row) };
  }

  return async (submission, write, lease) => {
    const { request, reference } = submission;
    const subjects = hashesOf(seal, request.subject);
    const [row = ''] = subjects;
    const sealed = sealedRequest.seal(seal, reference, { ...request, reasons: [] });
    if (isLong(sealed)) await endTurn();
    const asked = sealAsked(seal, askedEvidence(request, submission));
    if (isLong(asked.sealed)) await endTurn();
    return inTurn({ submission, write, lease, row, subjects, request: sealed, asked });
  };
}

/** The first submissions of a group that are not long together: a statement has a deadline. */
function atOnce(group: readonly Given[]): readonly Given[] {
  let bytes = 0;
  return group.filter(({ request }, index) => {
    bytes += request.length;
    return index === 0 || bytes < longBytes;
  });
}
