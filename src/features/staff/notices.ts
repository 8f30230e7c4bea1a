import { Problem } from '../../core/model/problem.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Platform } from '../../ports/platform.ts';
import type { GuardedRouter } from './guarded-router.ts';
import type { NoticeReader } from './notice-names.ts';
import { buildNoticeList, type KnownNames } from './pages/notice-list.ts';
import { questionOf, readQuestion } from './pages/notice-question.ts';
import { buildNoticePage } from './pages/notices.ts';
import { readPaging } from './pages/paging.ts';

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
  guarded.get('/notices', 'viewer', 'listed the notices', async ({ request, pageContext, show }) => {
    const asked = readPaging(request.query);
    const page = await platform.listNotices(asked);
    const names = await notices.namesOf(page.notices);
    await show(buildNoticeList(pageContext, { page, asked, names, known: known.names }));
  });

  guarded.get(
    '/notices/:id',
    'viewer',
    'opened a notice',
    async ({ request, parameter, pageContext, show }) => {
      const id = parameter('id');
      const asked = readPaging(request.query);
      const question = questionOf(request.query);
      const read = readQuestion(question);
      // The second after this one: what was published just now counts, too.
      const soon = new Date(clock.now() + 1000).toISOString().slice(0, 19);
      const [versions, current, answer] = await Promise.all([
        platform.listNoticeVersions(id, asked),
        platform.findNoticeVersion(id, soon),
        read.kind === 'question' ? platform.findNoticeVersion(id, read.ask) : undefined,
      ]);
      if (versions === undefined) throw new Problem('not-found');
      const page = buildNoticePage(pageContext, {
        id,
        versions,
        asked,
        current,
        question,
        read,
        answer,
        known: known.names,
      });
      await show(page, read.kind === 'mistake' ? 422 : 200);
    },
  );
}
