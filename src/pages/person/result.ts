import { purposesOf } from '../../core/consent/merge-set.ts';
import { consentStatus } from '../../core/consent/status.ts';
import { undoable, undoLife } from '../../core/consent/undo.ts';
import { isUnsaved } from '../../core/consent/unsaved.ts';
import { type Center, type Item, itemsOf } from '../../core/model/center/center.ts';
import { recordOf, type Subject } from '../../core/model/person/subject.ts';
import type { EventStop } from '../../core/model/submission/center-event.ts';
import type { ItemResult, Submission } from '../../core/model/submission/submission.ts';
import { fill, type Messages, messagesFor } from '../../i18n/catalogue.ts';
import { writtenUtc } from '../../i18n/format.ts';
import { findLabel } from '../../i18n/label.ts';
import { type Note, note } from '../layout.ts';
import { buildLayout, type PageContext } from './layout.ts';
import { createNames, createPageOrder, type NamesInput } from './names.ts';
import { itemText, kindOf, kinds, type ResultTitleInput, resultTitle } from './result-words.ts';
import { cutNote } from './unsubscribe.ts';

export interface OutcomeInput extends ResultTitleInput, NamesInput {
  readonly now: number;
  /** The form of undo, if undo is still offered; undefined when nothing can be undone. */
  readonly undo:
    | {
        readonly action: string;
        readonly token: string;
        /** Set if undo needs a message first, because this visitor may only withdraw. */
        readonly isByMail?: boolean;
        /** Items that undo does not restore as they were. */
        readonly leavesOut: readonly ItemResult[];
      }
    | undefined;
  /** The submission that this one undoes. */
  readonly undoes?: Submission | undefined;
}

export interface ResultPageInput extends OutcomeInput {
  readonly pageContext: PageContext;
  /** The address of a page that shows unsaved changes again; undefined if nothing is known of them. */
  readonly againHref?: ((page: string) => string) | undefined;
  readonly backHref: string;
  /** Systems that acknowledged the withdrawal. */
  readonly stops?: readonly EventStop[] | undefined;
  /** Set if only the beginning of the reason for leaving was kept. */
  readonly isReasonCut?: boolean | undefined;
  /** Set if only the withdrawals in the form were accepted, and it could not be shown again. */
  readonly isPartlyTaken?: boolean | undefined;
}

export type ResultPage = ReturnType<typeof buildResultPage>;

/** The page of a submission's result, item by item. */
export function buildResultPage(given: ResultPageInput) {
  const { center, language } = given;
  const { submission, ...outcome } = buildOutcome(given);
  const { result } = messagesFor(language);
  return {
    layout: buildLayout({ pageContext: given.pageContext, center, language, title: outcome.title }),
    // A tick stands before the title.
    isDone: isSaved(submission),
    notes: [
      ...resultNotes(submission, result),
      // The time is in UTC, because the reader's time zone is not known.
      ...(given.stops ?? []).map(({ name, at }) =>
        note('success', fill(result.stopped, { name, time: writtenUtc(at, language) })),
      ),
      ...(given.isPartlyTaken === true ? [partlyTakenNote(language)] : []),
      ...(given.isReasonCut === true ? [cutNote(center, language)] : []),
    ],
    outcome,
    againHref: againHrefOf({ ...given, submission }),
    backHref: given.backHref,
    refresh: refreshAfter(submission, given.now),
  };
}

/** The result of a saved form, shown over the same form. */
export interface SavedHere extends ReturnType<typeof buildOutcome> {
  /** The page's id in its address, or ''. */
  readonly here: string;
}

/**
 * Builds the result, the same for its own page and over the form that was sent. `submission`: with items that
 * the center no longer offers marked so.
 */
