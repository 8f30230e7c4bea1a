import type { CallMade, JournalEntry } from '../../core/model/journal-entry.ts';
import type { Outcome } from '../../core/model/submission.ts';
import { writtenUtc } from '../../core/model/utc-time.ts';
import type { StepView, TimelineView } from './every-page.ts';
import { submissionHref } from './submission-list.ts';
import {
  askedInShort,
  callResult,
  channelNames,
  linkMakerName,
  outcomeNames,
  problemName,
  stateNames,
} from './submission-words.ts';

export type NameOf = (what: string, id: string) => string;

/** One submission from the moment it came in, to what is next. */
export function buildTimeline(entry: JournalEntry, nameOf: NameOf): TimelineView {
  return {
    kind: 'timeline',
    id: 'timeline',
    heading: 'What happened',
    about: undefined,
    steps: [
      submitted(entry),
      ...(entry.work?.calls ?? []).map((call) => called(call, nameOf, lockedIn(entry))),
      ...ended(entry),
      ...undone(entry),
    ],
  };
}

const step = (title: string, at: string, more: Partial<StepView> = {}): StepView => ({
  title,
  at,
  tone: 'neutral',
  lines: [],
  href: undefined,
  ...more,
});

function submitted(entry: JournalEntry): StepView {
  const maker = linkMakerName(entry);
  const behalf = entry.work?.request.onBehalf;
  return step(`Submitted: ${askedInShort(entry)}`, writtenUtc(entry.submittedAt), {
    tone: 'success',
    lines: [
      behalf === undefined ? channelNames[entry.channel] : `On their behalf, by ${behalf.staff}`,
      ...(maker === undefined ? [] : [`The link was made by ${maker}`]),
      ...(entry.globalPrivacyControl ? ['The browser sent Global Privacy Control'] : []),
      ...(entry.undoes === undefined ? [] : [`It undoes ${entry.undoes}`]),
    ],
  });
}

/** What cannot be left is refused each time: nothing went wrong. */
function lockedIn({ work, evidence }: JournalEntry): ReadonlySet<string> {
  const items = work?.items ?? evidence?.items ?? [];
  return new Set(items.filter(({ outcome }) => outcome === 'locked').map(({ id }) => id));
}

function called(call: CallMade, nameOf: NameOf, locked: ReadonlySet<string>): StepView {
  const [result, tone] = callResult(call);
  const on = call.update?.purposes.map(({ id }) => nameOf('purpose', id)) ?? [];
  const sent =
    call.kind === 'delete'
      ? 'withdraw everything'
      : on.length === 0
        ? 'nothing is to be on'
        : `all that is to be on (${on.length} ${on.length === 1 ? 'purpose' : 'purposes'})`;
  const refused = call.answer?.items.filter(({ accepted }) => !accepted) ?? [];
  const isExpected =
    call.problem === undefined && refused.length > 0 && refused.every(({ purpose }) => locked.has(purpose));
  return step(`Sent to the platform: ${sent} – ${result}`, writtenUtc(call.at), {
    tone: isExpected ? 'neutral' : tone,
    lines: [
      ...(call.why === 'record-refusal' ? ['Only to leave a refusal on record'] : []),
      ...refused.map(({ purpose, messages }) =>
        [`${nameOf('purpose', purpose)}: refused`, ...messages].join(', '),
      ),
    ],
  });
}

function ended(entry: JournalEntry): readonly StepView[] {
  const { work, doneAt, state } = entry;
  if (state === 'pending') {
    const attempts = work?.attempts ?? 0;
    return [
      step('To be tried again', `due ${writtenUtc(entry.dueAt)}`, {
        tone: 'warning',
        lines: [
          ...(attempts === 0
            ? []
            : [`${attempts} ${attempts === 1 ? 'try' : 'tries'} so far ended without a result`]),
          ...(work?.problem === undefined ? [] : [`The last fault: ${problemName(work.problem)}`]),
        ],
      }),
    ];
  }
  const [title, tone] = stateNames[state];
  return [
    step(title, doneAt === undefined ? 'at a time that is not known' : writtenUtc(doneAt), {
      tone,
      lines: outcomes(entry),
    }),
  ];
}

/** `3 saved, 1 not saved`. */
function outcomes({ work, evidence }: JournalEntry): readonly string[] {
  const items = work?.items ?? evidence?.items ?? [];
  const counted = [...Map.groupBy(items, ({ outcome }) => outcome)].map(
    ([outcome, mine]: [Outcome, readonly unknown[]]) =>
      `${mine.length} ${outcomeNames[outcome][0].toLowerCase()}`,
  );
  return counted.length === 0 ? [] : [counted.join(', ')];
}

function undone({ undoneBy }: JournalEntry): readonly StepView[] {
  return undoneBy === undefined
    ? []
    : [step('Undone by another submission', undoneBy, { href: submissionHref(undoneBy) })];
}
