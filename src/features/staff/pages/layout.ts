import { type Member, mayDo, type Role } from '../../../core/model/staff/staff-member.ts';
import { type Layout, plainBrand, plainLayout } from '../../../pages/layout.ts';

/** What is known around a staff page. Seconds. */
export interface StaffPageContext {
  /** undefined: without a sign-in. */
  readonly member: Member | undefined;
  readonly signOutToken: string;
  readonly endsIn: number | undefined;
  readonly continueHref: string;
}

export type StaffSectionName = 'start' | 'notices' | 'tasks' | 'centers' | 'submissions' | 'audit';

interface StaffSection {
  readonly section: StaffSectionName;
  readonly label: string;
  readonly href: string;
  readonly needs: Role;
}

const staffSections: readonly StaffSection[] = [
  { section: 'notices', label: 'Notices', href: '/staff/notices', needs: 'viewer' },
  { section: 'tasks', label: 'Tasks', href: '/staff/tasks', needs: 'viewer' },
  { section: 'centers', label: 'Centers', href: '/staff/centers', needs: 'viewer' },
  { section: 'submissions', label: 'Submissions', href: '/staff/submissions', needs: 'viewer' },
  { section: 'audit', label: 'Audit log', href: '/staff/audit', needs: 'auditor' },
];

/** What a member may open. */
function openSections(member: Member): readonly StaffSection[] {
  return staffSections.filter(({ needs }) => mayDo(member, needs));
}

/** Warns two minutes before the end. */
const warnBefore = 120;

/** The product's own look, in English: the staff pages have no brand of a center. */
export function buildStaffLayout(
  { member, signOutToken, endsIn, continueHref }: StaffPageContext,
  { title, section }: { title: string; section: StaffSectionName },
): Layout {
  const plain = plainLayout(title, plainBrand('Sayso staff'));
  if (member === undefined) return plain;
  return {
    ...plain,
    who: member.name,
    navigation: openSections(member).map(({ section: other, label, href }) => ({
      label: { text: label },
      href,
      current: other === section,
    })),
    signOut: { action: '/staff/sign-out', label: 'Sign out', token: signOutToken },
    search: {
      action: '/staff/people',
      name: 'identifier',
      label: 'Identifier or reference',
      token: signOutToken,
    },
    session:
      endsIn === undefined
        ? undefined
        : {
            endsIn,
            warnBefore,
            title: 'Are you still there?',
            description: 'You will be signed out soon. What you typed and did not send is lost then.',
            continueLabel: 'Stay signed in',
            leaveLabel: 'Sign out',
            continueHref,
          },
  };
}
