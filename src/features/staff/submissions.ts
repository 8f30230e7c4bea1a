import type { Center } from '../../core/model/center.ts';
import { Problem } from '../../core/model/problem.ts';
import { readPaging } from '../../pages/staff/paging.ts';
import { readPeriod } from '../../pages/staff/period.ts';
import { buildReasonsPage, reasonRows } from '../../pages/staff/reasons.ts';
import { buildSubmissionPage } from '../../pages/staff/submission.ts';
import {
  buildSubmissionList,
  type CenterNames,
  readState,
  type SubmissionFilter,
  submissionHref,
  submissionRows,
} from '../../pages/staff/submission-list.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Platform } from '../../ports/platform.ts';
import { sendCsv } from './download.ts';
import type { Call, GuardedRouter } from './guarded-router.ts';

export interface SubmissionParts {
  readonly platform: Pick<Platform, 'findCenter'>;
  readonly journal: Pick<Journal, 'list' | 'find' | 'counts' | 'reasons'>;
  /** False when the submission is not pending. */
  readonly retry: (reference: string) => boolean;
  readonly centerNames: () => Promise<CenterNames>;
}

const onOnePage = 20;
const mostInFile = 10_000;

/** The journal: its list, one submission, another try, and the reasons for leaving. */
export function addSubmissions(guarded: GuardedRouter, parts: SubmissionParts): void {
  const { platform, journal, retry, centerNames } = parts;

  function filterOf(call: Call): SubmissionFilter {
    return {
      ...readPeriod(call.query('from'), call.query('to')),
      state: readState(call.query('state')),
      center: call.query('center').toLowerCase(),
      page: readPaging(call.request.query).page,
    };
  }

  function list({ state, center, from, to }: SubmissionFilter, limit: number, offset: number) {
    return journal.list({ state, center: center || undefined, from, to, limit, offset });
  }

  guarded.get('/submissions', 'viewer', 'listed the submissions', async (call) => {
    const filter = filterOf(call);
    const found = list(filter, onOnePage + 1, filter.page * onOnePage);
    const page = buildSubmissionList(call.pageContext, {
      entries: found.slice(0, onOnePage),
      hasMore: found.length > onOnePage,
      counts: journal.counts(),
      centers: await centerNames(),
      filter,
    });
    await call.show(page);
  });

  guarded.get('/submissions.csv', 'viewer', 'exported submissions', async (call) => {
    const entries = list(filterOf(call), mostInFile, 0);
    sendCsv(call.response, 'submissions', submissionRows(entries, await centerNames()));
  });

  guarded.get('/submissions/:reference', 'viewer', 'opened a submission', async (call) => {
    const entry = journal.find(call.parameter('reference'));
    if (entry === undefined) throw new Problem('not-found');
    const center: Center | undefined = await platform.findCenter(entry.center).catch(() => undefined);
    const isRetried = call.query('was') === 'retried';
    await call.show(buildSubmissionPage(call.pageContext, { entry, center, isRetried, token: call.token() }));
  });

  guarded.post('/submissions/:reference/retry', 'editor', 'tried a submission again', (call) => {
    const reference = call.parameter('reference');
    if (journal.find(reference) === undefined) throw new Problem('not-found');
    const isRetried = retry(reference);
    call.response.redirect(303, `${submissionHref(reference)}${isRetried ? '?was=retried' : ''}`);
  });

  function reasonsOf(call: Call) {
    const center = call.query('center').toLowerCase();
    const filter = { ...readPeriod(call.query('from'), call.query('to')), center };
    const { from, to } = filter;
    return { filter, reasons: journal.reasons({ center: center || undefined, from, to }) };
  }

  guarded.get('/reasons', 'viewer', 'read the reasons for leaving', async (call) => {
    await call.show(buildReasonsPage(call.pageContext, { ...reasonsOf(call), centers: await centerNames() }));
  });

  guarded.get('/reasons.csv', 'viewer', 'exported the reasons for leaving', async (call) => {
    const { reasons } = reasonsOf(call);
    sendCsv(call.response, 'reasons', reasonRows(reasons, await centerNames()));
  });
}
