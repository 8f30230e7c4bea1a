import { purposesOf } from '../../core/consent/merge-set.ts';
import type { Center, Purpose } from '../../core/model/center/center.ts';
import type { ConsentRecord, RecordedStatus, Subject, SubjectId } from '../../core/model/person/subject.ts';
import { matchLanguage } from '../../i18n/language.ts';
import { note } from '../../pages/layout.ts';
import { type PageContext, pageName } from '../../pages/person/layout.ts';
import { buildPreferencePage, centerTitle } from '../../pages/person/preferences.ts';
import type { FormBlock, FrameView, PreviewPage } from '../../pages/staff-page.ts';
import { allowOwnFrames, allowOwnFraming } from '../../web/security.ts';
import { form, select } from './blocks.ts';
import { nameAndTag } from './center.ts';
import { type Call, found } from './guarded-router.ts';
import { withQuery } from './list.ts';
import { centerHref, type Page, underCenters } from './page.ts';

/** Shows a center's page as a made-up person sees it, in a frame. */
export async function showPreview(call: Call): Promise<void> {
  const given = await readPreview(call, 'own');
  allowOwnFrames(call.response);
  await call.show(previewPage(given, call.query('width')));
}

export async function showPreviewed(call: Call): Promise<void> {
  const { center, brands, chosen } = await readPreview(call, 'none');
  const wears = brands.find(({ name }) => name === chosen.brand);
  const brand = call.brandOf(wears, center.title);
  const stands = call.query('alone') === '' ? 'framed' : 'alone';
  const built = found(buildPreview({ center, chosen, brand, stands }));
  allowOwnFraming(call.response);
  await call.render(call.response, 'preview/center', built);
}

/** Reads the preview's settings from the address. `usualBrand`: the brand if the address names none. */
async function readPreview({ platform, registry, ...call }: Call, usualBrand: 'own' | 'none') {
  const center = found(await platform.findCenter(call.parameter('id')));
  /** Centers of the centers file whose brands a preview can use. */
  const brands = (registry.listed ?? []).filter((one) => one.brand !== undefined);
  const usual = usualBrand === 'own' ? registry.findByCenter(center.id)?.name : undefined;
  const brand = call.request.query['brand'] === undefined ? usual : call.query('brand');
  const chosen = {
    /** The page's id; undefined for the page that `findPage` then gives. */
    page: call.query('page') || undefined,
    lang: matchLanguage(center.languages, call.query('lang')) ?? center.defaultLanguage,
    /** One of `previewStates`; any other value counts as `new`. */
    state: call.query('state') || 'new',
    /** The name of the center whose brand is used; '' for none. */
    brand: brands.find(({ name }) => name === brand)?.name ?? '',
  };
  return { center, brands, chosen };
}

type Previewed = Awaited<ReturnType<typeof readPreview>>;
type Chosen = Omit<Previewed['chosen'], 'page'> & Partial<Previewed['chosen']>;

const widths: readonly (readonly [width: FrameView['width'], label: string])[] = [
  ['wide', 'Desktop'],
  ['tablet', 'Tablet, 768 px'],
  ['phone', 'Phone, 375 px'],
];

/** The preview page: a form of settings above a center's page in a frame. */
function previewPage(given: Previewed, asked: string): Page {
  const { center, chosen } = given;
  const name = centerTitle(center, center.defaultLanguage);
  const [width] = widths.find(([known]) => known === asked) ?? ['wide' as const];
  return {
    title: 'Preview',
    ...underCenters,
    crumbs: [...underCenters.crumbs, { href: centerHref(center.id), label: name }],
    lead: [
      'As a made-up person would see it. No record is read or written: the page has no form that could be sent.',
    ],
    blocks: [
      chooser(given, width),
      {
        kind: 'frame',
        id: 'preview',
        title: `Preview of ${name}`,
        href: previewedHref(center.id, chosen, 'framed'),
        width,
        widths: widths.map(([other, label]) => ({
          href: withQuery(previewHref(center.id), { ...chosen, width: other }),
          label,
          current: other === width,
        })),
        aloneHref: previewedHref(center.id, chosen, 'alone'),
      },
    ],
  };
}

