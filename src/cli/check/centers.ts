import type { Config } from '../../config/environment.ts';
import { type Center, itemsOf } from '../../core/model/center/center.ts';
import { toldSentence } from '../../core/model/center/told-member.ts';
import { Problem } from '../../core/model/problem.ts';
import { chooseText } from '../../i18n/language.ts';
import type { HttpPlatform } from '../../upstream/platform.ts';
import { reasonOf, type Tell, tried } from './report.ts';

/** Checks each center that is served, in each of its languages. */
export async function checkCenters(config: Config, platform: HttpPlatform, tell: Tell) {
  const centers: Center[] = [];
  for (const { id, isDraft } of await servedCenters(config, platform, tell)) {
    const about = `center ${id}`;
    try {
      const center = await platform.findCenter(id);
      if (center !== undefined) {
        centers.push(center);
        tell('ok', about, describe(center));
        for (const { words } of center.unread) tell('warn', about, `left out: ${words}`);
        for (const member of center.told) tell(member.verdict, about, toldSentence(member));
      } else if (isDraft) tell('off', about, 'it is a draft, and not published');
      else tell('fault', about, 'the platform knows no such center');
    } catch (fault) {
      tell('fault', about, reasonOf(fault));
    }
  }
  return centers;
}

/**
 * Returns the centers that are served. The platform's list is read and reported even if CENTERS_FILE names
 * the centers, because the staff pages need it.
 */
async function servedCenters({ centers }: Config, platform: HttpPlatform, tell: Tell) {
  const about = 'list of centers';
  const named = centers?.map(({ center }) => ({ id: center, isDraft: false }));
  try {
    const listed = await platform.listCenters();
    if (centers === undefined && listed.length === 0)
      tell('fault', about, 'it is empty, so that none is served');
    else tell('ok', about, `${listed.length} on the platform`);
    return named ?? listed.map(({ id, status }) => ({ id, isDraft: status.toUpperCase() === 'DRAFT' }));
  } catch (fault) {
    const words = 'without it only the centers that a CENTERS_FILE names are served';
    if (named === undefined) tell('fault', about, `${reasonOf(fault)}; ${words}`);
    else tell('warn', about, `${reasonOf(fault)}; only the staff pages need it`);
    return named ?? [];
  }
}

/** One line about a center, with the number of purposes that have a name of their own in each language. */
function describe(center: Center): string {
  const names = itemsOf(center).flatMap((item) => (item.kind === 'purpose' ? [item.purpose.name] : []));
  const languages = center.languages.map((language) => {
    const named = names.filter(
      (name) => chooseText(name, language, center.defaultLanguage)?.lang === undefined,
    );
    return `${language} ${named.length}/${names.length}`;
  });
  return `${center.title ?? '(no title)'}: ${center.template}, ${center.pages.length} page(s); names by language: ${languages.join(', ')}`;
}

/** Tries the calls of the staff pages that only read. No task is made, because it would stay. */
export async function checkStaffCalls(platform: HttpPlatform, tell: Tell, isNeeded: boolean): Promise<void> {
  const calls = [
    { about: 'notices (scope POLICY)', run: () => checkNotices(platform) },
    { about: 'tasks (scope ISSUE)', run: () => platform.findTask(noSuchTask).then(() => undefined) },
  ];
  for (const { about, run } of calls) {
    const failed = (why: string, fault: unknown) => {
      const isDenied = fault instanceof Problem && fault.code === 'platform-denied';
      const words = isDenied ? 'the credentials lack the scope' : why;
      tell(isNeeded ? 'warn' : 'off', about, `${words}; only the staff pages need it`);
    };
    await tried(tell, { about, run, failed });
  }
}

const noSuchTask = '00000000-0000-4000-8000-000000000000';

async function checkNotices(platform: HttpPlatform): Promise<undefined> {
  const { notices } = await platform.listNotices({ page: 0, size: 1 });
  const [notice] = notices;
  if (notice === undefined) return;
  await platform.listNoticeVersions(notice.id, { page: 0, size: 1 });
  await platform.findNoticeVersion(notice.id, '2100-01-01');
}
