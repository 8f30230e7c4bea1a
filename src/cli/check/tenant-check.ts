import { createForwardClock, systemClock } from '../../clock.ts';
import { tenantOf } from '../../compose/tenant.ts';
import type { Config } from '../../config/environment.ts';
import { type Center, everyPurpose } from '../../core/model/center/center.ts';
import { createIdentifiers } from '../../core/model/person/identifiers.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import type { Pacer } from '../../upstream/pacer.ts';
import { createPlatform, type HttpPlatform } from '../../upstream/platform.ts';
import type { SaidQuota } from '../../upstream/quota-said.ts';
import type { PlatformLog } from '../../upstream/watch.ts';
import { print } from '../streams.ts';
import type { Values } from '../usage.ts';
import { checkCenters, checkStaffCalls } from './centers.ts';
import { checkPerson, type SpeakAs, trialCenter } from './person.ts';
import { type CheckLine, isWell, printedJson, printedLines, reasonOf, type Tell, tried } from './report.ts';
import { checkSurroundings } from './surroundings.ts';

/** Checks the tenant's settings. The exit code is 1 if something is wrong. */
export async function check(config: Config, values: Values<'check'>): Promise<void> {
  const lines = await checkTenant(config, values);
  for (const line of values.json ? [printedJson(lines)] : printedLines(lines)) print(line);
  if (!isWell(lines)) process.exitCode = 1;
}

/**
 * `person` is the identifier of a record that may be written and restored, in `center`. Without `center` it
 * is the first one with a text that a person may edit, otherwise the first one.
 */
export interface CheckOptions extends Partial<Pick<Values<'check'>, 'person' | 'center'>> {
  /** Milliseconds between two readings of a record after a write. */
  readonly lookEveryMs?: number | undefined;
}

/** Checks a tenant's settings: all calls of the product, and what else it depends on. It starts nothing. */
export async function checkTenant(config: Config, options: CheckOptions = {}): Promise<readonly CheckLine[]> {
  const lines: CheckLine[] = [];
  const tell: Tell = (status, about, words = '') => void lines.push({ status, about, words });
  for (const words of config.warnings) tell('warn', 'settings', words);
  const tenant = openTenant(config, tell);
  try {
    const signIn = () => tenant.platform.signIn().then(() => undefined);
    if (await tried(tell, { about: 'token', run: signIn })) {
      const centers = await checkCenters(config, tenant.platform, tell);
      await checkRecords(config, centers, { ...options, ...tenant, tell });
      await checkStaffCalls(tenant.platform, tell, config.staff !== undefined);
      tellQuota(config, tenant.quotas, tell);
    }
  } finally {
    await tenant.close();
  }
  await checkSurroundings(config, tell);
  return lines;
}

function openTenant(config: Config, tell: Tell) {
  const { identifierEncoding, centers } = config;
  const settings = tenantOf(config);
  /** The quotas that the platform's answers name. */
  const quotas: SaidQuota[] = [];
  const pacer: Pacer = {
    admit: async () => systemClock.now(),
    isFresh: () => true,
    hear: (_endpoint, heard) => void quotas.push(heard),
    look: () => undefined,
    close: () => undefined,
  };
  /** Only this event is reported here. The check reports the others in other words. */
  const log: PlatformLog = {
    warn(event, { center, what, percent }) {
      if (event === 'center nearly too large')
        tell('warn', `center ${center}`, `its ${what} are ${percent} % of what is read at most`);
    },
  };
  const opened: HttpPlatform[] = [];
  const speakAs: SpeakAs = (way) => {
    const platform = createPlatform({
      ...settings,
      ...way,
      clock: createForwardClock(),
      imageHosts: (id) => centers?.find(({ center }) => center === id)?.imageHosts ?? [],
      log,
      pacer,
    });
    opened.push(platform);
    return platform;
  };
  const set = { dataElementsKey: settings.dataElementsKey, identifierEncoding };
  return {
    platform: speakAs(set),
    set,
    speakAs,
    quotas,
    close: () => Promise.all(opened.map((platform) => platform.close())),
  };
}

/** Identifiers beyond ASCII are read under any encoding that is set: the check finds out the encoding. */
const identifiers = createIdentifiers('utf-8');

/** An identifier that can belong to no person. Its record is only read. */
const unknownPerson = 'sayso-check@example.invalid' as SubjectId;

