import { type Config, ConfigFaults } from '../config/environment.ts';
import {
  type CenterConfig,
  type CenterRegistry,
  everyCenter,
  listedCenters,
} from '../core/model/center/center-config.ts';
import type { Logger } from '../web/log.ts';
import { sandboxBrands } from './sandbox-brands.ts';

/** `demo` is the site that may frame every center of the sandbox and sign its tickets. */
export function registryOf(
  { mail, platform, centers }: Config,
  demo?: { readonly origin: string; readonly keys: string },
): CenterRegistry {
  if (centers !== undefined) return listedCenters(centers);
  const linkKeys: CenterConfig['linkKeys'] =
    demo === undefined ? [] : [{ kind: 'jwks', issuer: demo.origin, url: demo.keys }];
  const embedOrigins = demo === undefined ? [] : [demo.origin];
  const signIn = { mail: mail !== undefined || platform === undefined, singleSignOn: undefined };
  return everyCenter({ embedOrigins, linkKeys, signIn }, platform === undefined ? sandboxBrands : undefined);
}

/**
 * A registry whose centers are replaced by those of new settings while it is in use. Faulty settings change
 * nothing and are logged; faults contain no values.
 */
export function createReload(
  config: Config,
  parts: {
    readonly first: CenterRegistry;
    readonly taken: (centers: readonly CenterConfig[]) => void;
    readonly log: Pick<Logger, 'info' | 'error'>;
  },
): { readonly registry: CenterRegistry; reload(read: () => Config): void } {
  const { taken, log } = parts;
  let current = parts.first;
  let known = config.centers ?? [];
  const refuse = (faults: readonly string[]) =>
    log.error({ faults }, 'the centers file was not taken: all is as it was');

  return {
    registry: {
      find: (name) => current.find(name),
      findByCenter: (center) => current.findByCenter(center),
      get listed() {
        return current.listed;
      },
    },
    reload(read) {
      let next: Config;
      try {
        next = read();
      } catch (fault) {
        if (!(fault instanceof ConfigFaults)) throw fault;
        return refuse(fault.faults);
      }
      const { centers } = next;
      if (centers === undefined) return refuse(['CENTERS_FILE is not set']);
      if (startSettings(centers) !== startSettings(known))
        return refuse(['events, apiKeys and notify are read at the start alone: restart for them']);
      const before = new Map(known.map((center) => [center.name, JSON.stringify(center)]));
      current = registryOf(next);
      known = centers;
      taken(centers);
      const names = new Set(centers.map(({ name }) => name));
      const differ = centers.filter((center) => before.get(center.name) !== JSON.stringify(center));
      const [changed = [], added = []] = [true, false].map((isKnown) =>
        differ.map(({ name }) => name).filter((name) => before.has(name) === isKnown),
      );
      const removed = [...before.keys()].filter((name) => !names.has(name));
      log.info({ added, changed, removed }, 'the centers file was read again');
    },
  };
}

/** The settings that are read only at the start, as one text to compare. */
function startSettings(centers: readonly CenterConfig[]): string {
  const affected = centers.filter(
    ({ events = [], apiKeys = [], notify }) => events.length + apiKeys.length > 0 || notify === true,
  );
  return JSON.stringify(
    affected.map(({ center, events, apiKeys, notify }) => [center, events, apiKeys, notify]).sort(),
  );
}
