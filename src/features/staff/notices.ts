import { Problem } from '../../core/model/problem.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Platform } from '../../ports/platform.ts';
import type { GuardedRouter } from './guarded-router.ts';
import type { NoticeReader } from './names.ts';
import { readQuestion } from './notice-question.ts';
import type { KnownNames } from './pages/names.ts';
import { buildNoticeList } from './pages/notice-list.ts';
import { buildNoticePage } from './pages/notices.ts';
import { queries } from './queries.ts';

export interface NoticeParts {
  readonly platform: Pick<Platform, 'listNotices' | 'findNoticeVersion' | 'listNoticeVersions'>;
  readonly clock: Clock;
}

/** Privacy notices, to be read. `known`: of organizations and people. */
export function addNotices(
  guarded: GuardedRouter,
  {
    platform,
    clock,
    notices,
    known,
  }: NoticeParts & { readonly notices: NoticeReader; readonly known: { readonly names: KnownNames } },
): void {
  guarded.get('/notices', 'viewer', 'listed the notices', async (call) => {
    const asked = call.asked(queries.notices);
    const page = await platform.listNotices(asked);
    const names = await notices.namesOf(page.notices);
    await call.show(buildNoticeList(call.pageContext, { page, asked, names, known: known.names }));
  });

  guarded.get('/notices/:id', 'viewer', 'opened a notice', async (call) => {
    const id = call.parameter('id');
    const asked = call.asked(queries.versions);
    const read = readQuestion(asked);
    // The second after this one: what was published just now counts, too.
    const soon = new Date(clock.now() + 1000).toISOString().slice(0, 19);
    const [versions, current, answer] = await Promise.all([
      platform.listNoticeVersions(id, { page: asked.page, size: asked.size }),
      platform.findNoticeVersion(id, soon),
      read.kind === 'question' ? platform.findNoticeVersion(id, read.ask) : undefined,
    ]);
    if (versions === undefined) throw new Problem('not-found');
    const given = { id, versions, asked, current, read, answer, known: known.names };
    await call.show(buildNoticePage(call.pageContext, given), read.kind === 'mistake' ? 422 : 200);
  });
}
