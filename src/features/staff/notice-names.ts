import type { Notice } from '../../core/model/staff/notice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Platform } from '../../ports/platform.ts';
import { inOneGo } from './in-one-go.ts';
import { chooseNoticeName, type NoticeNames } from './pages/notice-list.ts';

/** Milliseconds. */
const fresh = 10 * 60_000;
/** Of all notices; the ones that were used last stay. */
const mostKept = 1_000;

export interface NamedNotice {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string | undefined;
  readonly responsibleUserId: string | undefined;
}

export interface NoticeReader {
  /** Of those notices, what can be had in a moment; the rest may be known the next time. */
  namesOf(notices: readonly Notice[]): Promise<NoticeNames>;
  /** The newest ones with their names, to be chosen from; none while the platform does not answer. */
  newest(): Promise<readonly NamedNotice[]>;
  /** As it was read last, however long ago. */
  lastNameOf(id: string): string | undefined;
}

/**
 * The platform's list of notices has no names: each is asked for by itself, once in ten minutes, and again as soon as
 * the notice has another version. A list that opens late for their sake would be worse than one without some.
 */
export function createNoticeNames({
  platform,
  clock,
}: {
  platform: Pick<Platform, 'listNotices' | 'listNoticeVersions'>;
  clock: Clock;
}): NoticeReader {
  const kept = new Map<
    string,
    { readonly stamp: string; readonly name: string | undefined; readonly at: number }
  >();
  let list: { readonly notices: readonly Notice[]; readonly at: number } | undefined;

  const stampOf = ({ lastPublishedDate, versions }: Notice): string =>
    JSON.stringify([lastPublishedDate, versions]);

  function known(notice: Notice): { readonly name: string | undefined } | undefined {
    const found = kept.get(notice.id);
    const age = clock.now() - (found?.at ?? 0);
    return found !== undefined && found.stamp === stampOf(notice) && age >= 0 && age < fresh
      ? found
      : undefined;
  }

  async function read(notice: Notice): Promise<void> {
    const page = await platform.listNoticeVersions(notice.id, { page: 0, size: 10 });
    kept.delete(notice.id);
    kept.set(notice.id, {
      stamp: stampOf(notice),
      name: chooseNoticeName(page?.versions ?? []),
      at: clock.now(),
    });
    for (const [id] of kept) {
      if (kept.size <= mostKept) break;
      kept.delete(id);
    }
  }

  async function namesOf(notices: readonly Notice[]): Promise<NoticeNames> {
    const missing = notices.filter((notice) => known(notice) === undefined);
    await inOneGo(missing.map((notice) => () => read(notice)));
    return new Map(
      notices.flatMap((notice): [string, string][] => {
        const name = known(notice)?.name;
        return name === undefined ? [] : [[notice.id, name]];
      }),
    );
  }

  return {
    namesOf,
    lastNameOf: (id) => kept.get(id)?.name,
    async newest() {
      const age = clock.now() - (list?.at ?? 0);
      if (list === undefined || age < 0 || age >= fresh) {
        await inOneGo([
          async () => {
            const { notices } = await platform.listNotices({ page: 0, size: 20 });
            list = { notices, at: clock.now() };
          },
        ]);
      }
      const names = await namesOf(list?.notices ?? []);
      return (list?.notices ?? []).flatMap(({ id, organizationId, responsibleUserId }) => {
        const name = names.get(id);
        return name === undefined ? [] : [{ id, name, organizationId, responsibleUserId }];
      });
    },
  };
}