export function buildOutcome(given: OutcomeInput) {
  const input = { ...given, submission: withNotOffered(given.submission, given.center) };
  const { language, submission } = input;
  const { result, oneClick } = messagesFor(language);
  const { undo } = input;
  const undoLabel = input.kind === 'undone' ? result.redo : result.undo;
  return {
    submission,
    title: resultTitle(input),
    lines: buildLines(input),
    reference: submission.reference,
    // A receipt proves something even if it belongs to no item.
    receipts: [
      ...new Set([...submission.items.flatMap((item) => item.receipt ?? []), ...submission.receipts]),
    ],
    undo:
      undo !== undefined && mayUndo(submission, input.now)
        ? {
            action: undo.action,
            token: undo.token,
            label: undo.isByMail === true ? oneClick.undo : undoLabel,
            // Items that undo does not restore are named before its button.
            leavesOut: createPageOrder(input.center)(undo.leavesOut).map(createNames(input)),
          }
        : undefined,
  };
}

/** Whether all was saved as asked. */
export function isSaved({ state, items }: Submission): boolean {
  return state === 'done' && items.every(isAsAsked);
}

/** Whether undo is offered: once, for 30 minutes, for a submission that is done and has changed something. */
export function mayUndo(submission: Submission, now: number): boolean {
  if (submission.state !== 'done' || submission.undoneBy !== undefined) return false;
  if (now - (submission.doneAt ?? submission.submittedAt) >= undoLife) return false;
  return submission.items.some(({ outcome }) => undoable.has(outcome));
}

function isAsAsked(item: ItemResult): boolean {
  const kind = kindOf(item);
  return kind === 'saved' || kind === 'unchanged' || (kind === 'locked' && item.change === 'off');
}

/** The link to the first unsaved item, on the first page that shows one. */
function againHrefOf({ submission, center, againHref }: ResultPageInput): string | undefined {
  if (againHref === undefined || submission.state === 'pending') return undefined;
  const failed = new Set(submission.items.filter(isUnsaved).map(({ id }) => id));
  for (const page of center.pages) {
    const displayed = page.sections.flatMap(({ items }) => items.flatMap(anchorOf));
    const first = displayed.find(({ id }) => failed.has(id));
    if (first !== undefined) return `${againHref(page.id)}#${first.anchor}`;
  }
  return undefined;
}

/** The anchor of an item on its page. */
function anchorOf(item: Item): { readonly id: string; readonly anchor: string } | readonly [] {
  if (item.kind === 'text') return [];
  if (item.kind === 'purpose') return { id: item.purpose.id, anchor: `purpose-${item.purpose.id}` };
  return { id: item.element.id, anchor: `element-${item.element.id}` };
}

function resultNotes(submission: Submission, result: Messages['result']): readonly Note[] {
  if (submission.aftermath === 'repeated') return [note('warning', result.repeated)];
  if (submission.aftermath === 'watched') return [note('info', result.watched)];
  if (submission.undoneBy !== undefined) return [note('info', result.undone)];
  if (submission.items.length === 0 && submission.state === 'done' && !submission.everything) {
    return [note('info', result.nothingText)];
  }
  return [];
}

/** A note that only the withdrawals in a form were accepted. */
export function partlyTakenNote(language: string): Note {
  const { changedTitle, changedTakenText } = messagesFor(language).review;
  return note('warning', changedTitle, changedTakenText);
}

/** A note over a page on which the person chooses the unsaved changes again. */
export function tryAgainNote(language: string): Note {
  const { result } = messagesFor(language);
  return note('warning', result.tryAgainTitle, result.tryAgainText);
}

/** A note over a page whose form was sent without a change. */
export function unchangedNote(language: string): Note {
  const { result } = messagesFor(language);
  return note('info', result.nothing, result.nothingText);
}

