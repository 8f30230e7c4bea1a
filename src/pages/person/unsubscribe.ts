import { longestValue } from '../../core/consent/element-value.ts';
import { purposesOf } from '../../core/consent/merge-set.ts';
import { consentStatus, isShownOn, mayChange } from '../../core/consent/status.ts';
import type { Center, UnsubscribeReasons } from '../../core/model/center/center.ts';
import { recordOf, type Subject } from '../../core/model/person/subject.ts';
import { fill, messagesFor } from '../../i18n/catalogue.ts';
import { findLabel, label } from '../../i18n/label.ts';
import { chooseText, type LocalizedText } from '../../i18n/language.ts';
import { type Note, note } from '../layout.ts';
import { buildLayout, type PageSetting } from './layout.ts';
import { createNames } from './names.ts';

export interface UnsubscribePageInput extends PageSetting {
  /** The record; undefined when it could not be read in time. */
  readonly subject: Subject | undefined;
  readonly form: { readonly action: string; readonly token: string };
  readonly backHref: string;
}

/** Most characters that a browser sends: a post with a whole book in the field could not be read. */
const mostSent = 10_000;

/** A note on the result page that the reason was cut, in the center's words and ours. */
export function cutNote(center: Center, language: string): Note {
  const text = fill(messagesFor(language).unsubscribe.cut, { count: longestValue });
  const own = findLabel(center, language, 'character-limit');
  return own === undefined ? note('info', text) : note('info', own, text);
}

export type UnsubscribePage = ReturnType<typeof buildUnsubscribePage>;

/** The page with one button that unsubscribes from all, with the reasons if the center asks for them. */
export function buildUnsubscribePage(input: UnsubscribePageInput) {
  const { center, language } = input;
  return {
    layout: buildLayout({ ...input, title: label(center, language, 'unsubscribe-all') }),
    leaving: leavingOf(input),
    form: input.form,
    reasons: center.reasons && buildReasons(center, center.reasons, language),
    backHref: input.backHref,
  };
}

/**
 * The purposes that the button withdraws, shown or hidden: those that are on or wait for a confirmation.
 * Always-active purposes stay.
 */
function leavingOf({ center, subject, language }: UnsubscribePageInput) {
  if (subject === undefined) return undefined;
  const nameOf = createNames({ center, language, subject });
  const purposes = purposesOf(center);
  const ids = new Set([...purposes.keys(), ...subject.purposes.map(({ purpose }) => purpose)]);
  const goes: LocalizedText[] = [];
  const stays: LocalizedText[] = [];
  for (const id of ids) {
    const status = consentStatus(purposes.get(id), recordOf(subject, id));
    if (!isShownOn(status) && status !== 'waiting') continue;
    (mayChange(status) ? goes : stays).push(nameOf({ what: 'purpose', id }));
  }
  return { goes, stays };
}

function buildReasons(center: Center, { choices, allowOther, format }: UnsubscribeReasons, language: string) {
  const isText = format === 'text';
  const shown = (isText ? [] : choices).flatMap((choice) => {
    const name = chooseText(choice.name, language, center.defaultLanguage);
    if (name === undefined) return [];
    return [{ id: `reason-${choice.id}`, value: choice.id, label: name }];
  });
  const takesWords = allowOther || isText;
  if (shown.length === 0 && !takesWords) return undefined;
  const words = messagesFor(language).unsubscribe;
  return {
    title: label(center, language, 'reasons-title'),
    message: label(center, language, 'reasons-message'),
    type: format === 'radio-buttons' ? 'radio' : 'checkbox',
    choices: shown,
    other: takesWords
      ? {
          label: isText ? undefined : label(center, language, 'other-reason'),
          textLabel: findLabel(center, language, 'reasons-label') ?? words.otherText,
          hint: fill(words.otherHint, { count: longestValue }),
          maxLength: longestValue,
          most: mostSent,
        }
      : undefined,
  };
}
