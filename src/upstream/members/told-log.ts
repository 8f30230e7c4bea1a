import type { Center } from '../../core/model/center/center.ts';
import { toldSentence } from '../../core/model/center/told-member.ts';
import type { PlatformLog } from '../watch.ts';
import { toldKey } from './tell.ts';

/** Centers × members. More are told by `npm run check` alone. */
const mostLogged = 10_000;

export type ToldLog = ReturnType<typeof createToldLog>;

/** Warns once of each member of a center that is not honoured, however often the center is read. */
export function createToldLog(log: PlatformLog | undefined) {
  const logged = new Set<string>();
  return ({ id, told }: Pick<Center, 'id' | 'told'>): void => {
    for (const each of told) {
      const key = `${id} ${toldKey(each)}`;
      if (logged.has(key) || logged.size >= mostLogged) continue;
      logged.add(key);
      const { verdict } = each;
      log?.warn('member of a center not honoured', { center: id, verdict, member: toldSentence(each) });
    }
  };
}
