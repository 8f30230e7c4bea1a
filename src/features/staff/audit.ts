import type { StaffLog } from '../../ports/staff-log.ts';
import { streamCsv } from '../../web/download.ts';
import type { Call, GuardedRouter } from './guarded-router.ts';
import { auditColumns, auditRows, buildAuditPage } from './pages/audit.ts';
import { readPaging } from './pages/paging.ts';
import { readPeriod } from './pages/period.ts';

export interface AuditParts {
  readonly log: Pick<StaffLog, 'list' | 'parts' | 'count'>;
}

const size = 50;
const mostInFile = 50_000;

/** The audit log, for auditors alone. */
export function addAudit(guarded: GuardedRouter, { log }: AuditParts): void {
  function filterOf(call: Call) {
    return {
      ...readPeriod(call.query('from'), call.query('to')),
      staff: call.query('staff').trim(),
      text: call.query('text').trim(),
      page: readPaging(call.request.query).page,
    };
  }

  function chosen({ staff, text, from, to }: ReturnType<typeof filterOf>) {
    return { staff: staff || undefined, text: text || undefined, from, to };
  }

  guarded.get('/audit', 'auditor', 'read the audit log', async (call) => {
    const filter = filterOf(call);
    const [lines, total] = await Promise.all([
      log.list({ ...chosen(filter), limit: size, offset: filter.page * size }),
      log.count(chosen(filter)),
    ]);
    await call.show(buildAuditPage(call.pageContext, { lines, total, size, filter }));
  });

  guarded.get('/audit.csv', 'auditor', 'exported the audit log', async (call) => {
    async function* parts() {
      for await (const lines of log.parts({ ...chosen(filterOf(call)), limit: mostInFile }))
        yield auditRows(lines);
    }
    await streamCsv(call.response, 'audit', { columns: auditColumns, parts: parts() });
  });
}
