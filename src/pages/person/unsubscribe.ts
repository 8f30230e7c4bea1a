import { longestValue } from '../../core/consent/element-value.ts';
import { purposesOf } from '../../core/consent/merge-set.ts';
import { consentStatus, isShownOn, mayChange } from '../../core/consent/status.ts';
import { type Center, everyPurpose, type UnsubscribeReasons } from '../../core/model/center/center.ts';
import { recordOf, type Subject } from '../../core/model/person/subject.ts';
import type { LeavingReason } from '../../core/model/submission/submission-request.ts';
import { messagesFor } from '../../i18n/catalogue.ts';
import { fill } from '../../i18n/fill.ts';
import { findLabel, label } from '../../i18n/label.ts';
import { chooseText } from '../../i18n/language.ts';
import type { LocalizedText } from '../../i18n/localized-text.ts';
import type { ReasonsView, UnsubscribePage } from '../every-page.ts';
import type { Note } from '../layout.ts';
import { buildLayout, type PageContext } from './layout.ts';
import { createNames } from './names.ts';

/** The reasons that came back from the page: ids as ticked, `other` for the free one, and its words. */
export interface PostedReasons {
  readonly reasons: readonly string[];
  readonly text: string;
}

export interface ReadReasons {
  /** As staff will read them. Empty when nothing was said. */
  readonly reasons: readonly LeavingReason[];
  /** Only the beginning of the words was kept. */
  readonly isCut: boolean;
}

export interface UnsubscribePageInput {
  readonly pageContext: PageContext;
  readonly center: Center;
  /** undefined when the record could not be read in time. */
  readonly subject: Subject | undefined;
  readonly language: string;
  readonly form: { readonly action: string; readonly token: string };
  readonly backHref: string;
}

const otherValue = 'other';

/** A browser sends no more than this: with a whole book in the field the post would be too large to be read. */
const mostSent = 10_000;

/**
 * Reasons are a gift, never a condition: unknown ones are passed over, none is fine, words typed without the tick
 * count as said, and of too many the first are kept. In the center's default language, so that all can be counted
 * together.
 */
export function readReasons(center: Center, posted: PostedReasons): ReadReasons {
  if (center.reasons === undefined) return { reasons: [], isCut: false };
  const ticked = new Set(posted.reasons);
  const chosen = center.reasons.choices
    .filter((choice) => ticked.has(choice.id))
    .map(({ id, name }) => ({
      id,
      text: chooseText(name, center.defaultLanguage, center.defaultLanguage)?.text ?? id,
    }));
  if (!center.reasons.allowOther && center.reasons.format !== 'text')
    return { reasons: chosen, isCut: false };

  const characters = [...tidy(posted.text)];
  const isCut = characters.length > longestValue;
  const text = characters.slice(0, longestValue).join('') + (isCut ? '…' : '');
  const saysOther = text !== '' || ticked.has(otherValue);
  return { reasons: saysOther ? [...chosen, { id: undefined, text }] : chosen, isCut };
}

/** Line breaks count once, as the counter beside the field counts them; invisible characters are left out. */
function tidy(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .toWellFormed()
    .trim()
    .normalize('NFC');
}

/** Said with the result: the center's own word for it, and ours. */
export function cutNote(center: Center, language: string): Note {
  const text = fill(messagesFor(language).unsubscribe.cut, { count: longestValue });
  const own = findLabel(center, language, 'character-limit');
  return { tone: 'info', title: own ?? text, lines: own === undefined ? [] : [text] };
}

/** One page, one button: leaving everything, with the reasons where the center asks for them. */
export function buildUnsubscribePage(input: UnsubscribePageInput): UnsubscribePage {
  const { center, language } = input;
  const messages = messagesFor(language);
  const title = label(center, language, 'unsubscribe-all');
  return {
    layout: buildLayout({ pageContext: input.pageContext, center, language, title }),
    intro: messages.unsubscribe.intro,
    lists: buildLists(input),
    form: input.form,
    reasons: center.reasons && buildReasons(center, center.reasons, language),
    confirm: title,
    back: { href: input.backHref, label: messages.page.back },
  };
}

/** What goes is what is shown as on or waits for its confirmation, shown or hidden; what is always active stays. */
function buildLists({ center, subject, language }: UnsubscribePageInput): UnsubscribePage['lists'] {
  if (subject === undefined) return [];
  const { unsubscribe, states } = messagesFor(language);
  const nameOf = createNames({ center, language, subject });
  const ids = new Set([...everyPurpose(center), ...hiddenOn(subject)].map(({ id }) => id));
  const purposes = purposesOf(center);
  const goes: LocalizedText[] = [];
  const stays: LocalizedText[] = [];
  for (const id of ids) {
    const status = consentStatus(purposes.get(id), recordOf(subject, id));
    if (!isShownOn(status) && status !== 'waiting') continue;
    (mayChange(status) ? goes : stays).push(nameOf({ what: 'purpose', id }));
  }
  return [
    {
      kind: 'goes' as const,
      title: goes.length > 0 ? unsubscribe.goes : undefined,
      names: goes,
      text: goes.length > 0 ? undefined : unsubscribe.nothingOn,
    },
    { kind: 'stays' as const, title: unsubscribe.stays, names: stays, text: states.alwaysActiveHint },
  ].filter(({ kind, names }) => kind === 'goes' || names.length > 0);
}

function hiddenOn({ purposes }: Subject): readonly { readonly id: string }[] {
  return purposes.map(({ purpose }) => ({ id: purpose }));
}

function buildReasons(
  center: Center,
  { choices, allowOther, format }: UnsubscribeReasons,
  language: string,
): ReasonsView | undefined {
  const isText = format === 'text';
  const shown = (isText ? [] : choices).flatMap((choice) => {
    const name = chooseText(choice.name, language, center.defaultLanguage);
    if (name === undefined) return [];
    const id = `reason-${choice.id}`;
    return [{ id, value: choice.id, label: name, checked: false, disabled: false }];
  });
  const takesWords = allowOther || isText;
  if (shown.length === 0 && !takesWords) return undefined;
  const messages = messagesFor(language);
  const words = messages.unsubscribe;
  return {
    title: label(center, language, 'reasons-title'),
    message: label(center, language, 'reasons-message'),
    type: format === 'radio-buttons' ? 'radio' : 'checkbox',
    choices: shown,
    other: takesWords
      ? {
          id: 'reason-other',
          label: isText ? undefined : label(center, language, 'other-reason'),
          textLabel: findLabel(center, language, 'reasons-label') ?? words.otherText,
          hint: fill(words.otherHint, { count: longestValue }),
          maxLength: longestValue,
          most: mostSent,
        }
      : undefined,
  };
}
