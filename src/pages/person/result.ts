import { consentStatus } from '../../core/consent/status.ts';
import { undoLife } from '../../core/consent/undo.ts';
import { isUnsaved } from '../../core/consent/unsaved.ts';
import { type Center, everyPurpose, itemsOf } from '../../core/model/center.ts';
import type { EventStop } from '../../core/model/center-event.ts';
import type { Subject } from '../../core/model/subject.ts';
import {
  type ChangeKind,
  type ItemResult,
  type Outcome,
  type Submission,
  shownOutcome,
} from '../../core/model/submission.ts';
import type { Messages } from '../../i18n/catalogue.ts';
import { messageLanguage, messagesFor } from '../../i18n/catalogue.ts';
import { fill, fillCount } from '../../i18n/fill.ts';
import { writtenMoment } from '../../i18n/format.ts';
import { label } from '../../i18n/label.ts';
import type { ResultGroup, ResultPage } from '../every-page.ts';
import type { Note } from '../layout.ts';
import { buildLayout, type PageContext } from './layout.ts';
import { createNames, inPageOrder } from './names.ts';
import { mayOffer, withNotOffered } from './offered.ts';
import { partlyTakenNote } from './partly-taken.ts';
import { unmarked } from './preferences-purpose.ts';
import { refreshAfter } from './refresh.ts';
import { cutNote } from './unsubscribe.ts';

export interface ResultPageInput {
  readonly pageContext: PageContext;
  readonly center: Center;
  /** Names purposes that no page draws; undefined when the record could not be read. */
  readonly subject: Subject | undefined;
  readonly language: string;
  readonly submission: Submission;
  readonly now: number;
  /** Where undo posts to, should it be offered; undefined when nothing can be undone. */
  readonly undo: { readonly action: string; readonly token: string } | undefined;
  /** Whether it undoes another, or undoes an undoing. */
  readonly kind?: 'undone' | 'redone' | undefined;
  /** What it undoes. */
  readonly undoes?: Submission | undefined;
  /** Where a page of the center shows again what was not saved; undefined where nothing of it is known. */
  readonly againHref?: ((page: string) => string) | undefined;
  readonly backHref: string;
  /** Systems that acknowledged what was withdrawn. */
  readonly stops?: readonly EventStop[] | undefined;
  /** Of the reason for leaving only the beginning was kept. */
  readonly isReasonCut?: boolean | undefined;
  /** Of the form only what it switched off was taken, and it could not be shown again. */
  readonly isPartlyTaken?: boolean | undefined;
}

/** What became of one submission, item by item. */
export function buildResultPage(given: ResultPageInput): ResultPage {
  const input = { ...given, submission: withNotOffered(given.submission, given.center) };
  const { center, language, submission } = input;
  const messages = messagesFor(language);
  const { result } = messages;
  const title = resultTitle(input);
  const groups = buildGroups(input);
  return {
    layout: buildLayout({ pageContext: input.pageContext, center, language, title }),
    isDone: submission.state === 'done' && submission.items.every(isAsAsked),
    notes: [
      ...resultNotes(submission, messages),
      ...stopNotes(input, messages),
      ...(input.isPartlyTaken === true ? [partlyTakenNote(language)] : []),
      ...(input.isReasonCut === true ? [cutNote(center, language)] : []),
    ],
    groups: groups.map((group) => {
      return groups.length === 1 && group.title === title ? { ...group, title: undefined } : group;
    }),
    details: {
      label: result.details,
      ids: [
        ...receiptsOf(submission).map((value) => ({ label: result.receipt, value })),
        { label: messages.page.reference, value: submission.reference },
      ],
    },
    undo:
      input.undo !== undefined && mayUndo(submission, input.now)
        ? { ...input.undo, label: input.kind === 'undone' ? result.redo : result.undo }
        : undefined,
    again: buildAgain(input, messages.problems.again),
    back: { href: input.backHref, label: messages.page.back },
    refresh: refreshAfter(submission, input.now),
  };
}

