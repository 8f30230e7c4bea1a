import type { LifeEnd } from '../../core/consent/life-end.ts';
import type { ConsentStatus } from '../../core/consent/status.ts';
import type { Purpose } from '../../core/model/center/center.ts';
import { fill, messageLanguage } from '../../i18n/catalogue.ts';
import { formats, writtenDuration } from '../../i18n/format.ts';
import { findLabel } from '../../i18n/label.ts';
import { chooseText, type LocalizedText } from '../../i18n/language.ts';
import type { ViewInput } from './names.ts';

type ShownState = ConsentStatus | 'being-carried-out' | 'being-reduced' | 'being-saved' | 'objected';

type Tone = 'neutral' | 'warning' | 'success';

/**
 * The tag and the hint beside a switch: AlwaysActiveTooltip, HardOptOutMessage, or the meaning of the state.
 */
export function describeState(
  state: ShownState,
  { purpose, ends }: { readonly purpose: Purpose; readonly ends: LifeEnd | undefined },
  { center, language, scope, messages: { states, result } }: ViewInput,
) {
  const { lifeSpan } = purpose;
  const tag = messageLanguage(language);
  const untagged = (text: string) => ({ tag: undefined, hint: { text } });
  const tagged = (text: string, hint: string | LocalizedText, tone: Tone = 'neutral') => ({
    tag: { tone, text },
    hint: typeof hint === 'string' ? { text: hint } : hint,
  });
  switch (state) {
    case 'on':
    case 'off':
      if (state === 'on' && ends !== undefined)
        return untagged(fill(states.until, { date: formats(tag).days.format(ends.at) }));
      // The duration is shown if the purpose is off, or if the profile has no end date.
      if (lifeSpan === undefined) return { tag: undefined, hint: undefined };
      return untagged(fill(states.lasts, { duration: writtenDuration(lifeSpan, tag) }));
    case 'on-by-default':
      return tagged(states['on-by-default'], states.onByDefaultHint);
    case 'waiting':
      return tagged(states.waiting, states.waitingHint, 'warning');
    case 'expired': {
      const hint = scope === 'manage' ? states.expiredHint : states.expiredOnlyHint;
      return tagged(states.expired, hint, 'warning');
    }
    case 'being-carried-out':
      return tagged(states.beingCarriedOut, states.beingCarriedOutHint);
    case 'being-saved':
      return tagged(states.beingCarriedOut, result.inProgress);
    case 'being-reduced':
      return tagged(states.beingCarriedOut, states.beingReducedHint);
    case 'objected':
      return tagged(states.objected, states.objectedHint);
    case 'locked-on': {
      const tooltip = findLabel(center, language, 'always-active') ?? states.alwaysActiveHint;
      return tagged(states['locked-on'], tooltip === states['locked-on'] ? states.alwaysActiveHint : tooltip);
    }
    case 'locked-off': {
      const message = chooseText(purpose.hardOptOutMessage, language, center.defaultLanguage);
      const text = findLabel(center, language, 'locked-off') ?? states['locked-off'];
      return tagged(text, message ?? states.lockedOffHint);
    }
  }
}

export function renewView(
  { id, lifeSpan = 0 }: Purpose,
  checked: boolean,
  { language, messages }: ViewInput,
) {
  const duration = writtenDuration(lifeSpan, messageLanguage(language));
  return { id: `renew-${id}`, label: fill(messages.states.renew, { duration }), checked };
}
