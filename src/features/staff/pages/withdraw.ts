import { isShownOn, mayChange } from '../../../core/consent/status.ts';
import type { Center } from '../../../core/model/center/center.ts';
import { maskIdentifier, type Subject, type SubjectId } from '../../../core/model/person/subject.ts';
import type { StaffPage } from '../../../pages/staff-page.ts';
import { longestReason, type TypedWithdrawal } from '../withdrawal.ts';
import { area, form, type Mistake, mistakesOf, note, staffPage } from './blocks.ts';
import { namesIn } from './entry-lines.ts';
import type { StaffPageContext } from './layout.ts';
import { personCrumbs } from './person-link.ts';
import { standingsOf } from './standing.ts';

export interface WithdrawInput {
  readonly subject: SubjectId;
  readonly center: Center | undefined;
  readonly centerName: string;
  /** undefined: the record could not be read, and only everything can be withdrawn. */
  readonly record: Subject | undefined;
  readonly centerId: string;
  readonly person: string;
  readonly token: string;
  readonly typed: TypedWithdrawal;
  readonly mistakes: readonly Mistake[];
}

/** What is on, and can be switched off. */
function withdrawable(center: Center | undefined, record: Subject | undefined): readonly string[] {
  if (record === undefined) return [];
  return standingsOf(center, record)
    .filter(({ status }) => isShownOn(status) && mayChange(status))
    .map(({ id }) => id);
}

export function buildWithdrawPage(pageContext: StaffPageContext, given: WithdrawInput): StaffPage {
  const { subject, center, record, typed, mistakes } = given;
  const nameOf = namesIn(center, record);
  const on = withdrawable(center, record);
  return staffPage(pageContext, {
    title: 'Withdraw for a person',
    section: 'submissions',
    crumbs: personCrumbs,
    lead: [`${maskIdentifier(subject)}, in ${given.centerName}.`],
    notes: record === undefined ? [unread] : [],
    mistakes: mistakesOf(mistakes),
    blocks: [
      form({
        id: 'withdraw',
        action: '/staff/people/withdraw',
        token: given.token,
        mistakes,
        fields: [
          { kind: 'hidden', name: 'person', value: given.person },
          { kind: 'hidden', name: 'center', value: given.centerId },
          {
            kind: 'checks',
            type: 'radio',
            id: 'what',
            name: 'what',
            label: 'What to withdraw',
            choices: [
              choice('what-everything', 'everything', 'All', typed.what === 'everything'),
              ...(on.length === 0
                ? []
                : [choice('what-chosen', 'chosen', 'Only these:', typed.what === 'chosen')]),
            ],
          },
          ...(on.length === 0
            ? []
            : [
                {
                  kind: 'checks' as const,
                  type: 'checkbox' as const,
                  id: 'purposes',
                  name: 'purpose',
                  label: 'On at the moment',
                  hint: 'Used with “Only these”.',
                  choices: on.map((id, at) =>
                    choice(`purpose-${at}`, id, nameOf('purpose', id), typed.purposes.includes(id)),
                  ),
                },
              ]),
          area({
            id: 'reason',
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
  });
}

const unread = note('warning', 'The platform doesn’t answer', [
  'We can’t show what’s on record. You can still withdraw from all: we keep it, and send it as soon as the platform answers.',
]);

function choice(id: string, value: string, label: string, checked: boolean) {
  return { id, value, label, checked };
}