const undoable: ReadonlySet<Outcome> = new Set(['saved', 'unconfirmed', 'in-doubt']);

/** Undo is offered once, for 30 minutes, for what is done and has changed something. */
export function mayUndo(submission: Submission, now: number): boolean {
  if (submission.state !== 'done' || submission.undoneBy !== undefined) return false;
  if (now - (submission.doneAt ?? submission.submittedAt) >= undoLife) return false;
  return submission.items.some(({ outcome }) => undoable.has(outcome));
}

function isAsAsked(item: ItemResult): boolean {
  const kind = kindOf(item);
  return kind === 'saved' || kind === 'unchanged' || (kind === 'locked' && item.change === 'off');
}

/** Also one that came with no item of ours proves something. */
function receiptsOf({ items, receipts }: Submission): readonly string[] {
  return [...new Set([...items.flatMap((item) => item.receipt ?? []), ...receipts])];
}

/** On the first page that draws something of what was not saved. */
function buildAgain({ submission, center, againHref }: ResultPageInput, label: string): ResultPage['again'] {
  if (againHref === undefined || submission.state === 'pending') return undefined;
  const failed = new Set(submission.items.filter(isUnsaved).map(({ id }) => id));
  const page = center.pages.find(({ sections }) =>
    sections.some(({ items }) =>
      items.some((item) => {
        if (item.kind === 'text') return false;
        return failed.has(item.kind === 'purpose' ? item.purpose.id : item.element.id);
      }),
    ),
  );
  return page === undefined ? undefined : { href: againHref(page.id), label };
}

/** The whole in one line: the center's own words where all went one way. */
function resultTitle({ submission, center, language, kind }: ResultPageInput): string {
  const { result } = messagesFor(language);
  // What is always active was never to be left.
  const outcomes = new Set(
    submission.items
      .filter((item) => !(submission.everything && item.outcome === 'locked' && item.change === 'off'))
      .map((item) => shownOutcome(item)),
  );
  const only = (...allowed: Outcome[]) => [...outcomes].every((outcome) => allowed.includes(outcome));
  const left = label(center, language, 'unsubscribe-success');
  if (outcomes.has('in-progress')) return result.inProgress;
  if (submission.items.length === 0) {
    if (submission.state === 'pending') {
      return submission.everything ? result.beingCarriedOut : result.inProgress;
    }
    if (submission.state === 'failed') return label(center, language, 'update-error');
    return submission.everything ? left : result.nothing;
  }
  if (only('unchanged', 'no-such-purpose')) return submission.everything ? left : result.nothing;
  if (only('saved', 'unchanged') && kind === 'undone') return result.undoneTitle;
  if (only('saved', 'unchanged')) {
    return submission.everything ? left : label(center, language, 'update-success');
  }
  if (only('being-carried-out', 'unchanged')) return result.beingCarriedOut;
  if (only('waiting', 'unchanged')) return result.waiting;
  if (only('in-doubt', 'unchanged')) return result.inDoubt;
  if (only('reworded', 'unchanged')) return result.reworded;
  if (only('not-saved')) return label(center, language, 'update-error');
  return result.title;
}

function resultNotes(submission: Submission, { result }: Messages): readonly Note[] {
  const note = (tone: Note['tone'], title: string): Note => ({ tone, title, lines: [], receipt: undefined });
  if (submission.aftermath === 'repeated') return [note('warning', result.repeated)];
  if (submission.aftermath === 'watched') return [note('info', result.watched)];
  if (submission.undoneBy !== undefined) return [note('info', result.undone)];
  if (submission.items.length === 0 && submission.state === 'done' && !submission.everything) {
    return [note('info', result.nothingText)];
  }
  return [];
}

