import type { AuditEntry, AuditOutcome } from '../../../core/model/staff/audit-entry.ts';
import type { StaffPage, Tone } from '../../../pages/staff-page.ts';
import { cell, filterOf, input, moment, staffPage, table, tag } from './blocks.ts';
import type { StaffPageContext } from './layout.ts';
import { buildPager, csvLink, pagingOf, withQuery } from './paging.ts';
import type { Period } from './period.ts';
import { periodFields } from './submission-list.ts';

export interface AuditPageInput {
  readonly lines: readonly AuditEntry[];
  readonly total: number;
  readonly size: number;
  readonly filter: Period & { readonly staff: string; readonly text: string; readonly page: number };
}

const outcomes: Readonly<Record<AuditOutcome, readonly [string, Tone]>> = {
  begun: ['Unknown', 'warning'],
  done: ['Done', 'success'],
  corrected: ['Sent back', 'neutral'],
  refused: ['Refused', 'problem'],
  failed: ['Failed', 'problem'],
};

/** Who did what, and when; newest first. */
export function buildAuditPage(pageContext: StaffPageContext, page: AuditPageInput): StaffPage {
  const { lines, total, size, filter } = page;
  const query = { staff: filter.staff, text: filter.text, from: filter.fromDay, to: filter.toDay };
  return staffPage(pageContext, {
    title: 'Audit log',
    section: 'audit',
    lead: [
      'Everything that staff did here, newest first, reading included. No line can be changed or deleted here.',
    ],
    blocks: [
      filterOf({
        action: '/staff/audit',
        fields: [
          input({ id: 'staff', label: 'Member id', value: filter.staff }),
          input({ id: 'text', label: 'What', value: filter.text }),
          ...periodFields(filter),
        ],
      }),
      table({
        id: 'audit',
        caption: 'What the staff did, newest first',
        isList: true,
        columns: ['What', 'Outcome', 'Who', 'When'],
        rows: lines.map((line) => [
          cell(line.does, { more: line.about || undefined }),
          tag(...outcomes[line.outcome]),
          cell(line.name, { more: line.staff }),
          moment(line.at),
        ]),
        empty: 'No line is like that. Try fewer words, or a longer time.',
        pager: buildPager(
          pagingOf({ page: filter.page, size, total }),
          (number) => withQuery('/staff/audit', { ...query, page: number === 0 ? undefined : number }),
          'lines',
        ),
        links: csvLink('/staff/audit.csv', query, lines.length),
      }),
    ],
  });
}

export const auditColumns = ['when', 'member', 'name', 'what', 'about', 'outcome'];

export function auditRows(lines: readonly AuditEntry[]) {
  return lines.map((line) => [
    new Date(line.at).toISOString(),
    line.staff,
    line.name,
    line.does,
    line.about,
    outcomes[line.outcome][0].toLowerCase(),
  ]);
}
