import { journalEntryOf } from '../../core/consent/submission-view.ts';
import { mayDo } from '../../core/model/staff/staff-member.ts';
import type { CallMade, JournalEntry, Work } from '../../core/model/submission/journal-entry.ts';
import { note } from '../../pages/layout.ts';
import type { Block, Cell, FactsView, FormBlock, TableView } from '../../pages/staff-page.ts';
import type { StuckTask } from '../../ports/stuck-tasks.ts';
import { amount, cell, details, facts, folded, form, moment, shortId, table, tag } from './blocks.ts';
import { type Call, found } from './guarded-router.ts';
import { type Page, submissionHref, taskHref, underSubmissions } from './page.ts';
import { personForm, sealStaffPerson } from './person-form.ts';
import { buildTimeline } from './submission-timeline.ts';
import {
  callResult,
  changeNames,
  channelNames,
  type EntryLines,
  entryLines,
  linkMakerName,
  type NameOf,
  namesOfEntry,
  outcomeNames,
  problemName,
  stateNames,
  whatNames,
  wordsAskedBy,
} from './submission-words.ts';

export async function retrySubmission({ journal, retry, ...call }: Call): Promise<void> {
  const { reference } = found(await journal.find(call.parameter('reference')));
  const isRetried = await retry(reference);
  call.response.redirect(303, `${submissionHref(reference)}${isRetried ? '?was=retried' : ''}`);
}

export async function readSubmission(call: Call) {
  const { platform, journal, clock } = call;
  const entry = journalEntryOf(found(await journal.find(call.parameter('reference'))), clock.now());
  const subject = entry.work?.request.subject;
  return {
    member: call.member,
    entry,
    /** The center, which names things; undefined while the platform does not give it. */
    center: await platform.findCenter(entry.center).catch(() => undefined),
    words: await call.wordings.read(wordsAskedBy([entry])),
    /** The sealed identifier for the link to the person's page; undefined once personal data are deleted. */
    person: subject && sealStaffPerson(call, subject),
    /** Whether the member has just asked for another try. */
    isRetried: call.query('was') === 'retried',
    /** The task on the platform for a withdrawal that could not be saved for too long. */
    stuck: await call.stuckTasks.find(entry.reference),
  };
}

type SubmissionPageInput = Awaited<ReturnType<typeof readSubmission>>;

/** The page of one submission: its changes, its calls and their answers. */
export function buildSubmissionPage(input: SubmissionPageInput): Page {
  const { entry, person } = input;
  const { work } = entry;
  const nameOf = namesOfEntry(entry, input);
  const entryWords = entryLines(entry, input);
  const what = entry.everything ? 'Unsubscribing' : 'Change';
  return {
    title: entryWords.person === undefined ? what : `${what} by ${entryWords.person}`,
    ...underSubmissions,
    lead: [entryWords.headline],
    notes: [input.isRetried && retriedNote, work === undefined && erasedNote],
    blocks: [
      mainFacts(input, entryWords),
      person !== undefined &&
        personForm(person, { id: 'person', action: '/staff/people', label: 'All about this person' }),
      mayDo(input.member, 'editor') && entry.state === 'pending' && retryForm(input),
      buildTimeline(entry, entryWords, nameOf),
      itemTable(entry, nameOf),
      work && reasonTable(work),
      folded('details', 'Details', [detailFacts(entry), work && callTable(work.calls, nameOf)]),
    ],
  };
}

const retriedNote = note(
  'info',
  'It is tried again now',
  'Load this page again in a moment to see what came of it. What the platform asked us to wait is still waited.',
);
const erasedNote = note(
  'info',
  'What is personal is no longer kept',
  'It is deleted 30 days after a submission is done. What was changed, the receipts and the times stay longer.',
);

/** Ids for copying. */
function detailFacts(entry: JournalEntry): FactsView {
  return facts('ids', undefined, [
    ['Reference', cell(entry.reference, { look: 'code' })],
    ['Center id', entry.center],
    ...entry.receipts.map((receipt, at): [string, Cell] => [
      entry.receipts.length === 1 ? 'Receipt' : `Receipt ${at + 1}`,
      cell(receipt, { look: 'code' }),
    ]),
  ]);
}