/** The reader's time zone is not known here. */
function stopNotes({ stops = [], language }: ResultPageInput, { result }: Messages): readonly Note[] {
  return stops.map(({ name, at }) => ({
    tone: 'success',
    title: fill(result.stopped, { name, time: `${writtenMoment(at, language)} UTC` }),
    lines: [],
    receipt: undefined,
  }));
}

/** Over a page on which what was not saved is chosen again. */
export function tryAgainNote(language: string): Note {
  const { result } = messagesFor(language);
  return { tone: 'warning', title: result.tryAgainTitle, lines: [result.tryAgainText], receipt: undefined };
}

/** Over a page whose form was sent as it had been drawn. */
export function unchangedNote(language: string): Note {
  const { result } = messagesFor(language);
  return { tone: 'info', title: result.nothing, lines: [result.nothingText], receipt: undefined };
}

/** What nobody asked for, or what is on record all the same, is no choice that was not saved. */
type Kind = Exclude<Outcome, 'unconfirmed'> | 'to-check';

function kindOf(item: ItemResult): Kind {
  const outcome = shownOutcome(item);
  const isNotKept = item.change === 'keep' && outcome === 'not-saved';
  return isNotKept || outcome === 'unconfirmed' ? 'to-check' : outcome;
}

const order: readonly { readonly kind: Kind; readonly tone: ResultGroup['tone'] }[] = [
  { kind: 'saved', tone: 'success' },
  { kind: 'in-progress', tone: 'info' },
  { kind: 'waiting', tone: 'warning' },
  { kind: 'being-carried-out', tone: 'info' },
  { kind: 'in-doubt', tone: 'warning' },
  { kind: 'not-saved', tone: 'problem' },
  { kind: 'reworded', tone: 'warning' },
  { kind: 'to-check', tone: 'warning' },
  { kind: 'withdrawn-elsewhere', tone: 'warning' },
  { kind: 'locked', tone: 'warning' },
  { kind: 'unchanged', tone: 'info' },
  { kind: 'no-such-purpose', tone: 'warning' },
];

function buildGroups(input: ResultPageInput): readonly ResultGroup[] {
  const { center, language, submission } = input;
  const messages = messagesFor(language);
  const nameOf = createNames(input);
  const items = inPageOrder(submission.items, center);
  const groups: ResultGroup[] = [];
  for (const { kind, tone } of order) {
    const mine = items.filter((item) => kindOf(item) === kind);
    if (mine.length === 0) continue;
    groups.push({
      tone: kind === 'locked' && submission.everything ? 'info' : tone,
      title: groupTitle(kind, { count: mine.length, submission, language }),
      items: mine.map((item) => ({ name: nameOf(item), text: itemText(item, messages) })),
    });
  }
  if (groups.length === 0 && submission.everything && submission.state !== 'done') {
    groups.push(groupForEverything(messages));
  }
  const left = stayingOff(input);
  if (left.length > 0) {
    const { staysOff, staysOffText, switchedOff, notOfferedText } = messages.result;
    const drawn = new Set(
      itemsOf(center).flatMap((item) => (item.kind === 'purpose' ? item.purpose.id : [])),
    );
    const textOf = (id: string) => {
      if (!mayOffer(center, id)) return notOfferedText;
      // What no page draws can only be left.
      return drawn.has(id) ? staysOffText : switchedOff;
    };
    groups.push({
      tone: 'info',
      title: staysOff,
      items: left.map((item) => ({ name: nameOf(item), text: textOf(item.id) })),
    });
  }
  return groups;
}

/** What undoing does not put back: nobody had agreed to it, it is not offered any more, or it was left once more since. */
function stayingOff({ submission, undoes, subject, center }: ResultPageInput): readonly ItemResult[] {
  if (undoes === undefined || subject === undefined || submission.state !== 'done') return [];
  const purposes = new Map(everyPurpose(center).map((purpose) => [purpose.id, purpose]));
  const records = new Map(subject.purposes.map((record) => [record.purpose, record]));
  const told = new Set(submission.items.map(({ id }) => id));
  const left = undoes.items.filter(
    ({ what, id, change, outcome }) =>
      what === 'purpose' &&
      change === 'off' &&
      (outcome === 'saved' || outcome === 'unconfirmed') &&
      !told.has(id) &&
      records.has(id) &&
      consentStatus(purposes.get(id), records.get(id)) === 'off',
  );
  return inPageOrder(left, center);
}

