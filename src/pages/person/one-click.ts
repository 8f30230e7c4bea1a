import { purposesOf } from '../../core/consent/merge-set.ts';
import type { OneClick } from '../../core/consent/one-click.ts';
import { maskIdentifier } from '../../core/model/person/subject.ts';
import type { Outcome, Submission } from '../../core/model/submission/submission.ts';
import { fill, messageLanguage, messagesFor } from '../../i18n/catalogue.ts';
import { label } from '../../i18n/label.ts';
import { chooseText } from '../../i18n/language.ts';
import type { AnySetting } from './layout.ts';
import { buildOneButtonPage, type OneButtonForm, type OneButtonPage } from './one-button.ts';

interface Setting extends AnySetting {
  readonly oneClick: OneClick;
  /** The address where the person can choose among all purposes; undefined if the center has no sign-in. */
  readonly choicesHref: string | undefined;
}

/**
 * The page of a one-click link, with one button. Opening it changes nothing, because scanners open every link
 * of a mail.
 */
export function buildOneClickPage(
  input: Setting & { readonly form: { readonly action: string; readonly token: string } },
): OneButtonPage {
  const { oneClick: words } = messagesFor(input.language);
  return buildOneButtonPage(input, {
    title: words.title,
    lines: [isNotOffered(input) ? words.notOffered : about(input, 'intro')],
    about: maskIdentifier(input.oneClick.subject),
    form: {
      ...input.form,
      fields: [{ name: 'List-Unsubscribe', value: 'One-Click' }],
      button: words.button,
    },
    links: linksOf(input),
  });
}

interface Done extends Setting {
  readonly submission: Pick<Submission, 'state' | 'reference' | 'items'>;
  /**
   * The form to undo, which sends a message to the person's own address, because this link may only withdraw.
   * undefined if no message can be sent.
   */
  readonly undo: OneButtonForm | undefined;
}

/** The page after the button. A withdrawal that is not done yet is stored and cannot be lost. */
export function buildOneClickDonePage(input: Done): OneButtonPage {
  const { oneClick: words } = messagesFor(input.language);
  const { submission, undo } = input;
  const { title, instead } = endingOf(input);
  const lines = [
    ...(staysOn(input) ?? [about(input, 'doneFrom')]),
    words.doneText,
    ...(undo === undefined ? [] : [words.undoText]),
  ];
  return buildOneButtonPage(input, {
    title,
    isDone: submission.state === 'done' && instead === undefined,
    lines: instead === undefined ? lines : [instead],
    numbers: { reference: submission.reference, receipts: [] },
    form: undo && instead === undefined ? { ...undo, button: words.undo } : undefined,
    links: linksOf(input),
  });
}

/**
 * The title, and lines to show `instead` of the usual ones: no person may be told that a purpose was
 * unsubscribed which is always active, was never confirmed, or does not exist.
 */
function endingOf(input: Done): { readonly title: string; readonly instead?: string | undefined } {
  const { center, language, oneClick, submission } = input;
  const { oneClick: words, result, states } = messagesFor(language);
  const endings: Partial<Record<Outcome, readonly [title: string, instead: string]>> = {
    locked: [result.locked, states.alwaysActiveHint],
    waiting: [result.nothing, result.neverConfirmed],
    'no-such-purpose': [result.nothing, words.notOffered],
  };
  const isOfAll = center !== undefined && oneClick.purpose === undefined;
  const doneTitle = isOfAll ? label(center, language, 'unsubscribe-success') : words.doneTitle;
  const [outcome, other] = new Set(submission.items.map((item) => item.outcome));
  const [title, instead] = (outcome && other === undefined && endings[outcome]) || [doneTitle];
  const isMissing = submission.state === 'pending' && isNotOffered(input);
  return {
    title: submission.state === 'done' ? title : result.inProgress,
    instead: isMissing ? words.notOffered : instead,
  };
}

/** Lines for a withdrawal from all that leaves always-active purposes on; both groups are named. */
function staysOn(input: Done): readonly string[] | undefined {
  const { language, submission } = input;
  const { result, unsubscribe } = messagesFor(language);
  const named = (outcome: Outcome) => {
    const purposes = submission.items
      .filter((item) => item.outcome === outcome)
      .flatMap((item) => nameOf(input, item.id) ?? []);
    return new Intl.ListFormat(messageLanguage(language)).format(purposes);
  };
  const [stays, goes] = [named('locked'), named('saved')];
  if (stays === '' || goes === '') return undefined;
  return [`${result.switchedOff} ${goes}`, `${unsubscribe.stays}: ${stays}`];
}

/** The text for all purposes, for a purpose by its name, or for one whose name is not known. */
function about(input: Setting, wording: 'intro' | 'doneFrom'): string {
  const { oneClick: words } = messagesFor(input.language);
  const { purpose } = input.oneClick;
  if (purpose === undefined) return words[`${wording}All`];
  const name = nameOf(input, purpose);
  return name === undefined ? words[`${wording}One`] : fill(words[wording], { name });
}

/** Whether the purpose is not in the center any more. It can still be on record, and be withdrawn. */
function isNotOffered({ center, oneClick: { purpose } }: Setting): boolean {
  return center !== undefined && purpose !== undefined && !purposesOf(center).has(purpose);
}

function nameOf({ center, language }: AnySetting, id: string): string | undefined {
  const purpose = center && purposesOf(center).get(id);
  return center && purpose && chooseText(purpose.name, language, center.defaultLanguage)?.text;
}

function linksOf({ choicesHref, language }: Setting): OneButtonPage['links'] {
  if (choicesHref === undefined) return [];
  return [{ href: choicesHref, label: messagesFor(language).labels['sign-in-title'] }];
}
