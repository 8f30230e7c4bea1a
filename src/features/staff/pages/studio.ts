import {
  type Brand,
  brandFaults,
  type ColourPair,
  colourPairs,
  unbranded,
} from '../../../core/model/center/brand.ts';
import { colourPattern } from '../../../core/model/center/colour.ts';
import type { Block, FormBlock, FramesBlock, StaffPage } from '../../../pages/staff-page.ts';
import { cell, form, input, mistakesOf, select, staffPage, table, tag } from './blocks.ts';
import type { StaffPageContext } from './layout.ts';
import { withQuery } from './list.ts';
import type { CenterNames } from './names.ts';

/** What is tried, as it stands in the address: nothing of it is kept. */
export interface StudioDraft {
  readonly center: string;
  readonly accent: string;
  readonly radius: string;
  readonly font: string;
  readonly mark: string;
}

const tried = ['accent', 'radius', 'font', 'mark'] as const;

/** As a brand, without what is not written as it must be; of that, what is wrong with each. */
export interface TriedBrand {
  readonly brand: Brand;
  readonly mistakes: readonly { readonly field: (typeof tried)[number]; readonly text: string }[];
}

/** How a real page stands in the studio. */
export const studioLooks = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['phone', 'Phone'],
  ['frame', 'Embedded'],
  ['mail', 'Mail'],
] as const;

export type StudioLook = (typeof studioLooks)[number][0];

/** A contrast that is too low is measured and shown, not refused: to see it is what the studio is for. */
export function readTriedBrand(draft: StudioDraft, name: string): TriedBrand {
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

/** The address of the page that wears it, or of its stylesheet. */
export function studioHref(part: 'page' | 'theme.css', draft: StudioDraft, look?: StudioLook): string {
  return withQuery(`/staff/studio/${part}`, { ...draft, look });
}

export interface StudioInput {
  readonly centers: CenterNames;
  readonly draft: StudioDraft;
  readonly tried: TriedBrand;
}

/** A look on a real page in every light at once, each pair of its colours measured; and what goes to the centers file. */
export function buildStudioPage(pageContext: StaffPageContext, given: StudioInput): StaffPage {
  const { draft } = given;
  const { brand, mistakes } = given.tried;
  return staffPage(pageContext, {
    title: 'Theme studio',
    section: 'centers',
    crumbs: [{ href: '/staff/centers', label: 'Preference centers' }],
    lead: ['Try a look on a real page. Nothing is saved: take the block below to your centers file.'],
    mistakes: mistakesOf(mistakes),
    blocks: [
      chooser(given),
      ...(draft.center === '' ? [] : [frames(draft)]),
      contrasts(colourPairs(brand)),
      fileBlock(brand),
    ],
  });
}

function chooser({ centers, draft, tried: { mistakes } }: StudioInput): FormBlock {
  return form({
    id: 'choose',
    action: '/staff/studio',
    layout: 'line',
    mistakes,
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

function frames(draft: StudioDraft): FramesBlock {
  return {
    kind: 'frames',
    id: 'looks',
    heading: 'How it looks',
    frames: studioLooks.map(([look, label]) => ({
      title: label,
      look,
      href: studioHref('page', draft, look),
    })),
  };
}

/** WCAG 2.2, 1.4.3, for text of ordinary size. */
const least = 4.5;

function contrasts(pairs: readonly ColourPair[]): Block {
  return table({
    id: 'contrast',
    heading: 'Contrast',
    about: `Text needs ${least}. A brand with less stops the start.`,
    caption: 'Each pair of colours with its contrast',
    columns: ['Pair', 'Verdict', 'Contrast', 'Colours', 'Scheme'],
    rows: pairs.map(({ scheme, what, front, back, contrast }) => [
      cell(what),
      contrast >= least ? tag('Fine', 'success') : tag('Too low', 'problem'),
      // Rounded down: 4.49 is not enough.
      cell((Math.floor(contrast * 10) / 10).toFixed(1), { look: 'figure' }),
      cell(`${front} on ${back}`),
      cell(scheme === 'light' ? 'Light' : 'Dark'),
    ]),
    empty: '',
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