function groupForEverything({ result }: Messages): ResultGroup {
  return {
    tone: 'info',
    title: result.beingCarriedOut,
    items: [{ name: unmarked(result.everything), text: result.switchingOff }],
  };
}

function groupTitle(
  kind: Kind,
  {
    count,
    submission,
    language,
  }: { readonly count: number; readonly submission: Submission; readonly language: string },
): string {
  const { result, unsubscribe } = messagesFor(language);
  switch (kind) {
    case 'saved':
      return result.saved;
    case 'in-progress':
      return result.inProgress;
    case 'waiting':
      return result.waiting;
    case 'being-carried-out':
      return result.beingCarriedOut;
    case 'in-doubt':
      return result.inDoubt;
    case 'reworded':
      return result.reworded;
    case 'not-saved':
      return fillCount(result.notSaved, messageLanguage(language), count);
    case 'to-check':
      return result.toCheck;
    case 'withdrawn-elsewhere':
      return result.elsewhere;
    case 'locked':
      return submission.everything ? unsubscribe.stays : result.locked;
    case 'unchanged':
      return result.unchanged;
    case 'no-such-purpose':
      return result.notOffered;
  }
}

type ResultText = Exclude<keyof Messages['result'], 'notSaved'>;

/** The record has texts of these names, too. */
export const notSavedTexts = {
  on: 'notSwitchedOn',
  off: 'notSwitchedOff',
  adjust: 'notChanged',
  add: 'notAdded',
  reduce: 'notChanged',
  typed: 'notChanged',
  language: 'notChanged',
  keep: 'notKept',
} as const satisfies Record<ChangeKind, ResultText & keyof Messages['record']['past']>;

const changeTexts: Readonly<
  Record<'saved' | 'in-progress' | 'not-saved' | 'unchanged', Record<ChangeKind, ResultText>>
> = {
  saved: {
    on: 'switchedOn',
    off: 'switchedOff',
    adjust: 'adjusted',
    add: 'adjusted',
    reduce: 'adjusted',
    typed: 'typed',
    language: 'languageKept',
    keep: 'adjusted',
  },
  'in-progress': {
    on: 'switchingOn',
    off: 'switchingOff',
    adjust: 'changing',
    add: 'changing',
    reduce: 'changing',
    typed: 'changing',
    language: 'changing',
    keep: 'changing',
  },
  'not-saved': notSavedTexts,
  unchanged: {
    on: 'alreadyOn',
    off: 'alreadyOff',
    adjust: 'alreadySo',
    add: 'alreadySo',
    reduce: 'alreadySo',
    typed: 'alreadySo',
    language: 'alreadySo',
    keep: 'alreadySo',
  },
};

export function itemText({ outcome, change, isAccepted }: ItemResult, { result, states }: Messages): string {
  if (isAccepted === true) return result.readingBack;
  switch (outcome) {
    case 'being-carried-out':
      return change === 'reduce' ? states.beingReducedHint : result.switchingOff;
    case 'waiting':
      return change === 'off' ? result.neverConfirmed : result.waitingText;
    case 'in-doubt':
      return result.inDoubtText;
    case 'reworded':
      return result.rewordedText;
    case 'withdrawn-elsewhere':
      return result.withdrawnElsewhere;
    case 'locked':
      return change === 'off' ? states.alwaysActiveHint : result.lockedText;
    case 'unconfirmed':
      return result.unconfirmed;
    case 'no-such-purpose':
      return result.notOfferedText;
    default:
      return result[changeTexts[outcome][change]];
  }
}
