import type { AuditEntry, AuditOutcome } from '../../core/model/audit-entry.ts';
import { cell, filterOf, input, moment, staffPage, table, tag } from './blocks.ts';
import type { StaffPage, Tone } from './every-page.ts';
import type { StaffPageContext } from './layout.ts';
import { buildPager, pagingOf, withQuery } from './paging.ts';
import type { Period } from './period.ts';
import { periodFields } from './submission-list.ts';

export interface AuditPageInput {
  readonly lines: readonly AuditEntry[];
  readonly total: number;
  readonly size: number;
  readonly filter: Period & { readonly staff: string; readonly text: string; readonly page: number };
}

const outcomes: Readonly<Record<AuditOutcome, readonly [string, Tone]>> = {
  begun: ['not known', 'warning'],
  done: ['done', 'success'],
  corrected: ['sent back to be corrected', 'neutral'],
  refused: ['refused', 'problem'],
  failed: ['failed', 'problem'],
};

/** Who did what, and when; newest first. */
export function buildAuditPage(pageContext: StaffPageContext, page: AuditPageInput): StaffPage {
  const { lines, total, size, filter } = page;
  const query = { staff: filter.staff, text: filter.text, from: filter.fromDay, to: filter.toDay };
  return staffPage(pageContext, {
    title: 'Audit log',
    section: 'audit',
    lead: [
      'Everything that the staff did here, newest first, reading included. Lines cannot be changed or deleted from here.',
    ],
    blocks: [
      filterOf({
        action: '/staff/audit',
        isSet: Object.values(query).some((value) => value !== ''),
        fields: [
          input({ id: 'staff', label: 'Id of a member', value: filter.staff }),
          input({ id: 'text', label: 'Done, or about', value: filter.text }),
          ...periodFields(filter),
        ],
      }),
      table({
        id: 'audit',
        caption: 'What the staff did, newest first',
        columns: ['When', 'Who', 'What', 'Outcome'],
        rows: lines.map((line) => [
          moment(line.at),
          cell(line.name, { more: line.staff }),
          cell(line.does, { more: line.about || undefined }),
          tag(...outcomes[line.outcome]),
        ]),
        empty: 'No line is like that. Try fewer words, or a longer time.',
        pager: buildPager(
          pagingOf({ page: filter.page, size, total }),
          (number) => withQuery('/staff/audit', { ...query, page: number === 0 ? undefined : number }),
          'lines',
        ),
        links:
          lines.length === 0
            ? []
            : [{ href: withQuery('/staff/audit.csv', query), label: 'Download these as CSV' }],
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
    outcomes[line.outcome][0],
  ]);
}
