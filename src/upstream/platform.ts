import { isGuid } from '../core/model/center-config.ts';
import type { Platform } from '../ports/platform.ts';
import { createCenterCache } from './center-cache.ts';
import { captureCenter, type RawCenter, readCenter } from './centers.ts';
import { createClient } from './client.ts';
import { createOpenCenters } from './open-centers.ts';
import { defaultLimits, defaultTimeouts, type PlatformOptions } from './options.ts';
import { createStaff } from './staff.ts';
import { createSubjects } from './subjects.ts';
import { untilAborted } from './token.ts';

export type { PlatformOptions } from './options.ts';

export interface HttpPlatform extends Platform {
  /** Fetches a token, or throws why there is none. */
  signIn(): Promise<void>;
  /** Reads the list of centers where it says what is served. Throws why it cannot be had. */
  lookAtList(): Promise<void>;
  /** A center's schemas word for word, to be written down. */
  captureCenter(id: string): Promise<RawCenter | undefined>;
  close(): Promise<void>;
}

/** The platform over HTTP (docs/platform-api.md). */
export function createPlatform(options: PlatformOptions): HttpPlatform {
  const { clock, log, metrics } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const limits = { ...defaultLimits, ...options.limits };
  const client = createClient(options);
  const ownHost = new URL(options.url).hostname;
  const imageHosts = (id: string) => new Set([ownHost, ...(options.imageHosts?.(id) ?? [])]);
  const centers = createCenterCache({
    load: (id, { known, canWait }) => {
      const order = { isFirst: known, priority: canWait ? 'background' : 'person' } as const;
      return readCenter(id, {
        client,
        order,
        log,
        metrics,
        imageHosts: imageHosts(id),
        schemaBytes: limits.schemaBytes,
      });
    },
    clock,
    log,
    freshFor: limits.centerFresh,
    keptFor: limits.centerKept,
  });
  const staff = createStaff(client);
  const open = createOpenCenters({
    cache: centers,
    list: options.serves === 'named-centers' ? undefined : staff.listCenters,
    clock,
    log,
  });
  const inTime = <T>(found: T | Promise<T>) =>
    found instanceof Promise ? untilAborted(found, AbortSignal.timeout(timeouts.center)) : found;
  return {
    ...staff,
    ...createSubjects(client, options),
    async findCenter(id, options) {
      return isGuid(id) ? inTime(centers.find(id.toLowerCase(), options)) : undefined;
    },
    async findOpenCenter(id) {
      return isGuid(id) ? inTime(open.find(id.toLowerCase())) : undefined;
    },
    lookAtList: open.look,
    async captureCenter(id) {
      return isGuid(id) ? captureCenter(id.toLowerCase(), client) : undefined;
    },
    signIn: client.signIn,
    close: client.close,
  };
}
