import { type Center, everyPurpose, itemsOf, type Text } from '../../core/model/center/center.ts';
import type { RecordedSubmission } from '../../core/model/evidence/evidence.ts';
import type { WordsOfThen } from '../../core/model/evidence/wording.ts';
import type { ItemResult } from '../../core/model/submission/submission.ts';
import { fill, type Messages } from '../../i18n/catalogue.ts';
import {
  chooseText,
  direction,
  htmlLanguage,
  isSameLanguage,
  type LocalizedText,
} from '../../i18n/language.ts';
import type { createNames } from './names.ts';
import type { RecordItem } from './record-view.ts';
import { toldThen } from './words-of-then.ts';

interface ItemsInput {
  readonly center: Center;
  readonly language: string;
  readonly nameOf: ReturnType<typeof createNames>;
  readonly words: WordsOfThen;
}

/** What was asked, in the wording that the person saw; where it was not kept, in that of today. */
export function createItems(
  input: ItemsInput,
  messages: Messages,
): (item: ItemResult, submission: RecordedSubmission) => Omit<RecordItem, 'text'> {
  const { center, language, words, nameOf } = input;
  const names = new Map<string, Text>([
    ...itemsOf(center).flatMap((item) =>
      item.kind === 'data-element' ? [[`data-element ${item.element.id}`, item.element.name] as const] : [],
    ),
    ...everyPurpose(center).map(({ id, name }) => [`purpose ${id}`, name] as const),
  ]);

  /** Today's name in the language of then: a translation is not a new name. */
  function todayOf(item: ItemResult, shownIn: string, then: string): string | undefined {
    const name = names.get(`${item.what} ${item.id}`);
    const now = name && chooseText(name, shownIn, center.defaultLanguage)?.text;
    return now === undefined || now === then ? undefined : fill(messages.record.today, { name: now });
  }

  return (item, submission) => {
    const { change, text, choices } = toldThen(item, submission, words);
    const shownIn = submission.evidence?.asked.shown?.language ?? language;
    const inThen = (name: string) => markedAs(name, shownIn, language);
    const isMoved = change?.from !== undefined && (item.change === 'on' || item.change === 'off');
    return {
      name: text === undefined ? nameOf(item) : inThen(text.name),
      move: isMoved
        ? { from: stateText(isOn(change.from), messages), to: stateText(item.change === 'on', messages) }
        : undefined,
      choices: choices.map(({ name, preference, to }) => ({
        name: inThen(preference === undefined ? name : `${preference.name}: ${name}`),
        to: stateText(to === 'on', messages),
      })),
      today: text === undefined ? undefined : todayOf(item, shownIn, text.name),
    };
  };
}

function isOn(status: string | undefined): boolean {
  return status === 'on' || status === 'on-by-default' || status === 'locked-on';
}

function stateText(isSwitchedOn: boolean, { states }: Messages): string {
  return isSwitchedOn ? states.on : states.off;
}

function markedAs(text: string, shownIn: string, language: string): LocalizedText {
  if (isSameLanguage(shownIn, language)) return { text };
  const dir = direction(shownIn);
  return { text, lang: htmlLanguage(shownIn), dir: dir === direction(language) ? undefined : dir };
}
