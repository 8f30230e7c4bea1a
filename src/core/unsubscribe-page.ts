import type { Center, UnsubscribeReasons } from './center.ts';
import { longestValue } from './element-value.ts';
import { findLabel, label } from './label.ts';
import { chooseText } from './language.ts';
import { messageLanguage, messagesFor } from './messages/catalogue.ts';
import { fill, fillCount } from './messages/fill.ts';
import type { ReasonsView, UnsubscribePage } from './pages.ts';
import { buildShell, type Surroundings } from './shell-page.ts';

/** The reasons that came back from the page: ids as ticked, `other` for the free one, and its words. */
export interface PostedReasons {
  readonly reasons: readonly string[];
  readonly text: string;
}

export type ReasonMistake = 'too-long' | 'characters';

export type ReadReasons =
  | {
      readonly kind: 'reasons';
      /** As staff will read them; `id` is undefined for "other". Empty when nothing was said. */
      readonly reasons: readonly { readonly id: string | undefined; readonly text: string }[];
    }
  | { readonly kind: 'mistake'; readonly mistake: ReasonMistake };

export interface UnsubscribePageInput {
  readonly surroundings: Surroundings;
  readonly center: Center;
  readonly language: string;
  readonly form: { readonly action: string; readonly token: string };
  readonly backHref: string;
  /** A post that is shown again. */
  readonly posted?: PostedReasons | undefined;
  readonly mistake?: ReasonMistake | undefined;
}

const otherValue = 'other';
const otherId = 'reason-other';

/**
 * Reasons are a gift, never a condition: unknown ones are passed over, none is fine, and words typed without the
 * tick count as said. In the center's default language, so that all can be counted together.
 */
export function readReasons(center: Center, posted: PostedReasons): ReadReasons {
  if (center.reasons === undefined) return { kind: 'reasons', reasons: [] };
  const ticked = new Set(posted.reasons);
  const chosen = center.reasons.choices
    .filter((choice) => ticked.has(choice.id))
    .map(({ id, name }) => ({
      id,
      text: chooseText(name, center.defaultLanguage, center.defaultLanguage)?.text ?? id,
    }));
  if (!center.reasons.allowOther) return { kind: 'reasons', reasons: chosen };

  const text = tidy(posted.text);
  if ([...text].length > longestValue) return { kind: 'mistake', mistake: 'too-long' };
  if (!text.isWellFormed() || /[^\P{Cc}\n\t]/u.test(text)) return { kind: 'mistake', mistake: 'characters' };
  const saysOther = text !== '' || ticked.has(otherValue);
  return { kind: 'reasons', reasons: saysOther ? [...chosen, { id: undefined, text }] : chosen };
}

/** Line breaks count once, as the counter beside the field counts them. */
function tidy(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim().normalize('NFC');
}

/** One page, one button: leaving everything, with the reasons where the center asks for them. */
export function buildUnsubscribePage(input: UnsubscribePageInput): UnsubscribePage {
  const { center, language } = input;
  const messages = messagesFor(language);
  const title = label(center, language, 'unsubscribe-all');
  const reasons = center.reasons && buildReasons(center, center.reasons, input);
  const mistake = reasons?.other?.mistake;
  return {
    shell: buildShell({ surroundings: input.surroundings, center, language, title }),
    intro: messages.unsubscribe.intro,
    form: input.form,
    mistakes:
      mistake === undefined
        ? undefined
        : {
            title: fillCount(messages.mistakes.title, messageLanguage(language), 1),
            items: [{ href: `#${otherId}-text`, text: mistake }],
          },
    reasons,
    confirm: title,
    back: { href: input.backHref, label: messages.page.back },
  };
}

function buildReasons(
  center: Center,
  { choices, allowOther }: UnsubscribeReasons,
  { language, posted, mistake }: UnsubscribePageInput,
): ReasonsView | undefined {
  const ticked = new Set(posted?.reasons);
  const shown = choices.flatMap((choice) => {
    const name = chooseText(choice.name, language, center.defaultLanguage);
    if (name === undefined) return [];
    const id = `reason-${choice.id}`;
    return [{ id, value: choice.id, label: name, checked: ticked.has(choice.id), disabled: false }];
  });
  if (shown.length === 0 && !allowOther) return undefined;
  const messages = messagesFor(language);
  const words = messages.unsubscribe;
  return {
    title: label(center, language, 'reasons-title'),
    message: label(center, language, 'reasons-message'),
    choices: shown,
    other: allowOther
      ? {
          id: otherId,
          label: label(center, language, 'other-reason'),
          textLabel: findLabel(center, language, 'reasons-label') ?? words.otherText,
          hint: fill(words.otherHint, { count: longestValue }),
          value: posted?.text ?? '',
          checked: ticked.has(otherValue),
          maxLength: longestValue,
          mistake: mistake === undefined ? undefined : reasonMistake(mistake, center, language),
        }
      : undefined,
  };
}

function reasonMistake(mistake: ReasonMistake, center: Center, language: string): string {
  const words = messagesFor(language).unsubscribe;
  if (mistake === 'characters') return words.characters;
  return findLabel(center, language, 'character-limit') ?? fill(words.tooLong, { count: longestValue });
}