function buildLines(input: OutcomeInput) {
  const { center, language, submission } = input;
  const messages = messagesFor(language);
  const { all, switchingOff, staysOffText, switchedOff, notOfferedText } = messages.result;
  const nameOf = createNames(input);
  const place = (item: ItemResult) => kinds.indexOf(kindOf(item));
  const lines = createPageOrder(center)(submission.items)
    .toSorted((one, other) => place(one) - place(other))
    .map((item) => ({ kind: kindOf(item), name: nameOf(item), text: itemText(item, messages) }));
  if (lines.length === 0 && submission.everything && submission.state !== 'done')
    lines.push({ kind: 'in-progress', name: { text: all }, text: switchingOff });
  const shown = new Set(itemsOf(center).flatMap((item) => (item.kind === 'purpose' ? item.purpose.id : [])));
  const left = stayingOff(input).map((item) => {
    // A purpose that no page shows can only be withdrawn.
    const offered = shown.has(item.id) ? staysOffText : switchedOff;
    const text = mayOffer(center, item.id) ? offered : notOfferedText;
    return { kind: 'stays-off' as const, name: nameOf(item), text };
  });
  return [...lines, ...left];
}

/**
 * Items that undo does not switch on again: the person had not agreed to them, they are no longer offered, or
 * they were withdrawn again since.
 */
function stayingOff({ submission, undoes, subject, center }: OutcomeInput): readonly ItemResult[] {
  if (undoes === undefined || subject === undefined || submission.state !== 'done') return [];
  const namedIds = new Set(submission.items.map(({ id }) => id));
  const left = undoes.items.filter(({ what, id, change, outcome }) => {
    const record = recordOf(subject, id);
    const isLeft = what === 'purpose' && change === 'off' && !namedIds.has(id);
    const isSure = outcome === 'saved' || outcome === 'unconfirmed';
    return isLeft && isSure && record !== undefined && consentStatus(undefined, record) === 'off';
  });
  return createPageOrder(center)(left);
}

/**
 * A note over the page to which the platform leads a person after a confirmation by mail; its text follows
 * the current record.
 */
export function confirmedNote({
  center,
  subject: { purposes },
  language,
}: Pick<ResultPageInput, 'center' | 'language'> & { readonly subject: Subject }): Note {
  const { states } = messagesFor(language);
  if (purposes.some(({ status }) => status === 'pending')) {
    const title = findLabel(center, language, 'unconfirmed') ?? states.waiting;
    return note('warning', title, states.waitingHint);
  }
  const words = purposes.some(({ status }) => status === 'active')
    ? findLabel(center, language, 'confirmed')
    : undefined;
  return note('info', words ?? states.nothingWaits);
}

/**
 * Milliseconds after which a grant is decided: it is saved within a minute or not at all, and one second is
 * added.
 */
const grantsEnd = 61_000;

/** Seconds until a waiting page reloads: soon at first, then rarely. */
function refreshAfter(submission: Submission, now: number): number | undefined {
  const isInDoubt = submission.items.some(({ outcome }) => outcome === 'in-doubt');
  if (submission.state !== 'pending' && !isInDoubt) return undefined;
  const age = now - submission.submittedAt;
  if (age < 30_000) return 3;
  const untilSure = Math.ceil((grantsEnd - age) / 1000);
  if (untilSure > 0 && submission.items.some(({ outcome }) => outcome === 'in-progress'))
    return Math.min(15, untilSure);
  return age < 10 * 60_000 ? 15 : 60;
}

/**
 * The submission with unsaved grants marked that cannot be chosen again, because the center has retired or
 * removed the purpose.
 */
function withNotOffered(submission: Submission, center: Center): Submission {
  const isOver = (item: ItemResult) =>
    item.what === 'purpose' && item.change === 'on' && isUnsaved(item) && !mayOffer(center, item.id);
  return {
    ...submission,
    items: submission.items.map((item) => (isOver(item) ? { ...item, outcome: 'no-such-purpose' } : item)),
  };
}

/** Whether the center offers the purpose; also true while the schema cannot be read. */
function mayOffer(center: Center, id: string): boolean {
  const purposes = purposesOf(center);
  return purposes.size === 0 || purposes.get(id)?.active === true;
}
