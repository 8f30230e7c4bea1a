import type { CenterConfig } from '../../core/model/center/center-config.ts';
import type { Tone } from '../../pages/staff-page.ts';
import { cell, input, platformMoment, select, tag } from './blocks.ts';
import type { Call } from './guarded-router.ts';
import { cut, list, queries, usualSize } from './list.ts';
import { centerHref } from './page.ts';

/** The list of preference centers. */
export async function showCenters({ platform, registry, asked, show }: Call): Promise<void> {
  const centers = await platform.listCenters();
  const filter = asked(queries.centers);
  const statuses = [...new Set(centers.map(({ status }) => status))].filter((status) => status !== '').sort();
  const wanted = filter.text.toLowerCase();
  const found = centers.filter(
    ({ id, name, status }) =>
      (wanted === '' || name.toLowerCase().includes(wanted) || id.toLowerCase().includes(wanted)) &&
      (filter.status === '' || status === filter.status),
  );
  const { shown, paging } = cut(found, { page: filter.page, size: usualSize });
  await show({
    title: 'Preference centers',
    section: 'centers',
    lead: [
      'Open a center to see what is missing or wrong in it, and how its pages look. Times without a zone are shown as the platform gives them.',
    ],
    links: [{ href: '/staff/studio', label: 'Theme studio' }],
    blocks: list({
      path: '/staff/centers',
      filter,
      fields: [
        input({ id: 'text', label: 'Name or id' }),
        select({ id: 'status', label: 'Status', none: 'All', from: statuses, labelOf: named }),
      ],
      id: 'centers',
      caption: 'Preference centers of the platform',
      isList: true,
      columns: {
        Center: ({ id, name }) => cell(name, { href: centerHref(id) }),
        Status: ({ status }) => tag(named(status), statusTone(status)),
        Template: ({ template }) => named(template),
        'Served here': ({ id }) => servedWords(registry.findByCenter(id)),
        Published: ({ publishedDate }) => platformMoment(publishedDate),
        Created: ({ createdDate }) => platformMoment(createdDate),
        Organization: ({ organization }) => organization,
      },
      rows: shown,
      empty:
        centers.length === 0
          ? 'The platform has no preference centers yet. Publish one there, and it will be listed here.'
          : 'No center is like that. Try fewer letters, or all statuses.',
      paging,
    }),
  });
}

/** The address at which this installation serves the center, in words. */
export function servedWords(centerConfig: CenterConfig | undefined): string {
  if (centerConfig === undefined) return 'no';
  const { name, center } = centerConfig;
  return name === center ? 'at its id' : `/centers/${name}`;
}

function statusTone(status: string): Tone {
  const known = status.toUpperCase();
  if (known === 'ACTIVE' || known === 'PUBLISHED') return 'success';
  return known === 'DRAFT' ? 'warning' : 'neutral';
}

/** `MULTI_PAGE` → `Multi page`; an empty word gives `not said`. */
export function named(word: string): string {
  if (word === '') return 'not said';
  const words = word.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
