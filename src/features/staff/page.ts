import { type Member, mayDo, type Role } from '../../core/model/staff/staff-member.ts';
import type { Mistake } from '../../core/model/staff/task-form.ts';
import { type Note, plainBrand } from '../../pages/layout.ts';
import { plainLayout } from '../../pages/person/layout.ts';
import type { Field, RowsField } from '../../pages/staff-fields.ts';
import type { Block, LinkView, StaffLayout, StaffPage } from '../../pages/staff-page.ts';

/** A list whose false and undefined items are left out. */
export type Listed<One> = readonly (One | false | undefined)[];

export function listed<One>(all: Listed<One> = []): readonly One[] {
  return all.filter((one): one is One => one !== undefined && one !== false);
}

/** The content of a page; members that are not given are left out. */
export interface Page extends Partial<Pick<StaffPage, 'frame' | 'crumbs'>> {
  readonly title: string;
  readonly section: StaffSectionName;
  /**
   * Mistakes, shown at their fields. Those with a `label` are also listed above the page, each with a link to
   * its field.
   */
  readonly mistakes?: readonly (Mistake & { readonly label?: string })[];
  readonly lead?: Listed<string>;
  readonly notes?: Listed<Note>;
  readonly links?: Listed<LinkView>;
  readonly blocks?: Listed<Block>;
}

/** The complete page: the content with its layout. */
export function staffPage(pageContext: StaffPageContext, page: Page): StaffPage {
  const { title, section, frame = 'page', crumbs = [], mistakes = [] } = page;
  const notes = listed(page.notes);
  const isWrong = mistakes.length > 0 || notes.some(({ tone }) => tone === 'problem');
  return {
    layout: buildStaffLayout(pageContext, { title, section }),
    token: pageContext.token,
    pageTitle: isWrong ? `Error: ${title}` : title,
    frame,
    crumbs,
    notes,
    lead: listed(page.lead),
    mistakes: mistakes.map(({ field, text, label }) => ({
      href: `#${field}`,
      text: label === undefined ? text : `${label}: ${text}`,
    })),
    links: listed(page.links),
    blocks: listed(page.blocks).map((block) =>
      block.kind === 'form'
        ? { ...block, fields: block.fields.map((field) => told(field, mistakes)) }
        : block,
    ),
  };
}

/** The field with its mistake. A folded field opens if a field in it has a mistake. */
function told<One extends Field>(field: One, mistakes: readonly Mistake[]): One {
  if (field.kind === 'rows') {
    const inRow = (row: RowsField['rows'][number]) => row.fields.map((one) => told(one, mistakes));
    return { ...field, rows: field.rows.map((row) => ({ ...row, fields: inRow(row) })) };
  }
  if (field.kind === 'folded') {
    const fields = field.fields.map((one) => told(one, mistakes));
    return { ...field, fields, open: field.open || fields.some(({ mistake }) => mistake !== undefined) };
  }
  const mistake = 'id' in field && mistakes.find((one) => one.field === field.id)?.text;
  return mistake ? { ...field, mistake } : field;
}

/** Section and breadcrumbs of a page below the list of centers. */
export const underCenters = {
  section: 'centers',
  crumbs: [{ href: '/staff/centers', label: 'Preference centers' }],
} as const;

/** Section and breadcrumbs of a page below the list of submissions. */
export const underSubmissions = {
  section: 'submissions',
  crumbs: [{ href: '/staff/submissions', label: 'Submissions' }],
} as const;

/** The context of a staff page: the member and the session. Times are seconds. */
export interface StaffPageContext {
  /** The signed-in member; undefined without a sign-in. */
  readonly member: Member | undefined;
  /** The token for the forms of the page; '' without a sign-in. */
  readonly token: string;
  readonly endsIn: number | undefined;
  readonly continueHref: string;
}

type StaffSectionName = 'start' | 'notices' | 'tasks' | 'centers' | 'submissions' | 'audit';

/** The address of one thing in a section. */
const hrefIn = (section: StaffSectionName) => (id: string) => `/staff/${section}/${encodeURIComponent(id)}`;
export const centerHref = hrefIn('centers');
export const noticeHref = hrefIn('notices');
export const submissionHref = hrefIn('submissions');
export const taskHref = hrefIn('tasks');

/** Sections in the navigation bar, for members with the right: each at `/staff/` and its name. */
const sections: readonly (readonly [name: StaffSectionName, label: string, needs: Role])[] = [
  ['notices', 'Notices', 'viewer'],
  ['tasks', 'Tasks', 'viewer'],
  ['centers', 'Centers', 'viewer'],
  ['submissions', 'Submissions', 'viewer'],
  ['audit', 'Audit log', 'auditor'],
];

/** Seconds before the end of a session at which the page warns. */
const warnBefore = 120;

/** The product's own look, in English: the staff pages have no brand of a center. */
export function buildStaffLayout(
  { member, token, endsIn, continueHref }: StaffPageContext,
  { title, section }: { title: string; section: StaffSectionName },
): StaffLayout {
  const plain = plainLayout(title, plainBrand('Sayso staff'));
  if (member === undefined) return { ...plain, search: undefined };
  return {
    ...plain,
    who: member.name,
    navigation: sections
      .filter(([, , needs]) => mayDo(member, needs))
      .map(([name, text]) => ({
        label: { text },
        href: `/staff/${name}`,
        current: name === section,
      })),
    search: { action: '/staff/people', token },
    signOut: { action: '/staff/sign-out', label: 'Sign out', token },
    session:
      endsIn === undefined
        ? undefined
        : {
            endsIn,
            warnBefore,
            ending: undefined,
            title: 'Are you still there?',
            description: 'You will be signed out soon. What you typed and did not send is lost then.',
            continueLabel: 'Stay signed in',
            leaveLabel: 'Sign out',
            continueHref,
          },
  };
}
