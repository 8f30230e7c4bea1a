import type { CenterRegistry } from '../../core/model/center/center-config.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Platform } from '../../ports/platform.ts';
import type { CenterNames } from './pages/submission-list.ts';

/** Milliseconds. */
const fresh = 60_000;
const submitTimeoutMs = 1_500;

/**
 * The names of centers for lists that must open also while the platform does not answer: the last ones known, when
 * new ones do not come at once; before any has come, the addresses that the centers file gives.
 */
export function createCenterNames({
  platform,
  registry,
  clock,
}: {
  platform: Pick<Platform, 'listCenters'>;
  registry: Pick<CenterRegistry, 'listed'>;
  clock: Clock;
}): () => Promise<CenterNames> {
  let known: CenterNames = registry.listed?.map(({ center, name }) => ({ id: center, name })) ?? [];
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  function read(): Promise<void> {
    reading ??= platform
      .listCenters()
      .then(
        (centers) => {
          known = centers.map(({ id, name }) => ({ id, name }));
          readAt = clock.now();
        },
        () => undefined,
      )
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  return async () => {
    if (clock.now() - readAt < fresh) return known;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, submitTimeoutMs);
    });
    await Promise.race([read(), late]);
    clearTimeout(timer);
    return known;
  };
}
