import { purposesOf } from '../../core/consent/merge-set.ts';
import type { OneClick } from '../../core/consent/one-click.ts';
import { maskIdentifier } from '../../core/model/person/subject.ts';
import type { Outcome, Submission } from '../../core/model/submission/submission.ts';
import { fill, messagesFor } from '../../i18n/catalogue.ts';
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
    lines: [introOf(input)],
    about: maskIdentifier(input.oneClick.subject),
    form: {
      ...input.form,
      fields: [{ name: 'List-Unsubscribe', value: 'One-Click' }],
      button: words.button,
    },
    links: linksOf(input),
  });
}

/** After the button. What is not done yet is on its way, and cannot be lost any more. */
export function buildOneClickDonePage(
  input: Setting & {
    readonly submission: Pick<Submission, 'state' | 'reference' | 'items'>;
    /** A message to the person's own address: this link may only withdraw. undefined where none can be sent. */
    readonly undo: OneButtonForm | undefined;
  },
): OneButtonPage {
  const { oneClick: words } = messagesFor(input.language);
  return buildOneButtonPage(input, {
    title: doneTitle(input),
    isDone: input.submission.state === 'done' && doneText(input) === undefined,
    lines: doneText(input) ?? [
      ...(staysOn(input) ?? [
        about(input, { all: words.doneFromAll, named: words.doneFrom, unnamed: words.doneFromOne }),
      ]),
      words.doneText,
      ...(input.undo === undefined ? [] : [words.undoText]),
    ],
    numbers: { reference: input.submission.reference, receipts: [] },
    form: input.undo && doneText(input) === undefined ? { ...input.undo, button: words.undo } : undefined,
    links: linksOf(input),
  });
}

function doneTitle({
  center,
  language,
  oneClick,
  submission,
}: Parameters<typeof buildOneClickDonePage>[0]): string {
  const { oneClick: words, result } = messagesFor(language);
  if (submission.state !== 'done') return result.inProgress;
  if (isAll(submission, 'locked')) return result.locked;
  if (isAll(submission, 'waiting') || isAll(submission, 'no-such-purpose')) return result.nothing;
  if (center === undefined || oneClick.purpose !== undefined) return words.doneTitle;
  return label(center, language, 'unsubscribe-success');
}

/** No person is told to be unsubscribed from what cannot be left, never was confirmed, or is not there. */
function doneText(input: Parameters<typeof doneTitle>[0]): readonly string[] | undefined {
  const { language, submission } = input;
  const { oneClick: words, result, states } = messagesFor(language);
  const isMissing = submission.state === 'pending' && isNotOffered(input);
  if (isMissing || isAll(submission, 'no-such-purpose')) return [words.notOffered];
  if (isAll(submission, 'locked')) return [states.alwaysActiveHint];
  return isAll(submission, 'waiting') ? [result.neverConfirmed] : undefined;
}

/** Everything but what is always active: both are named. */
function staysOn(input: Parameters<typeof doneTitle>[0]): readonly string[] | undefined {
  const { center, language, submission } = input;
  const { result, unsubscribe } = messagesFor(language);
  const named = (outcome: Outcome) => {
    const purposes = submission.items
      .filter((item) => item.outcome === outcome)
      .flatMap((item) => nameOf({ center, language, purpose: item.id }) ?? []);
    return new Intl.ListFormat(language).format(purposes);
  };
  const [stays, goes] = [named('locked'), named('saved')];
  if (stays === '' || goes === '') return undefined;
  return [`${result.switchedOff} ${goes}`, `${unsubscribe.stays}: ${stays}`];
}

/** In the words for everything, for a purpose by its name, or for one whose name is not known. */
function about(
  { oneClick: { purpose }, ...setting }: Setting,
  words: { readonly all: string; readonly named: string; readonly unnamed: string },
): string {
  if (purpose === undefined) return words.all;
  const name = nameOf({ ...setting, purpose });
  return name === undefined ? words.unnamed : fill(words.named, { name });
}

function isAll({ items }: Pick<Submission, 'items'>, outcome: Outcome): boolean {
  return items.length > 0 && items.every((item) => item.outcome === outcome);
}

function introOf(input: Setting): string {
  const { notOffered, introAll: all, intro: named, introOne: unnamed } = messagesFor(input.language).oneClick;
  return isNotOffered(input) ? notOffered : about(input, { all, named, unnamed });
}

/** What is on record though no center has it any more can be left all the same, but it is not known here. */
function isNotOffered({ center, oneClick: { purpose } }: Setting): boolean {
  return center !== undefined && purpose !== undefined && !purposesOf(center).has(purpose);
}

function nameOf({
  center,
  language,
  purpose: id,
}: Pick<Setting, 'center' | 'language'> & { readonly purpose: string }): string | undefined {
  const purpose = center && purposesOf(center).get(id);
  return center && purpose && chooseText(purpose.name, language, center.defaultLanguage)?.text;
}

function linksOf({ choicesHref, language }: Setting): OneButtonPage['links'] {
  if (choicesHref === undefined) return [];
  return [{ href: choicesHref, label: messagesFor(language).labels['sign-in-title'] }];
}