async function checkRecords(
  config: Config,
  centers: readonly Center[],
  asked: CheckOptions & ReturnType<typeof openTenant> & { readonly tell: Tell },
): Promise<void> {
  const { person, center: named, lookEveryMs = 500, platform, tell } = asked;
  const wanted = named === undefined ? undefined : centerNamed(config, named);
  const center = wanted === undefined ? trialCenter(centers) : centers.find(({ id }) => id === wanted);
  if (center === undefined) {
    if (named !== undefined) tell('fault', 'person', `no center ${named} is served`);
    return;
  }
  if (!(await checkClock(platform, center, tell))) return;
  await checkBeside(platform, centers, tell);
  if (person === undefined) {
    tell('ok', 'read a record');
    for (const about of ['change a record', 'identifier encoding', 'letter case of data elements'])
      tell('off', about, 'not tried: name a test person by --person');
    return;
  }
  const subject = identifiers.read(person);
  if (subject === undefined) return tell('fault', 'person', `use ${identifiers.rule}`);
  await checkPerson({ ...asked, center, subject, lookEveryMs });
}

function centerNamed({ centers = [] }: Config, named: string): string {
  return centers.find(({ name }) => name === named)?.center ?? named.toLowerCase();
}

/** Seconds by which clocks may differ. The product accepts this difference in the times of tokens. */
const mostSkew = 30;

/** Resolves to false if no record can be read. */
async function checkClock(platform: HttpPlatform, { id }: Center, tell: Tell): Promise<boolean> {
  const about = 'clock';
  try {
    const { at } = await platform.probeRecord(id, { subject: unknownPerson, encoding: 'refuse' });
    const seconds = at === undefined ? undefined : Math.round((systemClock.now() - at) / 1_000);
    if (seconds === undefined) tell('off', about, 'the platform does not say its time');
    else if (Math.abs(seconds) < 2) tell('ok', about, 'as the platform’s');
    else {
      const side = seconds > 0 ? 'ahead of' : 'behind';
      const status = Math.abs(seconds) > mostSkew ? 'warn' : 'ok';
      tell(status, about, `${Math.abs(seconds)} s ${side} the platform’s`);
    }
    return true;
  } catch (fault) {
    tell('fault', 'read a record', reasonOf(fault));
    return false;
  }
}

/** Tries the calls that pages make beside the reading of the record. Pages do without their answers. */
async function checkBeside(platform: HttpPlatform, centers: readonly Center[], tell: Tell): Promise<void> {
  const ends = {
    about: 'read when consents end',
    run: () => platform.readEnds(unknownPerson),
    instead: 'pages say how long a choice lasts, and offer no renewal',
  };
  const links = {
    about: 'read whose a link token is',
    run: () => platform.findLinkToken(unknownPerson, ''),
    instead: 'a link of a hosted page only lets its person withdraw',
  };
  const hasEnds = centers.some((center) =>
    everyPurpose(center).some(({ lifeSpan }) => lifeSpan !== undefined),
  );
  for (const { about, run, instead } of hasEnds ? [ends, links] : [links]) {
    const failed = (why: string) => tell('warn', about, `${why}; ${instead}`);
    await tried(tell, { about, run: () => run().then(() => undefined), failed });
  }
}

/** Calls of one saving: it reads, writes and reads back. A page makes one call. */
const callsOfSaving = 3;
const written = (count: number) => Math.floor(count).toLocaleString('en');

function tellQuota({ quota }: Config, quotas: readonly SaidQuota[], tell: Tell): void {
  if (quota === undefined) return;
  const { perMinute, hourShare } = quota;
  const least = (period: 'MINUTE' | 'HOUR') => {
    const heard = quotas.flatMap((one) => (one.period === period ? (one.allowed ?? []) : []));
    return heard.length === 0 ? undefined : Math.min(...heard);
  };
  const [minute, hour] = [least('MINUTE'), least('HOUR')];
  const perHour = Math.min(quota.perHour, (hour ?? Infinity) * (hourShare ?? Infinity));
  const account = hour === undefined ? 'a usual account' : 'the account';
  const share = hourShare === undefined ? '' : ` (${hourShare * 100} % of ${account})`;
  const own = `${written(perMinute)} a minute for each call, ${written(perHour)} an hour for all${share}, good for ${written(perHour)} pages or ${written(perHour / callsOfSaving)} savings an hour`;
  const allowed = [
    ...(minute === undefined ? [] : [`${minute} a minute`]),
    ...(hour === undefined ? [] : [`${hour} an hour`]),
  ];
  const platform =
    allowed.length === 0 ? 'the platform does not say' : `the platform says ${allowed.join(', ')}`;
  const isWithin = (minute ?? Infinity) >= perMinute && (hour ?? Infinity) >= perHour;
  const advice = isWithin ? '' : ': lower PLATFORM_REQUESTS_PER_MINUTE or PLATFORM_REQUESTS_PER_HOUR';
  tell(isWithin ? 'ok' : 'warn', 'quota', `${own}; ${platform}${advice}`);
}