function mainFacts({ entry, center, stuck }: SubmissionPageInput, { person }: EntryLines): Block {
  const { work, state, undoes, undoneBy } = entry;
  const link = (reference: string) => cell(reference, { href: submissionHref(reference) });
  const behalf = work?.request.onBehalf;
  const isPending = state === 'pending';
  const linkMadeBy = linkMakerName(entry);
  return facts('main', undefined, [
    ['State', tag(...stateNames[state])],
    ['Person', person],
    ['Center', center?.title ?? shortId(entry.center)],
    ['Channel', channelNames[entry.channel]],
    ['Submitted', moment(entry.submittedAt)],
    ['Done', entry.doneAt === undefined ? undefined : moment(entry.doneAt)],
    ['Global Privacy Control', entry.globalPrivacyControl],
    isPending && ['Next try', moment(entry.dueAt)],
    isPending && ['Tries without a result', work?.attempts ?? 0],
    stuck && ['Task on the platform', stuckCell(stuck)],
    work?.problem && ['Last error', problemName(work.problem)],
    undoes !== undefined && ['Undoes', link(undoes)],
    undoneBy !== undefined && ['Undone by', link(undoneBy)],
    linkMadeBy !== undefined && ['Link made by', linkMadeBy],
    behalf && ['On their behalf, by', behalf.staff],
    behalf && ['Reason given by staff', behalf.reason],
  ]);
}

function stuckCell({ state, task }: Pick<StuckTask, 'state' | 'task'>): Cell {
  const words = {
    making: 'being made',
    due: 'could not be made; tried again',
    lost: 'its answer was lost: look for the reference on the platform. No other one is made',
    open: 'open',
    closed: 'closed',
  };
  return cell(words[state], task === undefined ? {} : { href: taskHref(task) });
}

function retryForm({ entry }: SubmissionPageInput): FormBlock {
  return form({
    id: 'retry',
    heading: 'Try it again now',
    about:
      'It is tried by itself, too: after an error in 1 second to 5 minutes. A wait that the platform asked for is kept.',
    action: `${submissionHref(entry.reference)}/retry`,
    layout: 'line',
    label: 'Try again now',
  });
}

function itemTable({ work, evidence, everything }: JournalEntry, nameOf: NameOf): Block | undefined {
  const items = work?.items ?? evidence?.ended?.items;
  if (items === undefined) return undefined;
  const typed = new Map(
    work?.request.intent.dataElements.map((change) => [change.element, change.value.length]),
  );
  return table({
    id: 'asked',
    heading: 'Changes',
    caption: 'Each change with its outcome',
    columns: {
      Name: ({ what, id, receipt }) =>
        cell(nameOf(what, id), {
          folded: details([
            [whatNames[what], id],
            ['Receipt', receipt],
          ]),
        }),
      Outcome: ({ outcome }) => tag(...outcomeNames[outcome]),
      Change: ({ what, id, change }) => {
        const length = what === 'data-element' ? typed.get(id) : undefined;
        const more = length === 0 ? 'emptied' : length !== undefined && `${length} characters, not shown`;
        return cell(changeNames[change][0], { more });
      },
      Kind: ({ what }) => whatNames[what],
    },
    rows: items,
    empty: everything
      ? 'Will be unsubscribed from all; the single purposes are known once the record is read.'
      : 'Nothing was asked for.',
  });
}

function reasonTable({ request: { reasons } }: Work): Block | undefined {
  if (reasons.length === 0) return undefined;
  return table({
    id: 'reasons',
    heading: 'Reasons for leaving',
    caption: 'Reasons that the person gave',
    columns: { Reason: ({ id, text }) => cell(text, { more: id === undefined && 'in their own words' }) },
    rows: reasons,
  });
}

function callTable(calls: readonly CallMade[], nameOf: NameOf): TableView {
  return table({
    id: 'calls',
    heading: 'Calls that were made',
    about:
      'Reading calls are not listed. “To leave a refusal” puts a purpose on for a moment, because only then the platform records that it was refused.',
    caption: 'Writing calls and their answers',
    columns: {
      When: ({ at }) => moment(at),
      Call: ({ kind, why }) =>
        cell(kind === 'delete' ? 'DELETE (all)' : 'PUT', {
          more: why === 'record-refusal' && 'to leave a refusal',
        }),
      Sent: ({ update }) =>
        cell(update && `${amount(update.purposes.length, 'purpose')} on`, {
          more: update?.purposes.map(({ id }) => nameOf('purpose', id)).join(', '),
        }),
      Result: (call) => tag(...callResult(call)),
      Answers: ({ answer: { items } = { items: [] } }) => {
        const receipts = new Set(items.flatMap(({ receipt }) => receipt ?? []));
        const lines = items.map(({ purpose, accepted, messages }) => {
          const suffix = messages.length === 0 ? '' : ` (${messages.join(', ')})`;
          return `${nameOf('purpose', purpose)}: ${accepted ? 'accepted' : 'refused'}${suffix}`;
        });
        return cell(lines.join('\n'), { more: [...receipts].join('\n') });
      },
    },
    rows: calls,
    empty: 'No call was made: nothing had to be changed, or the platform has not been reached yet.',
  });
}
