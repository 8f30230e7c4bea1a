import type { Center } from '../../core/model/center/center.ts';
import { messageLanguage, messagesFor } from '../../i18n/catalogue.ts';
import { fillCount } from '../../i18n/fill.ts';
import { label } from '../../i18n/label.ts';
import { buildLayout, type PageContext } from './layout.ts';
import type { OneButtonPage } from './sign-in-view.ts';

/**
 * The person's record cannot be read yet, because many want to: about how long that is, and a way to leave everything at
 * once. It opens by itself, by what the answer's headers say.
 */
export function buildWaitingPage(input: {
  readonly pageContext: PageContext;
  readonly center: Center;
  readonly language: string;
  readonly waitSeconds: number;
  /** Where leaving everything posts to. */
  readonly leave: { readonly action: string; readonly token: string };
}): OneButtonPage {
  const { center, language, waitSeconds, leave } = input;
  const { waiting } = messagesFor(language);
  const tag = messageLanguage(language);
  const about =
    waitSeconds < 100
      ? fillCount(waiting.seconds, tag, rounded(waitSeconds))
      : fillCount(waiting.minutes, tag, Math.ceil(waitSeconds / 60));
  return {
    isDone: false,
    links: [],
    opensOutside: false,
    layout: buildLayout({ ...input, title: waiting.title }),
    lines: [about, waiting.leave],
    others: [{ ...leave, label: label(center, language, 'unsubscribe-all') }],
  };
}

/** Rounded: the time is not known to the second. */
function rounded(seconds: number): number {
  return seconds > 10 ? Math.ceil(seconds / 5) * 5 : Math.ceil(seconds);
}
