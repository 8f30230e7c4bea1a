import type { CallMade, JournalEntry } from '../../core/model/submission/journal-entry.ts';
import type { ItemResult, Outcome } from '../../core/model/submission/submission.ts';
import type { StepView, TimelineView } from '../../pages/staff-page.ts';
import { amount, cell, moment } from './blocks.ts';
import { listed, submissionHref } from './page.ts';
import {
  callResult,
  channelNames,
  type EntryLines,
  itemsOfEntry,
  linkMakerName,
  type NameOf,
  outcomeNames,
  problemName,
  stateNames,
} from './submission-words.ts';

/** The timeline of one submission, from its arrival to the next try or its end. */
export function buildTimeline(entry: JournalEntry, entryWords: EntryLines, nameOf: NameOf): TimelineView {
  return {
    kind: 'timeline',
    id: 'timeline',
    heading: 'What happened',
    steps: listed([
      submitted(entry, entryWords),
      ...calls(entry, nameOf),
      ended(entry),
      entry.undoneBy !== undefined &&
        step('Undone by another submission', [], { href: submissionHref(entry.undoneBy) }),
    ]),
  };
}

export const step = (title: string, at: StepView['at'], more: Partial<StepView> = {}): StepView => ({
  title,
  at,
  tone: 'neutral',
  lines: [],
  ...more,
});

function submitted(entry: JournalEntry, { headline }: EntryLines): StepView {
  const maker = linkMakerName(entry);
  const behalf = entry.work?.request.onBehalf;
  return step(`Submitted: ${headline}`, [moment(entry.submittedAt)], {
    tone: 'success',
    lines: listed([
      behalf === undefined ? channelNames[entry.channel] : `On their behalf, by ${behalf.staff}`,
      maker !== undefined && `The link was made by ${maker}`,
      entry.globalPrivacyControl && 'The browser sent Global Privacy Control',
      entry.undoes !== undefined && `It undoes ${entry.undoes}`,
    ]),
  });
}

/** The calls. Consecutive calls with the same result are one line that opens. */
function calls(entry: JournalEntry, nameOf: NameOf): readonly StepView[] {
  // The platform refuses a locked purpose each time, so its refusal is no problem.
  const locked = new Set(
    itemsOfEntry(entry)
      .filter(({ outcome }) => outcome === 'locked')
      .map(({ id }) => id),
  );
  const steps: StepView[] = [];
  for (const call of entry.work?.calls ?? []) {
    const next = called(call, nameOf, locked);
    const last = steps.at(-1);
    if (last === undefined || saysOf(last) !== saysOf(next)) steps.push(next);
    else steps.splice(-1, 1, together(last, next));
  }
  return steps;
}

const saysOf = ({ title, tone, lines }: StepView) =>
  JSON.stringify([title.replace(/^\d+ tries: /, ''), tone, lines]);

function together(before: StepView, next: StepView): StepView {
  const at = [...(before.folded?.at ?? before.at), ...next.at];
  const title = `${at.length} tries: ${next.title}`;
  return { ...next, title, at: next.at, folded: { label: `All ${at.length}`, at } };
}

function called(call: CallMade, nameOf: NameOf, locked: ReadonlySet<string>): StepView {
  const [result, tone] = callResult(call);
  const on = call.update?.purposes.map(({ id }) => nameOf('purpose', id)) ?? [];
  const sent =
    call.kind === 'delete'
      ? 'withdraw all'
      : on.length === 0
        ? 'nothing stays on'
        : `all that stays on (${amount(on.length, 'purpose')})`;
  const refused = call.answer?.items.filter(({ accepted }) => !accepted) ?? [];
  const isExpected =
    call.problem === undefined && refused.length > 0 && refused.every(({ purpose }) => locked.has(purpose));
  return step(`Sent to the platform: ${sent} – ${result}`, [moment(call.at)], {
    tone: isExpected ? 'neutral' : tone,
    lines: [
      ...(call.why === 'record-refusal' ? ['Only to leave a refusal on record'] : []),
      ...refused.map(({ purpose, messages }) =>
        [`${nameOf('purpose', purpose)}: refused`, ...messages].join(', '),
      ),
    ],
  });
}

function ended(entry: JournalEntry): StepView {
  const { work, doneAt, state } = entry;
  if (state === 'pending') {
    const attempts = work?.attempts ?? 0;
    return step('Next try', [moment(entry.dueAt)], {
      tone: 'warning',
      lines: listed([
        attempts > 0 && `${amount(attempts, 'try', 'tries')} so far ended without a result`,
        work?.problem && `Last error: ${problemName(work.problem)}`,
      ]),
    });
  }
  const [title, tone] = stateNames[state];
  const at = doneAt === undefined ? cell('at a time that is not known') : moment(doneAt);
  return step(title, [at], { tone, lines: outcomes(itemsOfEntry(entry)) });
}

/** `3 saved, 1 not saved`. */
function outcomes(items: readonly ItemResult[]): readonly string[] {
  const counted = [...Map.groupBy(items, ({ outcome }) => outcome)].map(
    ([outcome, mine]: [Outcome, readonly unknown[]]) =>
      `${mine.length} ${outcomeNames[outcome][0].toLowerCase()}`,
  );
  return counted.length === 0 ? [] : [counted.join(', ')];
}
