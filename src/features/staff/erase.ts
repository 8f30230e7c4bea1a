import { maskIdentifier } from '../../core/model/person/subject.ts';
import type { ErasureOutcome } from '../../ports/person-data.ts';
import { checks, choice, facts, form, input } from './blocks.ts';
import { eraseMistake, longestReason, onItsWay } from './erasure.ts';
import type { Call } from './guarded-router.ts';
import type { Page } from './page.ts';
import { openPerson, underPerson } from './person-form.ts';

/** Exports all data about a person as a file. */
export async function exportPerson(call: Call): Promise<void> {
  const { subject } = openPerson(call);
  const text = `${JSON.stringify(await call.personData.exported(subject), undefined, 2)}\n`;
  call.response.setHeader('Content-Type', 'application/json; charset=utf-8');
  call.response.setHeader('Content-Disposition', 'attachment; filename="person.json"');
  call.response.end(text);
}

/** Erases a person. The first request only asks for confirmation. */
export async function erasePerson(call: Call): Promise<void> {
  const isAsked = call.field('sure') === 'yes';
  const given = readErasing(call, isAsked);
  const { subject, reason, forgets } = given;
  if (!isAsked) call.about('asked first');
  if (!isAsked || given.mistakes.length > 0) return call.show(erasePage(given));
  call.about(`for: ${reason}`);
  const outcome = await call.personData.erase(subject, { forgets });
  call.about(outcome.kind);
  await call.show(erasedPage(given, outcome), outcome.kind === 'erased' ? 200 : 409);
}

/** Reads the form. `whatStays` has one sentence for each reason why data stay. */
function readErasing(call: Call, isAsked: boolean) {
  const { subject, person } = openPerson(call);
  const reason = call.field('reason').trim();
  const forgets = call.field('forget') === 'on';
  const text = isAsked ? eraseMistake(reason, subject) : undefined;
  const mistakes = text === undefined ? [] : [{ field: 'reason', text }];
  return { subject, person, reason, forgets, mistakes, whatStays: call.whatStays };
}

type ErasingInput = ReturnType<typeof readErasing>;

function erasePage(given: ErasingInput): Page {
  return {
    title: 'Erase a person',
    ...underPerson,
    lead: [
      `${maskIdentifier(given.subject)}: what they asked for, what became of it and what was shown to them is erased here, at once and for good. What the platform has on record stays there. Withdraw first what is to be off.`,
    ],
    mistakes: given.mistakes,
    blocks: [
      stays(given.whatStays),
      form({
        id: 'erase',
        action: '/staff/people/erase',
        fields: [
          { kind: 'hidden', name: 'person', value: given.person },
          { kind: 'hidden', name: 'sure', value: 'yes' },
          input({
            id: 'reason',
            type: 'area',
            label: 'Reason',
            value: given.reason,
            required: 'required',
            rows: 2,
            hint: `Such as the number of their request. It stays in the audit log; the person is not named in it. At most ${longestReason} characters.`,
            limit: longestReason,
          }),
          checks({
            type: 'checkbox',
            id: 'forget',
            label: 'Withdrawals',
            hint: 'Senders that ask are then told that nothing speaks against it.',
            choices: [choice('forget-on', 'on', 'Forget what was withdrawn, too', given.forgets)],
          }),
        ],
        label: 'Erase for good',
        links: [{ href: '/staff/people', label: 'Leave without erasing' }],
      }),
    ],
  };
}

function erasedPage({ subject, whatStays }: ErasingInput, outcome: ErasureOutcome): Page {
  if (outcome.kind === 'on-its-way')
    return {
      ...underPerson,
      title: 'Nothing was erased',
      lead: [`${maskIdentifier(subject)}: ${onItsWay[outcome.what]} Try again when it is done.`],
    };
  return {
    ...underPerson,
    title: 'The person is erased',
    lead: [
      `Erased: ${outcome.submissions} submissions and ${outcome.events} events. Of what was withdrawn ${outcome.words} keyed hashes stay.`,
    ],
    blocks: [stays(whatStays)],
  };
}

function stays(reasons: readonly string[]) {
  return facts(
    'stays',
    'What stays, and why',
    reasons.map((reason, at): [string, string] => [String(at + 1), reason]),
  );
}