function chooser({ center, brands, chosen }: Previewed, width: string): FormBlock {
  return form({
    id: 'choose',
    method: 'get',
    action: previewHref(center.id),
    layout: 'line',
    fields: [
      select({
        id: 'page',
        label: 'Page',
        from: center.pages.map((page) => [page.id, pageName(center, page, chosen.lang).text] as const),
        chosen: chosen.page ?? center.pages[0]?.id,
      }),
      select({
        id: 'lang',
        label: 'Language',
        from: center.languages,
        labelOf: nameAndTag,
        chosen: chosen.lang,
      }),
      select({ id: 'state', label: 'Consent state', from: previewStates, chosen: chosen.state }),
      select({
        id: 'brand',
        label: 'Brand',
        none: 'None',
        from: brands.map((one) => [one.name, one.brand?.name ?? one.name] as const),
        chosen: chosen.brand,
      }),
      { kind: 'hidden', name: 'width', value: width },
    ],
    label: 'Show',
    tone: 'ordinary',
  });
}

/** The consent states in which all purposes of a preview can be, as if recorded. */
const recordedStates: readonly (readonly [RecordedStatus, label: string])[] = [
  ['active', 'All on'],
  ['off', 'All withdrawn'],
  ['implicit', 'All on by default'],
  ['pending', 'All waiting for confirmation'],
  ['expired', 'All expired'],
  ['always-active', 'All always active'],
  ['hard-opt-out', 'All locked off'],
];

export const previewStates: readonly (readonly [state: string, label: string])[] = [
  ['new', 'Nothing on record'],
  ...recordedStates,
  ['mixed', 'Some of each'],
];

export interface PreviewInput {
  readonly center: Center;
  readonly chosen: Chosen;
  readonly brand: PageContext['brand'];
  /** `framed`: the page around it has the link back. */
  readonly stands: 'framed' | 'alone';
  /** `embedded`: the page as a customer's site embeds it. */
  readonly frame?: PageContext['frame'] | undefined;
}

function previewHref(center: string): string {
  return `${centerHref(center)}/preview`;
}

/** The address of the previewed page alone. */
function previewedHref(center: string, chosen: Chosen, stands: PreviewInput['stands']): string {
  const alone = stands === 'alone' ? 'yes' : undefined;
  return withQuery(`${previewHref(center)}/page`, { ...chosen, alone });
}

const previewer = 'preview@example.org' as SubjectId;

/**
 * A center's page for a made-up person; undefined if there is no such page. It has no form, so nothing can be
 * sent.
 */
export function buildPreview(input: PreviewInput): PreviewPage | undefined {
  const { center, chosen, brand } = input;
  const { page, lang: language, state } = chosen;
  const home = withQuery(previewHref(center.id), { ...chosen });
  const hrefOf = (other: { page?: string | undefined; lang?: string }) =>
    previewedHref(center.id, { ...chosen, ...other }, input.stands);
  const isAlone = input.stands === 'alone';
  const names = new Map(previewStates);
  // The marks keep English text from left to right on a page that runs from right to left.
  const line = `\u2066${names.get(state) ?? names.get('new')}. This is how a made-up person would see the page. Nothing can be sent from here.\u2069`;
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
    notes: isAlone ? [note('info', 'Preview', line)] : [],
  });
  if (built === undefined) return undefined;
  const record = isAlone ? { href: home, label: 'Back to the staff pages' } : undefined;
  return { ...built.page, layout: { ...built.page.layout, record }, form: undefined };
}

function madeUp(center: Center, state: string): Subject {
  const statuses = recordedStates.map(([status]) => status);
  const known = state === 'mixed' ? statuses : statuses.filter((status) => status === state);
  const purposes = [...purposesOf(center).values()].flatMap((purpose, at) => {
    const status = known[at % known.length];
    return status === undefined ? [] : [recorded(purpose, status)];
  });
  return { id: previewer, language: undefined, dataElements: {}, purposes };
}

/**
 * The record of a purpose. If it is on, its first topic and the first option of each preference are chosen.
 */
function recorded({ id, topics, preferences }: Purpose, status: RecordedStatus): ConsentRecord {
  const first = (all: readonly { readonly id: string }[]) => all.slice(0, 1).map((one) => one.id);
  const record = { purpose: id, label: undefined, status };
  if (status !== 'active') return { ...record, topics: [], preferences: [] };
  const chosen = preferences.map((preference) => ({ id: preference.id, options: first(preference.options) }));
  return { ...record, topics: first(topics), preferences: chosen };
}
