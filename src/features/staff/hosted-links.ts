import type { Clock } from '../../ports/clock.ts';
import type { HostedLinks } from '../../ports/hosted-links.ts';
import type { GuardedRouter } from './guarded-router.ts';
import { buildHostedLinksPage } from './pages/hosted-links.ts';
import type { CenterNames } from './pages/names.ts';

export interface HostedLinkParts {
  readonly hostedLinks: Pick<HostedLinks, 'counts'>;
  readonly centerNames: () => Promise<CenterNames>;
  readonly clock: Clock;
}

const dayMs = 24 * 60 * 60_000;
const daysShown = 30;

/** Which links of the platform's hosted pages still come. */
export function addHostedLinks(
  guarded: GuardedRouter,
  { hostedLinks, centerNames, clock }: HostedLinkParts,
): void {
  guarded.get('/hosted-links', 'viewer', 'looked at the links of hosted pages', async (call) => {
    const now = clock.now();
    const since = now - (now % dayMs) - (daysShown - 1) * dayMs;
    const [counts, centers] = await Promise.all([hostedLinks.counts(since), centerNames()]);
    await call.show(buildHostedLinksPage(call.pageContext, { counts, centers, days: daysShown }));
  });
}
