import * as z from 'zod';
import { longestValue } from '../../core/consent/element-value.ts';
import type { Center } from '../../core/model/center/center.ts';
import { Problem } from '../../core/model/problem.ts';
import { type Intent, noIntent } from '../../core/model/submission/intent.ts';
import type { LeavingReason } from '../../core/model/submission/submission-request.ts';
import { chooseText } from '../../i18n/language.ts';
import { buildUnsubscribePage } from '../../pages/person/unsubscribe.ts';
import { findCenter, forWithdrawal, loadContext, type VisitorRouter } from './context.ts';
import { values } from './form.ts';
import { reasonCut } from './result.ts';
import { afterSubmitHref, shownNow, submit } from './submit.ts';

/**
 * Milliseconds to wait for the schema. Without it only the reasons are lost, so the withdrawal waits no
 * longer.
 */
const schemaTimeoutMs = 1_000;

export const leaveAction = 'unsubscribe';
export const leavePath = '/unsubscribe';

/** Invalid reasons never stop the withdrawal. */
const shape = z.object({
  token: z.string(),
  reason: values.catch([]),
  'reason-text': values.transform((texts) => texts.join('\n')).catch(''),
});

/** Unsubscribing from everything: one page with one button. It works while the platform does not answer. */
export function everythingRoutes({ parts, get, post }: VisitorRouter): void {
  get(leavePath, async (call) => {
    const context = await loadContext(call, leavePath, forWithdrawal);
    const form = call.formOf(leaveAction, leavePath, { lang: context.language });
    const page = buildUnsubscribePage({ ...context, form, backHref: call.hrefOf('') });
    await parts.render(call.response, 'centers/unsubscribe', page);
  });

  post(leavePath, { size: 'page' }, async (call) => {
    const form = shape.safeParse(call.request.body);
    if (!form.success) throw new Problem('bad-request');
    const nonce = call.openAction(leaveAction, form.data.token);
    const posted = { reasons: form.data.reason, text: form.data['reason-text'] };
    const center = await findCenter(call, schemaTimeoutMs);
    const { reasons, isCut } = readReasons(center, posted);
    const intent: Intent = { ...noIntent, everything: 'withdraw' };
    const shown = await shownNow(call, center);
    const submission = await submit(call, { nonce, intent, reasons, shown });
    call.response.redirect(303, afterSubmitHref(call, submission, isCut ? reasonCut : undefined));
  });
}

/**
 * Reads the reasons, which are never a condition: unknown ones are skipped, none is fine, words without the
 * tick count, and of too many the first are kept. The texts are in the center's default language, so that all
 * can be counted together. `isCut`: only the beginning of the words was kept.
 */
export function readReasons(
  center: Center | undefined,
  posted: { readonly reasons: readonly string[]; readonly text: string },
): { readonly reasons: readonly LeavingReason[]; readonly isCut: boolean } {
  if (center?.reasons === undefined) return { reasons: [], isCut: false };
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
  const saysOther = text !== '' || ticked.has('other');
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
