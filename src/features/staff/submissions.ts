import { journalEntryOf } from '../../core/consent/journal-entry-view.ts';
import type { Center } from '../../core/model/center/center.ts';
import { Problem } from '../../core/model/problem.ts';
import type { JournalEntry } from '../../core/model/submission/journal-entry.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal, Reason, ReasonFilter } from '../../ports/journal.ts';
import type { Platform } from '../../ports/platform.ts';
import type { Seal } from '../../ports/seal.ts';
import type { StuckTasks } from '../../ports/stuck-tasks.ts';
import type { Wordings } from '../../ports/wordings.ts';
import { endTurn } from '../../turn.ts';
import { streamCsv } from '../../web/download.ts';
import type { GuardedRouter } from './guarded-router.ts';
import { type Centers, wordsAskedBy } from './pages/entry-lines.ts';
import type { CenterNames } from './pages/names.ts';
import {
  buildReasonsPage,
  latestMonths,
  type Month,
  mostWords,
  reasonColumns,
  reasonRows,
} from './pages/reasons.ts';
import { buildSubmissionPage } from './pages/submission.ts';
import {
  buildSubmissionList,
  submissionColumns,
  submissionHref,
  submissionRows,
} from './pages/submission-list.ts';
import { sealStaffPerson } from './person-token.ts';
import { type Query, queries, spanOf, spanUntil } from './queries.ts';

export interface SubmissionParts {
  readonly platform: Pick<Platform, 'findCenter'>;
  readonly journal: Pick<
    Journal,
    'list' | 'parts' | 'find' | 'counts' | 'reasons' | 'topReasons' | 'ownWords'
  >;
  /** False when the submission is not pending. */
  readonly retry: (reference: string) => Promise<boolean>;
  readonly centerNames: () => Promise<CenterNames>;
  readonly schemas: (entries: readonly JournalEntry[]) => Promise<Centers>;
  readonly wordings: Pick<Wordings, 'read'>;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly stuckTasks: Pick<StuckTasks, 'find'>;
}

const onOnePage = 20;
const mostInFile = 10_000;
const monthsShown = 6;
/** Opened at a time: the process stands still meanwhile. */
const reasonsInPart = 500;
/** Rows of the table by count: more than centers have. */
const mostCounted = 1_000;

/** The journal: its list, one submission, another try, and the reasons for leaving. */
export function addSubmissions(guarded: GuardedRouter, parts: SubmissionParts): void {
  const { platform, journal, retry, centerNames, schemas, clock } = parts;

  const asked = (filter: Query<'submissions'>) => ({
    state: filter.state || undefined,
    withdraws: filter.only === 'withdrawals' || undefined,
    center: filter.center || undefined,
    ...spanUntil(filter, clock.now()),
  });

  guarded.get('/submissions', 'viewer', 'listed the submissions', async (call) => {
    const filter = call.asked(queries.submissions);
    const part = { limit: onOnePage + 1, offset: filter.page * onOnePage };
    const found = await journal.list({ ...asked(filter), ...part });
    const entries = found.slice(0, onOnePage);
    const page = buildSubmissionList(call.pageContext, {
      entries,
      hasMore: found.length > onOnePage,
      counts: await journal.counts(),
      centers: await centerNames(),
      schemas: await schemas(entries),
      filter,
    });
    await call.show(page);
  });

  guarded.get('/submissions.csv', 'viewer', 'exported submissions', async (call) => {
    const centers = await centerNames();
    async function* parts() {
      const filter = { ...asked(call.asked(queries.submissions)), limit: mostInFile };
      for await (const entries of journal.parts(filter))
        yield submissionRows(entries, centers, await schemas(entries));
    }
    await streamCsv(call.response, 'submissions', { columns: submissionColumns, parts: parts() });
  });

  guarded.get('/submissions/:reference', 'viewer', 'opened a submission', async (call) => {
    const found = await journal.find(call.parameter('reference'));
    if (found === undefined) throw new Problem('not-found');
    const entry = journalEntryOf(found, clock.now());
    const center: Center | undefined = await platform.findCenter(entry.center).catch(() => undefined);
    const isRetried = call.query('was') === 'retried';
    const subject = entry.work?.request.subject;
    const person = subject === undefined ? undefined : sealStaffPerson(parts, call.member, subject);
    const stuck = await parts.stuckTasks.find(entry.reference);
    const words = await parts.wordings.read(wordsAskedBy([entry]));
    const given = { entry, center, words, isRetried, person, stuck, token: call.token };
    await call.show(buildSubmissionPage(call.pageContext, given));
  });

  guarded.post('/submissions/:reference/retry', 'editor', 'tried a submission again', async (call) => {
    const reference = call.parameter('reference');
    if ((await journal.find(reference)) === undefined) throw new Problem('not-found');
    const isRetried = await retry(reference);
    call.response.redirect(303, `${submissionHref(reference)}${isRetried ? '?was=retried' : ''}`);
  });

  const reasonFilter = ({ center, ...days }: Query<'reasons'>): ReasonFilter => ({
    center: center || undefined,
    ...spanOf(days),
  });

  async function* reasonsOf(filter: ReasonFilter): AsyncGenerator<readonly Reason[]> {
    let after: number | undefined;
    do {
      const { reasons, next } = await journal.reasons(filter, { after, limit: reasonsInPart });
      yield reasons;
      await endTurn();
      after = next;
    } while (after !== undefined);
  }

  guarded.get('/reasons', 'viewer', 'read the reasons for leaving', async (call) => {
    const filter = call.asked(queries.reasons);
    const asked = reasonFilter(filter);
    const latest = latestMonths(clock.now(), monthsShown);
    const shown = latest.filter(
      (month) => month.to > (asked.from ?? 0) && month.from < (asked.to ?? month.to),
    );
    const [counts = [], ...byMonth] = await Promise.all(
      [asked, ...shown.map((month) => ({ ...asked, ...overlap(month, asked) }))].map((each) =>
        journal.topReasons({ ...each, limit: mostCounted }),
      ),
    );
    const months = shown.map((month, at) => ({ ...month, counts: byMonth[at] ?? [] }));
    const wordsIn = counts.flatMap((counted) => (counted.id === undefined ? counted.center : []));
    const words = await journal.ownWords(asked, { centers: wordsIn, limit: mostWords });
    const centers = await centerNames();
    await call.show(buildReasonsPage(call.pageContext, { counts, months, latest, words, filter, centers }));
  });

  guarded.get('/reasons.csv', 'viewer', 'exported the reasons for leaving', async (call) => {
    const centers = await centerNames();
    async function* parts() {
      for await (const part of reasonsOf(reasonFilter(call.asked(queries.reasons))))
        yield reasonRows(part, centers);
    }
    await streamCsv(call.response, 'reasons', { columns: reasonColumns, parts: parts() });
  });
}

function overlap(month: Month, { from, to }: Pick<ReasonFilter, 'from' | 'to'>) {
  return { from: Math.max(month.from, from ?? 0), to: Math.min(month.to, to ?? month.to) };
}
