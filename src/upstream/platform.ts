import { isGuid } from '../core/model/center/center-config.ts';
import type { Platform } from '../ports/platform.ts';
import { createCenterCache } from './center-cache.ts';
import { createClient } from './client.ts';
import { createToldLog } from './members/tell.ts';
import { createOpenCenters } from './open-centers.ts';
import { type PlatformOptions, withDefaults } from './options.ts';
import { createStaff } from './staff.ts';
import { createSubjects } from './subjects.ts';
import { untilAborted } from './token.ts';

export type { PlatformOptions } from './options.ts';

export type HttpPlatform = ReturnType<typeof createPlatform>;

/** Imports the readers of schemas when the first schema is read: they would take a tenth of a start. */
const schemaReaders = () => import('./centers.ts');

/** The platform over HTTP (docs/platform-api.md). */
export function createPlatform(given: PlatformOptions) {
  const options = withDefaults(given);
  const { log, metrics, timeouts } = options;
  const client = createClient(options);
  const logTold = createToldLog(log);
  const centers = createCenterCache(async (id, { known, canWait }) => {
    const { readCenter } = await schemaReaders();
    const order = { isFirst: known, priority: canWait ? 'background' : 'person' } as const;
    const center = await readCenter(id, { client, order, options });
    if (center !== undefined) logTold(center);
    return center;
  }, options);
  const staff = createStaff(client);
  const listCenters = async () => {
    const listed = await staff.listCenters();
    for (const { id } of listed) metrics?.listed?.(id);
    return listed;
  };
  const list = options.serves === 'named-centers' ? undefined : listCenters;
  const open = createOpenCenters({ ...options, cache: centers, list });
  const inTime = <T>(found: T | Promise<T>) =>
    found instanceof Promise ? untilAborted(found, AbortSignal.timeout(timeouts.center)) : found;
  const { captureSubject, probeRecord, ...subjects } = createSubjects(client, options, logTold);
  const platform: Platform = {
    ...staff,
    ...subjects,
    async findCenter(id, options) {
      return isGuid(id) ? inTime(centers.find(id.toLowerCase(), options)) : undefined;
    },
    async findOpenCenter(id) {
      return isGuid(id) ? inTime(open.find(id.toLowerCase())) : undefined;
    },
    listOpenCenters: open.ids,
  };
  return {
    ...platform,
    captureSubject,
    probeRecord,
    /** The center as it was last read; never asks the platform. */
    keptCenter: (id: string) => centers.kept(id.toLowerCase()),
    lookAtList: open.look,
    /** A center's schemas word for word, to save them. */
    async captureCenter(id: string) {
      return isGuid(id) ? (await schemaReaders()).captureCenter(id.toLowerCase(), client) : undefined;
    },
    signIn: client.signIn,
    close: client.close,
  };
}
