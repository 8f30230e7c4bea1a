import type { StaffLog } from '../../ports/staff-log.ts';
import { streamCsv } from '../../web/download.ts';
import type { GuardedRouter } from './guarded-router.ts';
import { auditColumns, auditRows, buildAuditPage } from './pages/audit.ts';
import { type Query, queries, spanOf } from './queries.ts';

export interface AuditParts {
  readonly log: Pick<StaffLog, 'list' | 'parts' | 'count'>;
}

const size = 50;
const mostInFile = 50_000;

/** The audit log, for auditors alone. */
export function addAudit(guarded: GuardedRouter, { log }: AuditParts): void {
  const chosen = ({ staff, text, from, to }: Query<'audit'>) => ({
    staff: staff || undefined,
    text: text || undefined,
    ...spanOf({ from, to }),
  });

  guarded.get('/audit', 'auditor', 'read the audit log', async (call) => {
    const filter = call.asked(queries.audit);
    const [lines, total] = await Promise.all([
      log.list({ ...chosen(filter), limit: size, offset: filter.page * size }),
      log.count(chosen(filter)),
    ]);
    await call.show(buildAuditPage(call.pageContext, { lines, total, size, filter }));
  });

  guarded.get('/audit.csv', 'auditor', 'exported the audit log', async (call) => {
    async function* parts() {
      const filter = { ...chosen(call.asked(queries.audit)), limit: mostInFile };
      for await (const lines of log.parts(filter)) yield auditRows(lines);
    }
    await streamCsv(call.response, 'audit', { columns: auditColumns, parts: parts() });
  });
}
