import type { Center } from '../../../core/model/center/center.ts';
import type { CenterConfig } from '../../../core/model/center/center-config.ts';
import { pageName } from '../../../pages/person/layout.ts';
import type { FormBlock, FrameView, StaffPage } from '../../../pages/staff-page.ts';
import { form, select, staffPage } from './blocks.ts';
import { languageSaid } from './center.ts';
import { centerHref } from './center-list.ts';
import type { StaffPageContext } from './layout.ts';
import { withQuery } from './list.ts';
import { previewedHref, previewHref, previewStates } from './preview.ts';

const widths: readonly (readonly [width: FrameView['width'], label: string])[] = [
  ['wide', 'Desktop'],
  ['tablet', 'Tablet, 768 px'],
  ['phone', 'Phone, 375 px'],
];

export interface PreviewPageInput {
  readonly center: Center;
  readonly name: string;
  /** Addresses whose brands a preview may wear. */
  readonly brands: readonly CenterConfig[];
  readonly chosen: {
    readonly page: string | undefined;
    readonly lang: string;
    readonly state: string;
    readonly brand: string;
  };
  /** As it stands in the address. */
  readonly width: string;
}

/** A center's page in a frame: what it shows is chosen above it, and how wide it is. */
export function buildPreviewPage(pageContext: StaffPageContext, given: PreviewPageInput): StaffPage {
  const { center, name, chosen } = given;
  const [width] = widths.find(([known]) => known === given.width) ?? ['wide' as const];
  return staffPage(pageContext, {
    title: 'Preview',
    section: 'centers',
    crumbs: [
      { href: '/staff/centers', label: 'Preference centers' },
      { href: centerHref(center.id), label: name },
    ],
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
        label: 'Width',
        widths: widths.map(([other, label]) => ({
          href: withQuery(previewHref(center.id), { ...chosen, width: other }),
          label,
          current: other === width,
        })),
        alone: { href: previewedHref(center.id, chosen, 'alone'), label: 'Open in new tab' },
      },
    ],
  });
}

function chooser({ center, brands, chosen }: PreviewPageInput, width: string): FormBlock {
  return form({
    id: 'choose',
    action: previewHref(center.id),
    layout: 'line',
    fields: [
      select({
        id: 'page',
        label: 'Page',
        options: center.pages.map((page, at) => ({
          value: page.id,
          label: pageName(center, page, chosen.lang).text,
          selected: chosen.page === undefined ? at === 0 : page.id === chosen.page,
        })),
      }),
      select({
        id: 'lang',
        label: 'Language',
        from: center.languages.map((tag) => [tag, languageSaid(tag)] as const),
        chosen: chosen.lang,
      }),
      select({ id: 'state', label: 'Consent state', from: previewStates, chosen: chosen.state }),
      select({
        id: 'brand',
        label: 'Brand',
        from: [['', 'None'], ...brands.map((one) => [one.name, one.brand?.name ?? one.name] as const)],
        chosen: chosen.brand,
      }),
      { kind: 'hidden', name: 'width', value: width },
    ],
    label: 'Show',
    tone: 'ordinary',
  });
}
