import { systemClock } from '../../clock.ts';
import type { Config } from '../../config/environment.ts';
import { type Center, everyPurpose } from '../../core/model/center.ts';
import { createIdentifiers } from '../../core/model/identifiers.ts';
import type { Pacer } from '../../upstream/options.ts';
import { createPlatform, type HttpPlatform } from '../../upstream/platform.ts';
import type { SaidQuota } from '../../upstream/quota-said.ts';
import { tenantOf } from '../tenant.ts';
import { checkPerson, type SpeakAs, trialCenter } from './person.ts';
import { type CheckLine, reasonOf } from './report.ts';
import { checkSurroundings } from './surroundings.ts';
import { checkCenters, checkStaffCalls, sizeLog, type Tell, tried } from './tenant.ts';

export interface CheckOptions {
  /** Whose record may be written and put back, in `center`: its address or id; the first where none is named. */
  readonly person?: string | undefined;
  readonly center?: string | undefined;
  /** Milliseconds between two looks whether what was written is on record. */
  readonly lookEveryMs?: number | undefined;
}

/** Tries a tenant's settings: everything that the product calls, and what it stands on. Starts nothing. */
export async function checkTenant(config: Config, options: CheckOptions = {}): Promise<readonly CheckLine[]> {
  const lines: CheckLine[] = [];
  const tell: Tell = (line) => lines.push(line);
  for (const words of config.warnings) tell({ status: 'warn', about: 'settings', words });
  const tenant = openTenant(config, tell);
  try {
    if ((await tried(tell, 'token', () => tenant.platform.signIn())) !== undefined) {
      const centers = await checkCenters(config, tenant.platform, tell);
      await checkRecords(config, centers, { ...options, ...tenant, tell });
      await checkStaffCalls(tenant.platform, tell, config.staff !== undefined);
      tellQuota(config, tenant.said, tell);
    }
  } finally {
    await tenant.close();
  }
  await checkSurroundings(config, tell);
  return lines;
}

interface Tenant {
  readonly platform: HttpPlatform;
  readonly speakAs: SpeakAs;
  /** What answers said of the quota. */
  readonly said: readonly SaidQuota[];
  close(): Promise<void>;
}

function openTenant(config: Config, tell: Tell): Tenant {
  const { identifierEncoding, centers } = config;
  const settings = tenantOf(config);
  const said: SaidQuota[] = [];
  const pacer: Pacer = {
    admit: async () => systemClock.now(),
    isFresh: () => true,
    hear: (_endpoint, heard) => void said.push(heard),
    look: () => undefined,
    close: () => undefined,
  };
  const opened = new Map<string, HttpPlatform>();
  const speakAs: SpeakAs = (way) => {
    const key = JSON.stringify(way);
    const known = opened.get(key);
    if (known !== undefined) return known;
    const platform = createPlatform({
      ...settings,
      ...way,
      clock: systemClock,
      imageHosts: (id) => centers?.find(({ center }) => center === id)?.imageHosts ?? [],
      log: sizeLog(tell),
      pacer,
    });
    opened.set(key, platform);
    return platform;
  };
  return {
    platform: speakAs({ dataElementsKey: settings.dataElementsKey, identifierEncoding }),
    speakAs,
    said,
    async close() {
      await Promise.all([...opened.values()].map((platform) => platform.close()));
    },
  };
}

/** Whichever encoding is set: it is what is found out. */
const identifiers = createIdentifiers('utf-8');

/** An address that can belong to no person; it is only read. */
const unknownPerson = 'sayso-check@example.invalid';

async function checkRecords(
  config: Config,
  centers: readonly Center[],
  {
    person,
    center: named,
    lookEveryMs = 500,
    platform,
    speakAs,
    tell,
  }: CheckOptions & Tenant & { readonly tell: Tell },
): Promise<void> {
  const asked = named === undefined ? undefined : centerNamed(config, named);
  const center = asked === undefined ? trialCenter(centers) : centers.find(({ id }) => id === asked);
  if (center === undefined) {
    if (named !== undefined)
      tell({ status: 'fault', about: 'person', words: `no center ${named} is served` });
    return;
  }
  if (!(await checkClock(platform, center, tell))) return;
  await checkEnds(platform, centers, tell);
  if (person === undefined) {
    tell({ status: 'ok', about: 'read a record', words: '' });
    for (const about of ['change a record', 'identifier encoding', 'letter case of data elements'])
      tell({ status: 'off', about, words: 'not tried: name a test person by --person' });
    return;
  }
  const subject = identifiers.read(person);
  if (subject === undefined) {
    tell({ status: 'fault', about: 'person', words: `use ${identifiers.rule}` });
    return;
  }
  const set = {
    dataElementsKey: config.platform?.dataElementsKey ?? 'dsDataElements',
    identifierEncoding: config.identifierEncoding,
  } as const;
  await checkPerson({ center, subject, set, speakAs, tell, lookEveryMs });
}

