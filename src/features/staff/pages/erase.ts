import { maskIdentifier, type SubjectId } from '../../../core/model/person/subject.ts';
import type { StaffPage } from '../../../pages/staff-page.ts';
import { longestReason, onItsWay } from '../erasure.ts';
import { area, facts, form, mistakesOf, staffPage } from './blocks.ts';
import type { StaffPageContext } from './layout.ts';
import { personCrumbs } from './person-link.ts';

export interface EraseInput {
  readonly subject: SubjectId;
  readonly person: string;
  readonly token: string;
  readonly reason: string;
  readonly forgets: boolean;
  readonly mistake: string | undefined;
  /** One sentence for each. */
  readonly whatStays: readonly string[];
}

export function buildErasePage(pageContext: StaffPageContext, given: EraseInput): StaffPage {
  const mistakes = given.mistake === undefined ? [] : [{ field: 'reason', text: given.mistake }];
  return staffPage(pageContext, {
    title: 'Erase a person',
    section: 'submissions',
    crumbs: personCrumbs,
    lead: [
      `${maskIdentifier(given.subject)}: what they asked for, what became of it and what was shown to them is erased here, at once and for good. What the platform has on record stays there. Withdraw first what is to be off.`,
    ],
    mistakes: mistakesOf(mistakes),
    blocks: [
      stays(given.whatStays),
      form({
        id: 'erase',
        action: '/staff/people/erase',
        token: given.token,
        mistakes,
        fields: [
          { kind: 'hidden', name: 'person', value: given.person },
          { kind: 'hidden', name: 'sure', value: 'yes' },
          area({
            id: 'reason',
            label: 'Reason',
            value: given.reason,
            required: 'required',
            rows: 2,
            hint: `Such as the number of their request. It stays in the audit log; the person is not named in it. At most ${longestReason} characters.`,
            limit: longestReason,
          }),
          {
            kind: 'checks',
            type: 'checkbox',
            id: 'forget',
            name: 'forget',
            label: 'Withdrawals',
            hint: 'Senders that ask are then told that nothing speaks against it.',
            choices: [
              {
                id: 'forget-on',
                value: 'on',
                label: 'Forget what was withdrawn, too',
                checked: given.forgets,
              },
            ],
          },
        ],
        label: 'Erase for good',
        links: [{ href: '/staff/people', label: 'Leave without erasing' }],
      }),
    ],
  });
}

export type ShownErasure =
  | {
      readonly kind: 'erased';
      readonly submissions: number;
      readonly events: number;
      readonly words: number;
    }
  | { readonly kind: 'on-its-way'; readonly what: 'submission' | 'event' };

export function buildErasedPage(
  pageContext: StaffPageContext,
  { subject, outcome, whatStays }: EraseInputOf & { readonly outcome: ShownErasure },
): StaffPage {
  const page = { section: 'submissions' as const, crumbs: personCrumbs };
  if (outcome.kind === 'on-its-way')
    return staffPage(pageContext, {
      ...page,
      title: 'Nothing was erased',
      lead: [`${maskIdentifier(subject)}: ${onItsWay[outcome.what]} Try again when it is done.`],
      blocks: [],
    });
  return staffPage(pageContext, {
    ...page,
    title: 'The person is erased',
    lead: [
      `Erased: ${outcome.submissions} submissions and ${outcome.events} events. Of what was withdrawn ${outcome.words} keyed hashes stay.`,
    ],
    blocks: [stays(whatStays)],
  });
}

type EraseInputOf = Pick<EraseInput, 'subject' | 'whatStays'>;

function stays(reasons: readonly string[]) {
  return facts(
    'stays',
    'What stays, and why',
    reasons.map((reason, at): [string, string] => [String(at + 1), reason]),
  );
}
