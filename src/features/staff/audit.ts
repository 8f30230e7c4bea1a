import type { AuditEntry, AuditOutcome } from '../../core/model/staff/audit-entry.ts';
import type { Tone } from '../../pages/staff-page.ts';
import { streamCsv } from '../../web/download.ts';
import { cell, input, moment, tag } from './blocks.ts';
import type { Call } from './guarded-router.ts';
import { dayFields, list, pagingOf, type Query, queries, spanOf } from './list.ts';
import type { Page } from './page.ts';

const size = 50;
const mostInFile = 50_000;

const chosen = ({ staff, text, ...days }: Query<'audit'>) => ({
  staff: staff || undefined,
  text: text || undefined,
  ...spanOf(days),
});

/** Reads the audit log. */
export async function readAudit({ log, asked }: Call) {
  const filter = asked(queries.audit);
  const [lines, total] = await Promise.all([
    log.list({ ...chosen(filter), limit: size, offset: filter.page * size }),
    log.count(chosen(filter)),
  ]);
  return { lines, total, filter };
}

export async function exportAudit({ log, asked, response }: Call): Promise<void> {
  const parts = log.parts({ ...chosen(asked(queries.audit)), limit: mostInFile });
  await streamCsv(response, 'audit', { columns: auditColumns, parts });
}

const outcomes: Readonly<Record<AuditOutcome, readonly [string, Tone]>> = {
  begun: ['Unknown', 'warning'],
  done: ['Done', 'success'],
  corrected: ['Sent back', 'neutral'],
  refused: ['Refused', 'problem'],
  failed: ['Failed', 'problem'],
};

/** The page of the audit log: each action with its member and time, newest first. */
export function buildAuditPage({ lines, total, filter }: Awaited<ReturnType<typeof readAudit>>): Page {
  return {
    title: 'Audit log',
    section: 'audit',
    lead: [
      'All that staff did here, newest first, reading included. No line can be changed or deleted here.',
    ],
    blocks: list({
      path: '/staff/audit',
      filter,
      fields: [
        input({ id: 'staff', label: 'Member id' }),
        input({ id: 'text', label: 'What' }),
        ...dayFields,
      ],
      id: 'audit',
      caption: 'What the staff did, newest first',
      isList: true,
      columns: {
        What: ({ does, about }) => cell(does, { more: about }),
        Outcome: ({ outcome }) => tag(...outcomes[outcome]),
        Who: ({ name, staff }) => cell(name, { more: staff }),
        When: ({ at }) => moment(at),
      },
      rows: lines,
      empty: 'No line is like that. Try fewer words, or a longer time.',
      what: 'lines',
      paging: pagingOf({ page: filter.page, size, total }),
      files: ['/staff/audit.csv'],
    }),
  };
}

const auditColumns = {
  when: ({ at }: AuditEntry) => new Date(at).toISOString(),
  member: ({ staff }: AuditEntry) => staff,
  name: ({ name }: AuditEntry) => name,
  what: ({ does }: AuditEntry) => does,
  about: ({ about }: AuditEntry) => about,
  outcome: ({ outcome }: AuditEntry) => outcomes[outcome][0].toLowerCase(),
};
