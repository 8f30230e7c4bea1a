import type { CenterRegistry } from '../../core/model/center/center-config.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Platform, PlatformWatch } from '../../ports/platform.ts';
import type { GuardedRouter } from './guarded-router.ts';
import { createKept } from './names.ts';
import { everyDay } from './pages/days.ts';
import { type Weight, weightOf } from './pages/finding-words.ts';
import { buildHomePage, type CenterFindings } from './pages/home.ts';
import { lintCenter } from './pages/lint.ts';
import type { CenterNames, Named } from './pages/names.ts';

export interface HomeParts {
  readonly journal: Pick<Journal, 'waitingWithdrawals' | 'failedSince' | 'days' | 'topReasons'>;
  readonly platform: Pick<Platform, 'findCenter'>;
  readonly registry: CenterRegistry;
  readonly watch: PlatformWatch;
  readonly hourlyQuota: number | undefined;
  readonly centerNames: () => Promise<CenterNames>;
  readonly clock: Clock;
}

const dayMs = 24 * 60 * 60 * 1000;
const daysShown = 30;
/** One more than is ever said: beyond it the count stops. */
const mostCounted = 1_001;
const mostReasons = 5;

/** The first page of the staff. Every figure is a counter, or found by an index. */
export function addHome(guarded: GuardedRouter, parts: HomeParts): void {
  const { journal, watch, centerNames, clock } = parts;
  const findingsOf = createFindings(parts);

  guarded.get('/', 'viewer', 'opened the staff pages', async (call) => {
    const now = clock.now();
    const today = now - (now % dayMs);
    const from = today - (daysShown - 1) * dayMs;
    const centers = await centerNames();
    const [waiting, failed, days, reasons, findings] = await Promise.all([
      journal.waitingWithdrawals(mostCounted),
      journal.failedSince(now - dayMs, mostCounted),
      journal.days({ from, to: today + dayMs }),
      journal.topReasons({ from, limit: mostReasons }),
      findingsOf(centers),
    ]);
    await call.show(
      buildHomePage(call.pageContext, {
        now,
        waiting,
        failed,
        mostCounted,
        days: everyDay(days, today, daysShown),
        reasons,
        centers,
        findings,
        platform: watch.state(),
        hourlyQuota: parts.hourlyQuota,
      }),
    );
  });
}

const mostCenters = 20;

/** What the linter finds in the first centers: each read again after ten minutes, and not waited for long. */
function createFindings({ platform, registry, clock }: HomeParts) {
  const kept = createKept<Named, Omit<CenterFindings, 'name'> | undefined>({
    clock,
    freshMs: 10 * 60_000,
    async read({ id }) {
      const center = await platform.findCenter(id);
      if (center === undefined) return undefined;
      const findings = lintCenter(center, registry.findByCenter(id)?.brand);
      const count = (weight: Weight) => findings.filter((one) => weightOf(one) === weight).length;
      return { id, problems: count('problem'), warnings: count('warning'), notes: count('note') };
    },
  });
  return async (centers: CenterNames): Promise<readonly CenterFindings[]> => {
    const first = centers.slice(0, mostCenters);
    const known = await kept.of(first);
    return first.flatMap(({ id, name }) => {
      const found = known.get(id);
      return found === undefined ? [] : [{ ...found, name }];
    });
  };
}
