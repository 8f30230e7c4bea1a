import { has } from '../model/by-key.ts';
import { type ReadRecord, recordOf } from '../model/person/subject.ts';
import { updateOf } from '../model/submission/consent-update.ts';
import {
  askedBy,
  type Call,
  carriedBy,
  type DesiredItem,
  isPurpose,
  itemAt,
  keyOf,
  type Line,
  type LineOutcome,
  purposeOf,
} from './desired-state.ts';
import { standingOfPurpose } from './standing.ts';
import { type Draft, withDesired, withWords } from './step-draft.ts';

/**
 * Names side effects: purposes that changed although no word asked for it. For each call:
 * 1. Answered: purposes that the call kept and that are not on; purposes that its form showed as on and that
 *    the call left out.
 * 2. In doubt: purposes that the call carries and that were withdrawn elsewhere since. They stay off if the
 *    call lands.
 * 3. In doubt: purposes that the call does not carry, seen on since and off now: the call landed.
 * 4. Purposes that are off now and were missing in the previous reading.
 * A later "everything" is no side effect: it names what it withdrew itself, instead of 1, 2 and 4.
 */
export function nameOthers(draft: Draft, reading: ReadRecord): Draft {
  const { center, now } = draft;
  const lines: Line[] = [];
  const watched: DesiredItem[] = [];
  const wordOf = (id: string) => itemAt(center, keyOf.purpose(id));
  const isAsked = (id: string) => {
    const word = wordOf(id);
    return word !== undefined && word.phase !== 'over' && (word.want === 'off' || word.phase !== 'verified');
  };
  const stands = (id: string) => standingOfPurpose(recordOf(reading.subject, id), undefined);
  const isGone = (id: string) => ['off', 'absent'].includes(stands(id));
  const isLeft = ({ order }: Call) => (center.everything?.order ?? 0) > order;
  const name = (call: Call, id: string, outcome: LineOutcome, row: string) => {
    lines.push({ by: call.by, key: keyOf.purpose(id), isOff: true, isKept: true, outcome, row, at: now });
  };
  const calls = center.calls.map((call): Call => {
    const { answer, update } = call;
    if (answer !== undefined) {
      if (call.isChecked === true || reading.at < answer.at) return call;
      if (update === undefined || isLeft(call)) return { ...call, isChecked: true };
      const shownOn = askedBy(center, call.by)?.form?.drawn?.filter(({ isOn }) => isOn) ?? [];
      const ids = update.purposes.map(({ id }) => id);
      const kept = ids.filter((id) => !has(call.keys, keyOf.purpose(id)));
      for (const id of kept) if (isGone(id) && !isAsked(id)) name(call, id, 'not-saved', 'not-kept');
      for (const { purpose } of shownOn) {
        const isLeftOut = updateOf(update, purpose) === undefined;
        const isOwn = wordOf(purpose)?.by === call.by;
        if (isLeftOut && isGone(purpose) && !isOwn && !isAsked(purpose))
          name(call, purpose, 'withdrawn-elsewhere', 'gone-before');
      }
      return { ...call, isChecked: true };
    }
    const carried = carriedBy(call).filter(isPurpose);
    for (const key of carried) {
      const id = purposeOf(key);
      const word = itemAt(center, key);
      if (stands(id) !== 'off' || isAsked(id) || word?.want === 'on') continue;
      if (reading.at < call.at + draft.limits.lag) continue;
      if (!isLeft(call)) name(call, id, 'withdrawn-elsewhere', 'withdrawn-while-in-doubt');
      const { order, at } = call;
      watched.push({
        ...word,
        key,
        want: 'off',
        by: call.by,
        at,
        order,
        phase: 'verified',
        seen: reading.at,
      });
    }
    const beside = (call.beside ?? []).filter((id) => !isAsked(id) && wordOf(id)?.want !== 'on');
    for (const id of beside) if (isGone(id)) name(call, id, 'switched-off', 'taken-out-late');
    const seen = reading.subject.purposes.filter(({ purpose, status }) => {
      return status === 'active' && !has(carried, keyOf.purpose(purpose));
    });
    return { ...call, beside: seen.map(({ purpose }) => purpose) };
  });
  const last = center.calls.findLast((call) => call.update !== undefined && !isLeft(call));
  const isNew = (id: string) => stands(id) === 'off' && !has(center.known, id) && !isAsked(id);
  const added = reading.subject.purposes.filter(({ purpose }) => isNew(purpose));
  if (last !== undefined) for (const { purpose } of added) name(last, purpose, 'not-saved', 'missing-before');
  return withWords(withDesired(draft, { ...center, calls }, lines), watched);
}
