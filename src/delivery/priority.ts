import { carriedBy, type DesiredCenter, isUnsettled, purposeOf } from '../core/consent/desired-state.ts';
import type { Plan } from '../core/consent/step-call.ts';
import { has } from '../core/model/by-key.ts';
import type { SubjectId } from '../core/model/subject.ts';
import type { Clock } from '../ports/clock.ts';
import type { CallPriority } from '../ports/platform.ts';

/**
 * Of a call that carries something out: a withdrawal also where it takes out a choice, or what is only on by default.
 * `isOften`: of a person that submits so often that others would wait for it.
 */
export function priorityOf({ update, keys }: Pick<Plan, 'update' | 'keys'>, isOften: boolean): CallPriority {
  if (isOften) return 'background';
  const carried = carriedBy({ update, refusals: [] });
  const isTakenOut = (key: string) => purposeOf(key) !== undefined && !has(carried, key);
  return update === undefined || keys.some(isTakenOut) ? 'withdrawal' : 'person';
}

/**
 * Of a reading: what was accepted is only read back, which can wait where no page shows its result; what is done
 * is only looked at again. Every other reading is needed for a call.
 */
export function readPriorityOf(
  { items, everything, calls, asked }: DesiredCenter,
  isOften: boolean,
): CallPriority {
  const unsettled = items.filter((item) => isUnsettled(item) && item.phase !== 'in-doubt');
  const isFloor = everything !== undefined && everything.phase !== 'verified';
  if (isOften || (unsettled.length === 0 && !isFloor)) return 'background';
  const isAnswered = (order: number | undefined) => {
    return order !== undefined && calls.some((call) => call.order === order && call.answer !== undefined);
  };
  const isAccepted =
    unsettled.every(({ call }) => isAnswered(call)) && (!isFloor || isAnswered(everything.call));
  if (!isAccepted) return isFloor || unsettled.some(({ want }) => want === 'off') ? 'withdrawal' : 'person';
  const by = new Set([...unsettled.map((item) => item.by), ...(isFloor ? [everything.by] : [])]);
  return asked.every((each) => !by.has(each.reference) || each.isOneClick) ? 'background' : 'person';
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
 * A withdrawal goes before all pages, and none is refused: a person who submits without end, switching off what
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
