import {
  type Brand,
  brandFaults,
  type ColourPair,
  colourPairs,
  unbranded,
} from '../../core/model/center/brand.ts';
import { colourPattern } from '../../core/model/center/colour.ts';
import { buildSignInMail } from '../../pages/mail.ts';
import { centerTitle } from '../../pages/person/preferences.ts';
import type { Block, FormBlock } from '../../pages/staff-page.ts';
import { allowMailStyles, allowOwnFrames, allowOwnFraming } from '../../web/security.ts';
import { themeProperties } from '../../web/theme.ts';
import { cell, form, input, select, table, tag } from './blocks.ts';
import { type Call, found } from './guarded-router.ts';
import { withQuery } from './list.ts';
import type { CenterNames } from './names.ts';
import { type Page, underCenters } from './page.ts';
import { buildPreview } from './preview.ts';

/** Reads the studio's settings from the address; without settings, the brand of the first center. */
function readStudio({ registry, ...call }: Call, centers: CenterNames) {
  const center = call.query('center').toLowerCase() || (centers[0]?.id ?? '');
  const brand = registry.findByCenter(center)?.brand;
  const isFresh = call.request.query['accent'] === undefined;
  const given = (name: string, usual: string | undefined) => (isFresh ? (usual ?? '') : call.query(name));
  const draft: StudioDraft = {
    center,
    accent: given('accent', brand?.accent ?? '#1f5eff'),
    radius: given('radius', String(brand?.radius ?? 14)),
    font: given('font', brand?.font),
    mark: given('mark', brand?.logoUrl),
  };
  const name = brand?.name ?? centers.find(({ id }) => id === center)?.name ?? 'Sayso';
  return { centers, draft, tried: readTriedBrand(draft, name) };
}

type StudioInput = ReturnType<typeof readStudio>;

/** Shows the theme studio, which tries a look on a real page. Only the address holds the look. */
export async function showStudio(call: Call): Promise<void> {
  const given = readStudio(call, await call.centerNames());
  allowOwnFrames(call.response);
  await call.show(buildStudioPage(given));
}

export function showTheme(call: Call): void {
  const { brand } = readStudio(call, []).tried;
  call.response.type('css').send(themeProperties(brand));
}

export async function showThemedPage(call: Call): Promise<void> {
  const { draft, tried } = readStudio(call, await call.centerNames());
  const { brand } = tried;
  const [look] = studioLooks.find(([known]) => known === call.query('look')) ?? studioLooks[0];
  const center = found(await call.platform.findCenter(draft.center));
  const view = {
    ...call.brandOf(undefined, brand.name),
    logoUrl: brand.logoUrl,
    themeHref: studioHref('theme.css', draft),
    scheme: look === 'dark' ? ('dark' as const) : ('light' as const),
  };
  const language = center.defaultLanguage;
  allowOwnFraming(call.response);
  if (look === 'mail') {
    allowMailStyles(call.response);
    const sample = { href: '#', code: '482913', minutes: 15 };
    const name = brand.name || (centerTitle(center, language) ?? '');
    const { page } = buildSignInMail({ language, brand: { ...view, name }, colours: brand, ...sample });
    return call.render(call.response, 'mail/message', page);
  }
  const page = buildPreview({
    center,
    chosen: { lang: language, state: 'mixed', brand: '' },
    brand: view,
    stands: 'framed',
    frame: look === 'frame' ? 'embedded' : 'top',
  });
  await call.render(call.response, 'preview/center', found(page));
}

const tried = ['accent', 'radius', 'font', 'mark'] as const;

/** The look that is tried, as the address has it. None of it is stored. */
export type StudioDraft = Readonly<Record<'center' | (typeof tried)[number], string>>;

/** The forms in which the studio shows a real page. */
const studioLooks = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['phone', 'Phone'],
  ['frame', 'Embedded'],
  ['mail', 'Mail'],
] as const;

type StudioLook = (typeof studioLooks)[number][0];

/**
 * The tried look as a brand without its invalid members, and a mistake for each of these. A contrast that is
 * too low is measured and shown, not refused: the studio is there to show it.
 */
