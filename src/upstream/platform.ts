import { isGuid } from '../core/model/center/center-config.ts';
import type { IdentifierEncoding } from '../core/model/person/identifiers.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import type { Platform } from '../ports/platform.ts';
import { createCenterCache } from './center-cache.ts';
import type { RawCenter } from './centers.ts';
import { createClient } from './client.ts';
import { defaultLimits, defaultTimeouts } from './limits.ts';
import { createToldLog } from './members/told-log.ts';
import { createOpenCenters } from './open-centers.ts';
import type { PlatformOptions } from './options.ts';
import { type Probed, probeRecord } from './probe.ts';
import { createStaff } from './staff.ts';
import { createSubjects } from './subjects.ts';
import { untilAborted } from './token.ts';

export type { PlatformOptions } from './options.ts';

export interface HttpPlatform extends Platform {
  /** Fetches a token, or throws why there is none. */
  signIn(): Promise<void>;
  /** Reads the list of centers if it decides what is served. Throws why it cannot be read. */
  lookAtList(): Promise<void>;
  /** A center's schemas word for word, to save them. */
  captureCenter(id: string): Promise<RawCenter | undefined>;
  /** What a reading of a person's record tells of the tenant. */
  probeRecord(
    center: string,
    asked: { readonly subject: SubjectId; readonly encoding: IdentifierEncoding },
  ): Promise<Probed>;
  /** A person's record word for word; undefined: there is none. */
  captureSubject(center: string, subject: SubjectId): Promise<unknown>;
  close(): Promise<void>;
}

/** Loaded with the first schema: it would take a tenth of a start. */
const schemaReaders = () => import('./centers.ts');

/** The platform over HTTP (docs/platform-api.md). */
export function createPlatform(options: PlatformOptions): HttpPlatform {
  const { clock, log, metrics } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const limits = { ...defaultLimits, ...options.limits };
  const client = createClient(options);
  const ownHost = new URL(options.url).hostname;
  const imageHosts = (id: string) => new Set([ownHost, ...(options.imageHosts?.(id) ?? [])]);
  const logTold = createToldLog(log);
  const centers = createCenterCache({
    load: async (id, { known, canWait }) => {
      const { readCenter } = await schemaReaders();
      const order = { isFirst: known, priority: canWait ? 'background' : 'person' } as const;
      const center = await readCenter(id, {
        client,
        order,
        log,
        metrics,
        imageHosts: imageHosts(id),
        schemaBytes: limits.schemaBytes,
      });
      if (center !== undefined) logTold(center);
      return center;
    },
    clock,
    log,
    freshFor: limits.centerFresh,
    keptFor: limits.centerKept,
  });
  const staff = createStaff(client);
  const listCenters = async () => {
    const listed = await staff.listCenters();
    for (const { id } of listed) options.metrics?.listed?.(id);
    return listed;
  };
  const open = createOpenCenters({
    cache: centers,
    list: options.serves === 'named-centers' ? undefined : listCenters,
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
    listOpenCenters: open.ids,
    lookAtList: open.look,
    async captureCenter(id) {
      return isGuid(id) ? (await schemaReaders()).captureCenter(id.toLowerCase(), client) : undefined;
    },
    probeRecord: (center, asked) => probeRecord(client, { center, ...asked }),
    signIn: client.signIn,
    close: client.close,
  };
}
