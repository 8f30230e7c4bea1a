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
  /** Where the person may choose among everything; undefined where a center has no sign-in. */
  readonly choicesHref: string | undefined;
}

/** One button. Looking at it changes nothing: scanners open every link of a mail. */
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
  /** A message to the person's own address: this link may only withdraw. undefined where none can be sent. */
  readonly undo: OneButtonForm | undefined;
}

/** After the button. What is not done yet is on its way, and cannot be lost any more. */
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

/** `instead`: no person is told to be unsubscribed from what cannot be left, never was confirmed, or is not there. */
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

/** Everything but what is always active: both are named. */
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

/** In the words for everything, for a purpose by its name, or for one whose name is not known. */
function about(input: Setting, said: 'intro' | 'doneFrom'): string {
  const { oneClick: words } = messagesFor(input.language);
  const { purpose } = input.oneClick;
  if (purpose === undefined) return words[`${said}All`];
  const name = nameOf(input, purpose);
  return name === undefined ? words[`${said}One`] : fill(words[said], { name });
}

/** What is on record though no center has it any more can be left all the same, but it is not known here. */
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
