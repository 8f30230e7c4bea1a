import { undoLife } from '../../core/consent/undo.ts';
import { type Center, everyPurpose, itemsOf } from '../../core/model/center.ts';
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
import { fillCount } from '../../i18n/fill.ts';
import { label } from '../../i18n/label.ts';
import { chooseText } from '../../i18n/language.ts';
import type { LocalizedText } from '../../i18n/localized-text.ts';
import type { ResultGroup, ResultPage } from '../every-page.ts';
import type { Note } from '../layout.ts';
import { buildLayout, languageNameAmong, type PageContext } from './layout.ts';
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
  readonly backHref: string;
  /** Of the reason for leaving only the beginning was kept. */
  readonly isReasonCut?: boolean | undefined;
  /** Of the form only what it switched off was taken, and it could not be shown again. */
  readonly isPartlyTaken?: boolean | undefined;
}

/** What became of one submission, item by item. */
export function buildResultPage(input: ResultPageInput): ResultPage {
  const { center, language, submission } = input;
  const messages = messagesFor(language);
  const title = resultTitle(submission, center, language);
  const groups = buildGroups(input);
  return {
    layout: buildLayout({ pageContext: input.pageContext, center, language, title }),
    notes: [
      ...resultNotes(submission, messages),
      ...(input.isPartlyTaken === true ? [partlyTakenNote(language)] : []),
      ...(input.isReasonCut === true ? [cutNote(center, language)] : []),
    ],
    groups: groups.map((group) => {
      return groups.length === 1 && group.title === title ? { ...group, title: undefined } : group;
    }),
    reference: { label: messages.page.reference, value: submission.reference },
    undo:
      input.undo !== undefined && mayUndo(submission, input.now)
        ? { ...input.undo, label: messages.result.undo }
        : undefined,
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

/** The whole in one line: the center's own words where all went one way. */
function resultTitle(submission: Submission, center: Center, language: string): string {
  const { result } = messagesFor(language);
  const outcomes = new Set(submission.items.map((item) => shownOutcome(item)));
  const only = (...allowed: Outcome[]) => [...outcomes].every((outcome) => allowed.includes(outcome));
  if (outcomes.has('in-progress')) return result.inProgress;
  if (submission.items.length === 0) {
    if (submission.state === 'pending') {
      return submission.everything ? result.beingCarriedOut : result.inProgress;
    }
    if (submission.state === 'failed') return label(center, language, 'update-error');
    return submission.everything ? label(center, language, 'unsubscribe-success') : result.nothing;
  }
  if (only('unchanged')) return result.nothing;
  if (only('saved', 'unchanged')) {
    return label(center, language, submission.everything ? 'unsubscribe-success' : 'update-success');
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
  if (submission.undoes !== undefined && submission.items.some((item) => item.outcome === 'saved')) {
    return [note('success', result.isUndo)];
  }
  if (submission.items.length === 0 && submission.state === 'done' && !submission.everything) {
    return [note('info', result.nothingText)];
  }
  return [];
}

/** What nobody asked for, or what is on record all the same, is no choice that was not saved. */
type Kind = Exclude<Outcome, 'unconfirmed'> | 'to-check';

function kindOf(item: ItemResult): Kind {
  const outcome = shownOutcome(item);
  return item.change === 'keep' || outcome === 'unconfirmed' ? 'to-check' : outcome;
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
];

function buildGroups(input: ResultPageInput): readonly ResultGroup[] {
  const { center, language, submission } = input;
  const messages = messagesFor(language);
  const nameOf = createNames(input);
  const items = inPageOrder(submission.items, center);
  const groups: ResultGroup[] = [];
  const attributed = new Set<string>();
  for (const { kind, tone } of order) {
    const mine = items.filter((item) => kindOf(item) === kind);
    if (mine.length === 0) continue;
    const receipts = [...new Set(mine.flatMap((item) => item.receipt ?? []))];
    for (const receipt of receipts) attributed.add(receipt);
    groups.push({
      tone,
      title: groupTitle(kind, mine.length, language),
      items: mine.map((item) => ({ name: nameOf(item), text: itemText(item, messages) })),
      receipts,
      receiptLabel: messages.result.receipt,
    });
  }
  if (groups.length === 0 && submission.everything && submission.state !== 'done') {
    groups.push(groupForEverything(messages));
  }
  // A receipt that came with no item of ours still proves something: it stands with what was saved.
  const loose = submission.receipts.filter((receipt) => !attributed.has(receipt));
  const [first, ...others] = groups;
  if (first === undefined || loose.length === 0) return groups;
  return [{ ...first, receipts: [...first.receipts, ...loose] }, ...others];
}

function groupForEverything({ result }: Messages): ResultGroup {
  return {
    tone: 'info',
    title: result.beingCarriedOut,
    items: [{ name: unmarked(result.everything), text: result.switchingOff }],
    receipts: [],
    receiptLabel: result.receipt,
  };
}

function groupTitle(kind: Kind, count: number, language: string): string {
  const { result } = messagesFor(language);
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
      return result.locked;
    case 'unchanged':
      return result.unchanged;
  }
}

type ResultText = Exclude<keyof Messages['result'], 'notSaved'>;

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
  'not-saved': {
    on: 'notSwitchedOn',
    off: 'notSwitchedOff',
    adjust: 'notChanged',
    add: 'notAdded',
    reduce: 'notChanged',
    typed: 'notChanged',
    language: 'notChanged',
    keep: 'notKept',
  },
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

export function itemText({ outcome, change }: ItemResult, { result, states }: Messages): string {
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
      return result.lockedText;
    case 'unconfirmed':
      return result.unconfirmed;
    default:
      return result[changeTexts[outcome][change]];
  }
}

/** In the page's language: what the schema says, else what the platform calls it on the person's record. */
export function createNames({
  center,
  language,
  subject,
}: Pick<ResultPageInput, 'center' | 'language' | 'subject'>): (
  item: Pick<ItemResult, 'what' | 'id'>,
) => LocalizedText {
  const names = new Map<string, LocalizedText | undefined>();
  for (const record of subject?.purposes ?? []) {
    if (record.label !== undefined && record.label.trim() !== '') {
      names.set(`purpose ${record.purpose}`, unmarked(record.label));
    }
  }
  for (const { id, name } of everyPurpose(center)) {
    const shown = chooseText(name, language, center.defaultLanguage);
    if (shown !== undefined) names.set(`purpose ${id}`, shown);
  }
  for (const item of itemsOf(center)) {
    if (item.kind !== 'data-element') continue;
    const { id, name, label } = item.element;
    names.set(`data-element ${id}`, chooseText(name, language, center.defaultLanguage) ?? unmarked(label));
  }
  const unnamed = unmarked(messagesFor(language).page.unnamed);
  return (item) => {
    if (item.what === 'language') return unmarked(languageNameAmong(center.languages, item.id));
    return names.get(`${item.what} ${item.id}`) ?? unnamed;
  };
}

/** What no page draws comes last. */
export function inPageOrder(items: readonly ItemResult[], center: Center): readonly ItemResult[] {
  const places = new Map<string, number>();
  for (const item of itemsOf(center)) {
    if (item.kind === 'text') continue;
    const id = item.kind === 'purpose' ? item.purpose.id : item.element.id;
    if (!places.has(id)) places.set(id, places.size);
  }
  const place = (item: ItemResult) => places.get(item.id) ?? places.size;
  return items.toSorted((a, b) => place(a) - place(b));
}
