import type { LifeEnd } from '../../core/consent/life-end.ts';
import type { ConsentStatus } from '../../core/consent/status.ts';
import type { Purpose } from '../../core/model/center/center.ts';
import { isoDay } from '../../core/model/utc-time.ts';
import { fill, messageLanguage } from '../../i18n/catalogue.ts';
import { writtenDate, writtenDuration } from '../../i18n/format.ts';
import { findLabel } from '../../i18n/label.ts';
import { chooseText, type LocalizedText } from '../../i18n/language.ts';
import type { ViewInput } from './view-input.ts';

type ShownState = ConsentStatus | 'being-carried-out' | 'being-reduced' | 'being-saved' | 'objected';

interface StateView {
  readonly tag: { readonly tone: 'neutral' | 'warning' | 'success'; readonly text: string } | undefined;
  /** AlwaysActiveTooltip, HardOptOutMessage, or what a state means. */
  readonly hint: LocalizedText | undefined;
}

/** The tag and the hint beside a switch. */
export function describeState(
  state: ShownState,
  { purpose, ends }: { readonly purpose: Purpose; readonly ends: LifeEnd | undefined },
  { center, language, scope, messages: { states, result } }: ViewInput,
): StateView {
  const tagged = (tone: 'neutral' | 'warning', text: string, hint: string | LocalizedText) => ({
    tag: { tone, text },
    hint: typeof hint === 'string' ? { text: hint } : hint,
  });
  switch (state) {
    case 'on':
    case 'off': {
      const isEnding = state === 'on' && ends !== undefined;
      if (isEnding) return { tag: undefined, hint: untilHint(ends, language, states.until) };
      return { tag: undefined, hint: lifeSpanHint(purpose, language, states.lasts) };
    }
    case 'on-by-default':
      return tagged('neutral', states['on-by-default'], states.onByDefaultHint);
    case 'waiting':
      return tagged('warning', states.waiting, states.waitingHint);
    case 'expired':
      return tagged(
        'warning',
        states.expired,
        scope === 'manage' ? states.expiredHint : states.expiredOnlyHint,
      );
    case 'being-carried-out':
      return tagged('neutral', states.beingCarriedOut, states.beingCarriedOutHint);
    case 'being-saved':
      return tagged('neutral', states.beingCarriedOut, result.inProgress);
    case 'being-reduced':
      return tagged('neutral', states.beingCarriedOut, states.beingReducedHint);
    case 'objected':
      return tagged('neutral', states.objected, states.objectedHint);
    case 'locked-on': {
      const tooltip = findLabel(center, language, 'always-active') ?? states.alwaysActiveHint;
      const hint = tooltip === states['locked-on'] ? states.alwaysActiveHint : tooltip;
      return tagged('neutral', states['locked-on'], hint);
    }
    case 'locked-off': {
      const message = chooseText(purpose.hardOptOutMessage, language, center.defaultLanguage);
      const text = findLabel(center, language, 'locked-off') ?? states['locked-off'];
      return tagged('neutral', text, message ?? states.lockedOffHint);
    }
  }
}

function untilHint({ at }: LifeEnd, language: string, words: string): LocalizedText {
  return { text: fill(words, { date: writtenDate(isoDay(at), messageLanguage(language)) }) };
}

/** How long: where it is off, or the profile has no date. */
function lifeSpanHint({ lifeSpan }: Purpose, language: string, words: string): LocalizedText | undefined {
  if (lifeSpan === undefined) return undefined;
  return { text: fill(words, { duration: writtenDuration(lifeSpan, messageLanguage(language)) }) };
}

export function renewView(
  { id, lifeSpan = 0 }: Purpose,
  checked: boolean,
  { language, messages }: ViewInput,
) {
  const duration = writtenDuration(lifeSpan, messageLanguage(language));
  return { id: `renew-${id}`, label: fill(messages.states.renew, { duration }), checked };
}
