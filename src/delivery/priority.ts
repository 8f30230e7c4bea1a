import type { Work } from '../core/model/journal-entry.ts';
import type { SubjectId } from '../core/model/subject.ts';
import type { Clock } from '../ports/clock.ts';
import type { CallPriority } from '../ports/platform.ts';
import { isWatched } from './watch.ts';
import { isWithdrawing } from './work.ts';

/** Of a call that carries something out. `isOften`: of who submits so often that others would wait for it. */
export function callPriority(work: Work, isOften: boolean): CallPriority {
  if (isOften) return 'background';
  return isWithdrawing(work) ? 'withdrawal' : 'person';
}

/**
 * Of a reading: what was accepted is only read back, which can wait where nobody sits before its result; what is done
 * is only looked at again. Every other reading is needed for a call.
 */
export function readPriority(work: Work, isOften: boolean): CallPriority {
  if (isWatched(work)) return 'background';
  const isAccepted = work.calls.at(-1)?.answer?.items.every(({ accepted }) => accepted);
  if (isAccepted !== true || isOften) return callPriority(work, isOften);
  return work.request.channel === 'one-click' ? 'background' : 'person';
}

const minute = 60_000;
/** Submissions of one person that are begun within a minute, before the next ones can wait. */
const usual = 12;
const mostCounted = 20_000;

/** How often who submits, as far as this process carries it out. */
export interface Frequency {
  /** Another one of theirs is begun. */
  count(subject: SubjectId): void;
  isOften(subject: SubjectId): boolean;
}

/**
 * A withdrawal goes before everybody's pages, and nobody is refused one: whoever submits without end, switching off what
 * they switch on, could else use up what all others need. What they submit is carried out when there is room.
 */
export function createFrequency(clock: Clock): Frequency {
  const counted = new Map<SubjectId, { count: number; readonly endsAt: number }>();

  const isOver = ({ endsAt }: { readonly endsAt: number }) =>
    endsAt <= clock.now() || endsAt > clock.now() + minute;

  return {
    count(subject) {
      for (const [each, found] of counted) {
        if (!isOver(found) && counted.size < mostCounted) break;
        counted.delete(each);
      }
      const found = counted.get(subject) ?? { count: 0, endsAt: clock.now() + minute };
      found.count += 1;
      counted.set(subject, found);
    },
    isOften(subject) {
      const found = counted.get(subject);
      return found !== undefined && !isOver(found) && found.count > usual;
    },
  };
}
