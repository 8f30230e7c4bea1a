import { type Member, mayDo, type Role } from '../../core/model/staff/staff-member.ts';
import type { Mistake } from '../../core/model/staff/task-form.ts';
import { type Note, plainBrand } from '../../pages/layout.ts';
import { plainLayout } from '../../pages/person/layout.ts';
import type { Field, RowsField } from '../../pages/staff-fields.ts';
import type { Block, LinkView, StaffLayout, StaffPage } from '../../pages/staff-page.ts';

/** A list in which what is false or undefined is not there. */
export type Listed<One> = readonly (One | false | undefined)[];

export function listed<One>(all: Listed<One> = []): readonly One[] {
  return all.filter((one): one is One => one !== undefined && one !== false);
}

/** What a page says; what is not given is not there. */
export interface Page extends Partial<Pick<StaffPage, 'frame' | 'crumbs'>> {
  readonly title: string;
  readonly section: StaffSectionName;
  /** At their fields; and above the page, with `label`, where each line leads to its field. */
  readonly mistakes?: readonly (Mistake & { readonly label?: string })[];
  readonly lead?: Listed<string>;
  readonly notes?: Listed<Note>;
  readonly links?: Listed<LinkView>;
  readonly blocks?: Listed<Block>;
}

/** The page with what stands around it. */
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

/** The field with its mistake; what is folded opens where something in it is wrong. */
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

/** Of a page below the list of centers. */
export const underCenters = {
  section: 'centers',
  crumbs: [{ href: '/staff/centers', label: 'Preference centers' }],
} as const;

/** Of a page below the list of submissions. */
export const underSubmissions = {
  section: 'submissions',
  crumbs: [{ href: '/staff/submissions', label: 'Submissions' }],
} as const;

/** What is known around a staff page. Seconds. */
export interface StaffPageContext {
  /** undefined: without a sign-in. */
  readonly member: Member | undefined;
  /** Of the forms of the page; '' without a sign-in. */
  readonly token: string;
  readonly endsIn: number | undefined;
  readonly continueHref: string;
}

type StaffSectionName = 'start' | 'notices' | 'tasks' | 'centers' | 'submissions' | 'audit';

/** Address of one thing of a section. */
const hrefIn = (section: StaffSectionName) => (id: string) => `/staff/${section}/${encodeURIComponent(id)}`;
export const centerHref = hrefIn('centers');
export const noticeHref = hrefIn('notices');
export const submissionHref = hrefIn('submissions');
export const taskHref = hrefIn('tasks');

/** In the bar, for a member who may open it: at `/staff/` and its name. */
const sections: readonly (readonly [name: StaffSectionName, label: string, needs: Role])[] = [
  ['notices', 'Notices', 'viewer'],
  ['tasks', 'Tasks', 'viewer'],
  ['centers', 'Centers', 'viewer'],
  ['submissions', 'Submissions', 'viewer'],
  ['audit', 'Audit log', 'auditor'],
];

/** Warns two minutes before the end. */
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
