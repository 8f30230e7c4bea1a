import { isShownOn, mayChange } from '../../core/consent/status.ts';
import type { Center } from '../../core/model/center/center.ts';
import { isGuid } from '../../core/model/center/center-config.ts';
import { maskIdentifier } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Mistake } from '../../core/model/staff/task-form.ts';
import { type Intent, noIntent } from '../../core/model/submission/intent.ts';
import { note } from '../../pages/layout.ts';
import { checks, choice, form, input } from './blocks.ts';
import type { Call } from './guarded-router.ts';
import { centerName } from './names.ts';
import { listed, type Page, submissionHref } from './page.ts';
import { lookUp, openPerson, underPerson } from './person-form.ts';
import { standingsOf } from './standing.ts';
import { namesIn } from './submission-words.ts';

const submitTimeoutMs = 7_500;

/** Shows the form that asks what to withdraw. */
export async function showWithdrawing(call: Call): Promise<void> {
  await call.show(buildWithdrawPage({ ...(await readPerson(call)), mistakes: [] }));
}

export async function withdraw(call: Call): Promise<void> {
  const given = await readPerson(call);
  const { subject, center, schema, typed } = given;
  const read = readWithdrawal(typed);
  if (read.kind === 'mistakes') return call.show(buildWithdrawPage({ ...given, mistakes: read.mistakes }));
  const submission = await call.delivery.submit(
    {
      subject,
      center,
      shown: await shownOf(call, schema),
      nonce: call.nonce,
      intent: read.intent,
      channel: 'staff',
      scope: 'withdraw',
      globalPrivacyControl: false,
      undoes: undefined,
      reasons: [],
      onBehalf: { staff: `${call.member.name} (${call.member.id})`, reason: read.reason },
    },
    { waitMs: submitTimeoutMs },
  );
  call.about(submission.reference);
  call.response.redirect(303, submissionHref(submission.reference));
}

/** Reads all that the withdrawal page needs. */
async function readPerson(call: Call) {
  const { subject, center, person } = openPerson(call);
  if (center === '') throw new Problem('form-refused');
  const [[schema, record], centers] = await Promise.all([lookUp(call, center, subject), call.centerNames()]);
  const typed = {
    what: call.field('what'),
    purposes: call.form['purpose'] ?? [],
    reason: call.field('reason').replaceAll('\r\n', '\n'),
  };
  const name = centerName(centers, center);
  return { subject, center, name, schema, record, person, typed };
}

type WithdrawInput = Awaited<ReturnType<typeof readPerson>>;

/** The words for the evidence. The person saw none, so they are the center's words at this time. */
async function shownOf({ wordings }: Call, schema: Center | undefined) {
  if (schema === undefined) return undefined;
  const { defaultLanguage: language, template } = schema;
  const words = await wordings.shown(schema, language);
  if (words === undefined) return undefined;
  await wordings.kept(words);
  return { by: 'center' as const, words, language, template };
}

export const longestReason = 500;

/** A visible character: no blank, control or invisible mark. */
const visible = /[^\p{C}\p{Z}]/u;

/**
 * Reads the form. By its type, the result can only withdraw. A purpose that the form showed can be withdrawn
 * even if the record, which may lag, no longer has it on: withdrawing twice does no harm.
 */
export function readWithdrawal(typed: WithdrawInput['typed']) {
  const mistakes: Mistake[] = [];
  const wrong = (field: 'what' | 'reason', text: string) => mistakes.push({ field, text });
  const reason = typed.reason.trim();
  const chosen = [...new Set(typed.purposes)].filter(isGuid);
  if (typed.what !== 'everything' && typed.what !== 'chosen') wrong('what', 'Choose what to withdraw.');
  if (typed.what === 'chosen' && chosen.length === 0)
    wrong('what', 'Tick at least one purpose that is on, or choose all.');
  if (!visible.test(reason)) wrong('reason', 'Give the reason.');
  if (reason.length > longestReason)
    wrong('reason', `Reason: at most ${longestReason} characters; these are ${reason.length}.`);
  if (mistakes.length > 0) return { kind: 'mistakes' as const, mistakes };
  const intent: Intent =
    typed.what === 'everything'
      ? { ...noIntent, everything: 'withdraw' }
      : { ...noIntent, purposes: chosen.map((purpose) => ({ kind: 'off', purpose })) };
  return { kind: 'intent' as const, intent, reason };
}

export function buildWithdrawPage(given: WithdrawInput & { readonly mistakes: readonly Mistake[] }): Page {
  const { subject, schema, record, typed, mistakes } = given;
  const nameOf = namesIn(schema, record);
  /** Ids of the purposes that are on and can be switched off. */
  const on = (record === undefined ? [] : standingsOf(schema, record))
    .filter(({ status }) => isShownOn(status) && mayChange(status))
    .map(({ id }) => id);
  return {
    title: 'Withdraw for a person',
    ...underPerson,
    lead: [`${maskIdentifier(subject)}, in ${given.name}.`],
    notes: [record === undefined && unread],
    mistakes,
    blocks: [
      form({
        id: 'withdraw',
        action: '/staff/people/withdraw',
        fields: [
          { kind: 'hidden', name: 'person', value: given.person },
          { kind: 'hidden', name: 'center', value: given.center },
          checks({
            type: 'radio',
            id: 'what',
            label: 'What to withdraw',
            choices: listed([
              choice('what-everything', 'everything', 'All', typed.what === 'everything'),
              on.length > 0 && choice('what-chosen', 'chosen', 'Only these:', typed.what === 'chosen'),
            ]),
          }),
          on.length > 0 &&
            checks({
              type: 'checkbox',
              id: 'purposes',
              name: 'purpose',
              label: 'On at the moment',
              hint: 'Used with “Only these”.',
              choices: on.map((id, at) =>
                choice(`purpose-${at}`, id, nameOf('purpose', id), typed.purposes.includes(id)),
              ),
            }),
          input({
            id: 'reason',
            type: 'area',
            label: 'Reason',
            value: typed.reason,
            required: 'required',
            rows: 3,
            hint: `How the person asked for it. It goes on record with your name. At most ${longestReason} characters.`,
            limit: longestReason,
          }),
        ],
        label: 'Withdraw',
        links: [{ href: '/staff/people', label: 'Leave without withdrawing' }],
      }),
    ],
  };
}

const unread = note(
  'warning',
  'The platform doesn’t answer',
  'We can’t show what’s on record. You can still withdraw from all: we keep it, and send it as soon as the platform answers.',
);
