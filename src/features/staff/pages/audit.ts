import type { AuditEntry, AuditOutcome } from '../../../core/model/staff/audit-entry.ts';
import type { StaffPage, Tone } from '../../../pages/staff-page.ts';
import type { Query } from '../queries.ts';
import { cell, input, moment, staffPage, tag } from './blocks.ts';
import type { StaffPageContext } from './layout.ts';
import { dayFields, list, pagingOf } from './list.ts';

export interface AuditPageInput {
  readonly lines: readonly AuditEntry[];
  readonly total: number;
  readonly size: number;
  readonly filter: Query<'audit'>;
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
  return staffPage(pageContext, {
    title: 'Audit log',
    section: 'audit',
    lead: [
      'All that staff did here, newest first, reading included. No line can be changed or deleted here.',
    ],
    blocks: list({
      path: '/staff/audit',
      filter,
      fields: [
        input({ id: 'staff', label: 'Member id', value: filter.staff }),
        input({ id: 'text', label: 'What', value: filter.text }),
        ...dayFields(filter),
      ],
      table: {
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
      },
      what: 'lines',
      paging: pagingOf({ page: filter.page, size, total }),
      files: ['/staff/audit.csv'],
    }),
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
