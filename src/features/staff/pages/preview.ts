import { purposesOf } from '../../../core/consent/merge-set.ts';
import type { Center, Purpose } from '../../../core/model/center/center.ts';
import type {
  ConsentRecord,
  RecordedStatus,
  Subject,
  SubjectId,
} from '../../../core/model/person/subject.ts';
import type { PageContext } from '../../../pages/person/layout.ts';
import { buildPreferencePage } from '../../../pages/person/preferences.ts';
import type { PreviewPage } from '../../../pages/staff-page.ts';
import { centerHref } from './center-list.ts';
import { withQuery } from './list.ts';

/** Every way in which a purpose can stand on record, for all purposes at once, and some of each. */
export const previewStates: readonly (readonly [state: string, label: string])[] = [
  ['new', 'Nothing on record'],
  ['active', 'All on'],
  ['off', 'All withdrawn'],
  ['implicit', 'All on by default'],
  ['pending', 'All waiting for confirmation'],
  ['expired', 'All expired'],
  ['always-active', 'All always active'],
  ['hard-opt-out', 'All locked off'],
  ['mixed', 'Some of each'],
];

const statuses: readonly RecordedStatus[] = [
  'active',
  'off',
  'implicit',
  'pending',
  'expired',
  'always-active',
  'hard-opt-out',
];

export interface PreviewInput {
  readonly center: Center;
  /** An id; undefined: as `findPage` says. */
  readonly page: string | undefined;
  readonly language: string;
  /** One of `previewStates`; another is `new`. */
  readonly state: string;
  /** The name of the address whose brand is worn; '' for none. */
  readonly brandName: string;
  readonly brand: PageContext['brand'];
  /** `framed`: the way back is around it. */
  readonly stands: 'framed' | 'alone';
  /** `embedded`: as in a customer's site. */
  readonly frame?: PageContext['frame'] | undefined;
}

export function previewHref(center: string): string {
  return `${centerHref(center)}/preview`;
}

/** The previewed page by itself. */
export function previewedHref(
  center: string,
  chosen: {
    readonly page: string | undefined;
    readonly lang: string;
    readonly state: string;
    readonly brand: string;
  },
  stands: PreviewInput['stands'],
): string {
  const alone = stands === 'alone' ? 'yes' : undefined;
  return withQuery(`${previewHref(center)}/page`, { ...chosen, alone });
}

const previewer = 'preview@example.org' as SubjectId;

/** A page of a center for a made-up person; undefined when there is no such page. It has no form, so nothing to send. */
export function buildPreview(input: PreviewInput): PreviewPage | undefined {
  const { center, page, language, state, brand } = input;
  const chosen = { page, lang: language, state, brand: input.brandName };
  const home = withQuery(previewHref(center.id), chosen);
  const hrefOf = (other: { page?: string | undefined; lang?: string }) =>
    previewedHref(center.id, { ...chosen, ...other }, input.stands);
  const built = buildPreferencePage({
    center,
    page,
    language,
    subject: madeUp(center, state),
    scope: 'manage',
    pageContext: {
      brand,
      subject: previewer,
      pageHref: (id) => hrefOf({ page: id }),
      languageHref: (lang) => hrefOf({ lang }),
      recordHref: home,
      frame: input.frame ?? 'top',
    },
    action: '',
    unsubscribeHref: hrefOf({}),
    notes:
      input.stands === 'framed'
        ? []
        : [
            {
              tone: 'info',
              title: 'Preview',
              // English stays in its own direction on a page that runs from right to left.
              lines: [
                `\u2066${stateName(state)}. This is how a made-up person would see the page. Nothing can be sent from here.\u2069`,
              ],
            },
          ],
  });
  if (built === undefined) return undefined;
  const record = input.stands === 'framed' ? undefined : { href: home, label: 'Back to the staff pages' };
  return { ...built.page, layout: { ...built.page.layout, record }, form: undefined };
}

function stateName(state: string): string {
  const found = previewStates.find(([known]) => known === state) ?? previewStates[0];
  return found?.[1] ?? '';
}

function madeUp(center: Center, state: string): Subject {
  const purposes = [...purposesOf(center).values()];
  const recorded = (purpose: Purpose, status: RecordedStatus): ConsentRecord => ({
    purpose: purpose.id,
    label: undefined,
    status,
    topics: status === 'active' ? purpose.topics.slice(0, 1).map((topic) => topic.id) : [],
    preferences:
      status === 'active'
        ? purpose.preferences.map(({ id, options }) => ({
            id,
            options: options.slice(0, 1).map((option) => option.id),
          }))
        : [],
  });
  const known = statuses.find((status) => status === state);
  return {
    id: previewer,
    language: undefined,
    dataElements: {},
    purposes: purposes.flatMap((purpose, at) => {
      if (known !== undefined) return [recorded(purpose, known)];
      const status = state === 'mixed' ? statuses[at % statuses.length] : undefined;
      return status === undefined ? [] : [recorded(purpose, status)];
    }),
  };
}
