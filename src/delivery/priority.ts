import {
  carriedIn,
  type DesiredCenter,
  isUnsettled,
  purposeOf,
  wordsIn,
} from '../core/consent/desired-state.ts';
import type { Plan } from '../core/consent/step-call.ts';
import { has } from '../core/model/by-key.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import type { Clock } from '../ports/clock.ts';
import type { CallPriority } from '../ports/platform.ts';

/**
 * The priority of a writing call. A call that removes a choice, or a purpose on by default, is a withdrawal,
 * too. `isOften`: the person submits so often that other people would wait.
 */
export function priorityOf({ update, keys }: Pick<Plan, 'update' | 'keys'>, isOften: boolean): CallPriority {
  if (isOften) return 'background';
  const carried = carriedIn(update);
  const isTakenOut = (key: string) => purposeOf(key) !== '' && !has(carried, key);
  return update === undefined || keys.some(isTakenOut) ? 'withdrawal' : 'person';
}

/**
 * The priority of a reading. The read-back of an accepted call can wait if no page shows its result, and so
 * can another look at finished work. Every other reading is needed for a call.
 */
export function readPriorityOf(center: DesiredCenter, isOften: boolean): CallPriority {
  const { calls, asked } = center;
  const unsettled = wordsIn(center).filter((word) => isUnsettled(word) && word.phase !== 'in-doubt');
  if (isOften || unsettled.length === 0) return 'background';
  const isAnswered = (order: number | undefined) => {
    return order !== undefined && calls.some((call) => call.order === order && call.answer !== undefined);
  };
  if (!unsettled.every(({ call }) => isAnswered(call)))
    return unsettled.some(({ want }) => want === 'off') ? 'withdrawal' : 'person';
  const by = new Set(unsettled.map((word) => word.by));
  return asked.every((each) => !by.has(each.reference) || each.isOneClick) ? 'background' : 'person';
}

const minute = 60_000;
/** The number of submissions of a person in a minute after which more of them can wait. */
const usual = 12;
const mostCounted = 20_000;

/**
 * Counts how often a person submits, as this process sees it. Withdrawals go before all pages, and none is
 * refused. A person who submits without end could use up the quota of all others: their submissions wait
 * until there is room.
 */
export function createFrequency(clock: Clock) {
  const counted = new Map<SubjectId, { count: number; readonly endsAt: number }>();

  const isOver = ({ endsAt }: { readonly endsAt: number }) =>
    endsAt <= clock.now() || endsAt > clock.now() + minute;

  return {
    /** Counts a submission. */
    count(subject: SubjectId): void {
      for (const [each, found] of counted) {
        if (!isOver(found) && counted.size < mostCounted) break;
        counted.delete(each);
      }
      counted.getOrInsert(subject, { count: 0, endsAt: clock.now() + minute }).count += 1;
    },
    isOften(subject: SubjectId): boolean {
      const found = counted.get(subject);
      return found !== undefined && !isOver(found) && found.count > usual;
    },
  };
}