export function readTriedBrand(draft: StudioDraft, name: string) {
  const given: Readonly<Record<(typeof tried)[number], Partial<Brand>>> = {
    accent: draft.accent === '' ? {} : { accent: draft.accent.toLowerCase() },
    radius: draft.radius === '' ? {} : { radius: Number(draft.radius) },
    font: draft.font === '' ? {} : { font: draft.font },
    mark: draft.mark === '' ? {} : { logoUrl: draft.mark },
  };
  const mistakes = tried.flatMap((field) => {
    const faults = brandFaults({ ...unbranded, ...given[field] });
    const isColour = field === 'accent' && colourPattern.test(given.accent.accent ?? '#000000');
    const [text] = isColour ? [] : faults;
    return text === undefined ? [] : [{ field, text: `${labels[field]}: ${text}.` }];
  });
  const right = tried.filter((field) => mistakes.every((one) => one.field !== field));
  const brand: Brand = Object.assign({ ...unbranded, name }, ...right.map((field) => given[field]));
  return { brand, mistakes };
}

const labels = { accent: 'Accent', radius: 'Radius', font: 'Font', mark: 'Mark' } as const;

/** The address of the page in the tried look, or of its stylesheet. */
function studioHref(part: 'page' | 'theme.css', draft: StudioDraft, look?: StudioLook): string {
  return withQuery(`/staff/studio/${part}`, { ...draft, look });
}

/**
 * The studio: a real page in all looks at once, the contrast of each pair of colours, and the text for the
 * centers file.
 */
export function buildStudioPage(given: StudioInput): Page {
  const { draft } = given;
  const { brand, mistakes } = given.tried;
  return {
    title: 'Theme studio',
    ...underCenters,
    lead: ['Try a look on a real page. Nothing is saved: take the block below to your centers file.'],
    mistakes,
    blocks: [
      chooser(given),
      draft.center !== '' && {
        kind: 'frames',
        id: 'looks',
        heading: 'How it looks',
        frames: studioLooks.map(([look, title]) => ({ title, look, href: studioHref('page', draft, look) })),
      },
      contrasts(colourPairs(brand)),
      fileBlock(brand),
    ],
  };
}

function chooser({ centers, draft, tried: { mistakes } }: StudioInput): FormBlock {
  return form({
    id: 'choose',
    method: 'get',
    action: '/staff/studio',
    layout: 'line',
    fields: [
      select({ id: 'center', label: 'Center', from: centers, chosen: draft.center }),
      input({
        id: 'accent',
        label: 'Accent',
        type: mistakes.some(({ field }) => field === 'accent') ? 'text' : 'color',
        value: draft.accent,
      }),
      input({
        id: 'radius',
        label: 'Radius, 0 to 32',
        type: 'number',
        value: draft.radius,
      }),
      input({ id: 'font', label: 'Font', value: draft.font }),
      input({ id: 'mark', label: 'Mark: https address', value: draft.mark }),
    ],
    label: 'Show',
    links: [{ href: withQuery('/staff/studio', { center: draft.center }), label: 'Start again' }],
  });
}

/** Lowest contrast of text of ordinary size (WCAG 2.2, 1.4.3). */
const least = 4.5;

function contrasts(pairs: readonly ColourPair[]): Block {
  return table({
    id: 'contrast',
    heading: 'Contrast',
    about: `Text needs ${least}. A brand with less stops the start.`,
    caption: 'Each pair of colours with its contrast',
    columns: {
      Pair: ({ what }) => what,
      Verdict: ({ contrast }) => (contrast >= least ? tag('Fine', 'success') : tag('Too low', 'problem')),
      // The contrast is rounded down: 4.49 is not enough.
      Contrast: ({ contrast }) => cell((Math.floor(contrast * 10) / 10).toFixed(1), { look: 'figure' }),
      Colours: ({ front, back }) => `${front} on ${back}`,
      Scheme: ({ scheme }) => (scheme === 'light' ? 'Light' : 'Dark'),
    },
    rows: pairs,
  });
}

function fileBlock({ name, accent, radius, font, logoUrl }: Brand): Block {
  const text = JSON.stringify({ brand: { name, accent, radius, font, logoUrl } }, undefined, 2);
  return {
    kind: 'facts',
    id: 'file',
    heading: 'For the centers file',
    facts: [{ name: 'Member of the center', value: cell(text, { look: 'code' }), wide: true }],
  };
}
