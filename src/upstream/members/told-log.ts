import type { Center } from '../../core/model/center/center.ts';
import { toldSentence } from '../../core/model/center/told-member.ts';
import type { PlatformLog } from '../options.ts';

/** Centers × members. More are told by `npm run check` alone. */
const mostLogged = 10_000;

/** Warns once of each member of a center that is not honoured, however often the center is read. */
export function createToldLog(log: PlatformLog | undefined): (center: Center) => void {
  const logged = new Set<string>();
  return ({ id, told }) => {
    for (const { path, value, verdict, words, count } of told) {
      const key = `${id} ${path.replaceAll(/\[\d+\]/g, '')} ${value ?? ''}`;
      if (logged.has(key) || logged.size >= mostLogged) continue;
      logged.add(key);
      const member = toldSentence({ path, value, verdict, words, count });
      log?.warn('member of a center not honoured', { center: id, verdict, member });
    }
  };
}
