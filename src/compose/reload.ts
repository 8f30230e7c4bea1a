import { type Config, ConfigFaults } from '../config/environment.ts';
import type { CenterConfig, CenterRegistry } from '../core/model/center/center-config.ts';
import type { Logger } from '../web/log.ts';

/** A registry whose centers can be replaced while it is in use. */
export function replaceableRegistry(first: CenterRegistry): {
  readonly registry: CenterRegistry;
  replace(next: CenterRegistry): void;
} {
  let current = first;
  return {
    registry: {
      find: (name) => current.find(name),
      findByCenter: (center) => current.findByCenter(center),
      get listed() {
        return current.listed;
      },
    },
    replace(next) {
      current = next;
    },
  };
}

/**
 * Takes the centers of new settings. Faulty settings change nothing and are logged; faults contain no values.
 */
export function createReload(
  current: Config,
  { take, log }: { readonly take: (next: Config) => void; readonly log: Pick<Logger, 'info' | 'error'> },
): (read: () => Config) => void {
  let known = current.centers ?? [];
  const refuse = (faults: readonly string[]) =>
    log.error({ faults }, 'the centers file was not taken: all is as it was');

  return (read) => {
    let next: Config;
    try {
      next = read();
    } catch (fault) {
      if (!(fault instanceof ConfigFaults)) throw fault;
      return refuse(fault.faults);
    }
    const { centers } = next;
    if (centers === undefined) return refuse(['CENTERS_FILE is not set']);
    if (ofStart(centers) !== ofStart(known))
      return refuse(['events, apiKeys and notify are read at the start alone: restart for them']);
    const before = new Map(known.map((center) => [center.name, JSON.stringify(center)]));
    take(next);
    known = centers;
    const names = new Set(centers.map(({ name }) => name));
    log.info(
      {
        added: centers.filter(({ name }) => !before.has(name)).map(({ name }) => name),
        changed: centers
          .filter((center) => before.has(center.name) && before.get(center.name) !== JSON.stringify(center))
          .map(({ name }) => name),
        removed: [...before.keys()].filter((name) => !names.has(name)),
      },
      'the centers file was read again',
    );
  };
}

/** The settings that are read only at the start. */
function ofStart(centers: readonly CenterConfig[]): string {
  const told = centers.filter(
    ({ events = [], apiKeys = [], notify }) => events.length + apiKeys.length > 0 || notify === true,
  );
  return JSON.stringify(
    told.map(({ center, events, apiKeys, notify }) => [center, events, apiKeys, notify]).sort(),
  );
}