function centerNamed({ centers = [] }: Config, named: string): string {
  return centers.find(({ name }) => name === named)?.center ?? named.toLowerCase();
}

/** Seconds by which clocks may differ: links, sessions and tokens are told apart by more. */
const mostSkew = 30;

/** False: no record can be read. */
async function checkClock(platform: HttpPlatform, { id }: Center, tell: Tell): Promise<boolean> {
  const about = 'clock';
  const subject = identifiers.read(unknownPerson);
  if (subject === undefined) return false;
  try {
    const { at } = await platform.probeRecord(id, { subject, encoding: 'refuse' });
    if (at === undefined) {
      tell({ status: 'off', about, words: 'the platform does not say its time' });
      return true;
    }
    const seconds = Math.round((systemClock.now() - at) / 1_000);
    const words =
      Math.abs(seconds) < 2
        ? 'as the platform’s'
        : `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the platform’s`;
    tell({ status: Math.abs(seconds) > mostSkew ? 'warn' : 'ok', about, words });
    return true;
  } catch (fault) {
    tell({ status: 'fault', about: 'read a record', words: reasonOf(fault) });
    return false;
  }
}

/** Asked only where a page would ask, too. */
async function checkEnds(platform: HttpPlatform, centers: readonly Center[], tell: Tell): Promise<void> {
  const about = 'read when consents end';
  const subject = identifiers.read(unknownPerson);
  const hasAny = centers.some((center) =>
    everyPurpose(center).some(({ lifeSpan }) => lifeSpan !== undefined),
  );
  if (subject === undefined || !hasAny) return;
  try {
    await platform.readEnds(subject);
    tell({ status: 'ok', about, words: '' });
  } catch (fault) {
    const instead = 'pages say how long a choice lasts, and offer no renewal';
    tell({ status: 'warn', about, words: `${reasonOf(fault)}; ${instead}` });
  }
}

/** A page reads once; saving reads, writes and reads back. */
const callsOfSaving = 3;
const written = (count: number) => Math.floor(count).toLocaleString('en');

function tellQuota({ quota }: Config, said: readonly SaidQuota[], tell: Tell): void {
  if (quota === undefined) return;
  const { perMinute, hourShare } = quota;
  const least = (period: 'MINUTE' | 'HOUR') => {
    const heard = said.flatMap((one) =>
      one.period === period && one.allowed !== undefined ? one.allowed : [],
    );
    return heard.length === 0 ? undefined : Math.min(...heard);
  };
  const [minute, hour] = [least('MINUTE'), least('HOUR')];
  const shared = hourShare === undefined || hour === undefined ? undefined : hour * hourShare;
  const perHour = Math.min(quota.perHour, shared ?? quota.perHour);
  const share =
    hourShare === undefined
      ? ''
      : ` (${hourShare * 100} % of ${shared === undefined ? 'a usual account' : 'the account'})`;
  const own = `${written(perMinute)} a minute for each call, ${written(perHour)} an hour for all${share}, good for ${written(perHour)} pages or ${written(perHour / callsOfSaving)} savings an hour`;
  const isTooMuch = (minute !== undefined && minute < perMinute) || (hour !== undefined && hour < perHour);
  const platform =
    minute === undefined && hour === undefined
      ? 'the platform does not say'
      : `the platform says ${[minute === undefined ? '' : `${minute} a minute`, hour === undefined ? '' : `${hour} an hour`].filter(Boolean).join(', ')}`;
  const advice = isTooMuch ? ': lower PLATFORM_REQUESTS_PER_MINUTE or PLATFORM_REQUESTS_PER_HOUR' : '';
  tell({ status: isTooMuch ? 'warn' : 'ok', about: 'quota', words: `${own}; ${platform}${advice}` });
}
