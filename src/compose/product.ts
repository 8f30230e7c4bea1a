import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { RequestHandler, Router } from 'express';
import { createApp } from '../app.ts';
import { systemClock, systemTimer } from '../clock.ts';
import type { Config } from '../config/environment.ts';
import { faultForLog } from '../core/model/logged-fault.ts';
import { createIdentifiers } from '../core/model/person/identifiers.ts';
import { Problem } from '../core/model/problem.ts';
import { createDelivery } from '../delivery/delivery.ts';
import { createStuckTasks } from '../delivery/stuck-tasks.ts';
import { startRoutes } from '../features/start/routes.ts';
import { openDataFolder } from '../store/data-folder.ts';
import { createSeal } from '../store/seal.ts';
import type { Timeouts } from '../upstream/limits.ts';
import { createPacer } from '../upstream/pacer.ts';
import { createPlatform, type HttpPlatform } from '../upstream/platform.ts';
import { type Assets, createAssets } from '../web/assets.ts';
import { createBrandOf } from '../web/brand-view.ts';
import { createErrors } from '../web/errors.ts';
import { createRejection } from '../web/load-shedder.ts';
import { createLog, type Logger } from '../web/log.ts';
import { createProblemPage } from '../web/problem.ts';
import { createRender, createToHtml, type Guard, type Render } from '../web/render.ts';
import { reportRoutes } from '../web/reports.ts';
import { createServer } from '../web/server.ts';
import { createWordings } from '../web/wordings.ts';
import { startDemo } from './demo.ts';
import { erasedFileOf, syncErasedList, usesFolder } from './erased-list.ts';
import { composeEvents } from './events.ts';
import { composeIdentity, linkMint } from './identity.ts';
import { composeMessages } from './messages.ts';
import { createAround } from './notices.ts';
import { composeOperation, listening, openMetrics } from './operation.ts';
import { overviewOf } from './overview.ts';
import type { ProductParts } from './parts.ts';
import { composePublicRoutes } from './public-routes.ts';
import { random } from './random.ts';
import { readyMade, tellUnusable } from './ready-made.ts';
import { registryOf } from './registry.ts';
import { createReload } from './reload.ts';
import { openSandbox } from './sandbox.ts';
import { openSigner, readSecrets } from './secret.ts';
import { shutDown } from './shutdown.ts';
import { composeStaff, forStaff } from './staff.ts';
import { createStaffLinks, notingStaffLinks } from './staff-links.ts';
import { openStores, type Stores } from './stores.ts';
import { startSweeping, sweptJournal } from './sweep.ts';

const root = join(import.meta.dirname, '../..');
/** The name a journal is bound to if the sandbox is the platform, at any port. */
const sandboxName = 'the sandbox';

/** On the start page of the sandbox. */
const demoLink = {
  label: 'A customer’s site',
  text: 'A made-up shop whose account page shows the preferences in a frame.',
};
const staffLink = {
  label: 'Staff pages',
  text: 'Opened by the one-time address that was printed at the start.',
};

/** Additions of `npm run dev`, which no setting enables. Templates are then read for each page. */
export interface Development {
  gallery(parts: { assets: Assets; render: Render }): Router;
  readonly guard: Guard;
}

export interface Surroundings {
  readonly development?: Development | undefined;
  /**
   * Receives everything that is printed. Default: standard output; for the sandbox's warnings, standard
   * error.
   */
  readonly print?: ((text: string) => void) | undefined;
  /** Deadlines of calls to the platform, for tests on a busy machine. */
  readonly timeouts?: Partial<Timeouts> | undefined;
}

/** Starts the whole product on one port; without a tenant, on its own sandbox. */
export async function startSayso(config: Config, { development, print, timeouts }: Surroundings = {}) {
  const metrics = openMetrics(config);
  const log = createLog({
    level: config.logLevel,
    stream: print && { write: print },
    onInternalError: metrics.internalError,
  });
  const say = print ?? ((text) => void process.stdout.write(text));
  const sayAside = print ?? ((text) => void process.stderr.write(text));
  const warn = (event: string, fault: unknown) => log.warn({ fault: faultForLog(fault) }, event);
  if (usesFolder(config)) openFolder(config, log);
  for (const warning of config.warnings) log.warn(warning);
  const secrets = readSecrets(config);
  const seal = createSeal(secrets);
  const stores = await openStores({
    config,
    seal,
    observer: {
      onStatement: () => metrics.database?.statement(),
      onChange(state, code) {
        metrics.database?.available(state);
        if (state === 'away') log.error({ code }, 'the database is away');
        else log.info({ code }, 'the database is back');
      },
      onWrong(text, fault) {
        const statement = text.replaceAll(/\s+/g, ' ').slice(0, 200);
        log.error({ fault: faultForLog(fault), statement }, 'the database refuses a statement');
      },
    },
  });
  // A restored backup may contain erased people.
  const people = await syncErasedList(stores.personData, erasedFileOf(config));
  if (people > 0) log.warn({ people }, 'the store was restored: erased people were erased again');
  const { clock, forwardClock, journal } = stores;
  await bindJournal(stores, config);
  const demo = await startDemo(config);
  const { registry, reload } = createReload(config, {
    first: registryOf(config, demo),
    taken(centers) {
      for (const { center } of centers) metrics.platform.listed(center);
      // Publishes the new themes now, because other nodes may already link to them.
      brandOf(undefined, undefined);
    },
    log,
  });
  const identifiers = createIdentifiers(config.identifierEncoding);
  const mint = linkMint(secrets);
  const signer = await openSigner(secrets, stores);
  const { publicUrl } = config;
  const https = publicUrl.protocol === 'https:';

  const sandbox =
    config.platform === undefined ? await openSandbox(config, { port: 0, warn: sayAside }) : undefined;
  if (sandbox !== undefined) tellUnusable(sandbox, { identifiers, warn: sayAside });
  const operation = await composeOperation(config, { stores, metrics, log });
  const logUpstream = {
    warn: (event: string, fields: Readonly<Record<string, string | number>>) => log.warn(fields, event),
  };
  const pacer =
    config.quota &&
    createPacer({
      quota: config.quota,
      store: stores.quotaStore,
      clock: stores.quotaClock,
      log: logUpstream,
      metrics: operation.observer,
    });
  if (pacer !== undefined) operation.observer.watchQuota(pacer.look);
  const platform = createPlatform({
    timeouts,
    ...(config.platform ?? { ...config.sandbox, url: sandbox?.url ?? '' }),
    identifierEncoding: config.identifierEncoding,
    clock: forwardClock,
    serves: config.centers === undefined ? 'listed-centers' : 'named-centers',
    log: logUpstream,
    pacer,
    metrics: operation.observer,
    imageHosts: (center) => registry.findByCenter(center)?.imageHosts ?? [],
  });

  const delivery = operation.admitting(
    createDelivery({
      ...{ platform, people: journal, random, log },
      clock: forwardClock,
      timer: systemTimer,
      observer: metrics.delivery,
    }),
    identifiers,
  );
  const stuckTasks = createStuckTasks({
    ...{ platform, log, tasks: stores.stuckTasks, clock: forwardClock, timer: systemTimer },
    ...{ stuckAfter: config.stuckAfter, organization: config.taskOrganization },
    addressOf: (reference) => new URL(`/staff/submissions/${reference}`, publicUrl).href,
    count: metrics.delivery.stuckTask,
  });
  const assets = createAssets({ publicDir: join(root, 'public') });
  const viewsDir = join(root, 'views');
  const render = createRender({ viewsDir, assets, development: development?.guard });
  const brandOf = createBrandOf({ assets, registry, productName: 'Sayso' });
  const toHtml = createToHtml({ viewsDir, assets, development: development?.guard });
  const wordings = createWordings({
    ...{ store: stores.wordings, clock, warn },
    around: createAround({ registry, platform, log }, clock),
  });
  const deps: ProductParts = {
    ...{ config, wordings, secrets, stores, platform, registry, identifiers, mint },
    ...{ seal, random, brandOf, render, toHtml, log, warn, publicUrl, https },
  };
  const identity = await composeIdentity({ ...deps, observer: metrics.signIn });
  metrics.signIn.watch(async () => (await identity.limits.digits()) > 6);
  const staff = composeStaff({
    ...{ ...deps, delivery },
    openId: identity.openId,
    watch: operation.platformWatch,
    links: createStaffLinks(deps, identity),
  });
  const calls = composeEvents({ ...deps, observer: metrics.events });
  const messages = composeMessages({ ...deps, mailer: identity.mailer, observer: metrics.messages });
  const noted = calls.watching(notingStaffLinks(delivery, deps));
  const problemPage = forStaff(
    staff,
    createProblemPage({ registry, brandOf, keptCenter: platform.keptCenter }),
  );
  const app = createApp({
    log,
    https,
    publicOrigin: publicUrl.origin,
    trustProxy: config.trustProxy,
    assets,
    first: [...(await sandboxGuard(config)), ...operation.first],
    operator: operation.routes,
    loadShedder: operation.loadShedder.middleware(createRejection({ problemPage, toHtml })),
    reports: reportRoutes({ log, clock: systemClock }),
    health: {
      isLeaving: operation.drain.isDraining,
      clock: systemClock,
      isReady: readinessOf(stores, log),
    },
    publicRoutes: composePublicRoutes({
      ...{ ...deps, identity, assets, signer },
      delivery: noted,
      observer: metrics.events,
    }),
    sessions: identity.sessions.middleware,
    identity: identity.router,
    hostedLinks: identity.hostedLinks,
    mailbox: identity.mailbox,
    start: startRoutes({
      readyMade: sandbox === undefined ? undefined : () => readyMade(sandbox, deps),
      more: [
        ...identity.more,
        ...(demo === undefined ? [] : [{ href: demo.origin, ...demoLink }]),
        { href: '/staff', ...staffLink },
      ],
      brandOf,
      render,
    }),
    gallery: development?.gallery({ assets, render }),
    staff: staff.router,
    errors: createErrors({ render, log, problemPage }),
  });

  const server = createServer(app);
  await listening(server, { port: config.port, host: config.host, backlog: 4_096 });
  delivery.start();
  calls.start();
  messages.start();
  stuckTasks.start();
  const sweeping = startSweeping(
    [
      ...[sweptJournal(journal, config, clock), ...stores.maintained],
      // Also appends erasures of other nodes and of commands.
      { sweep: () => syncErasedList(stores.personData, erasedFileOf(config)) },
      { sweep: () => stores.dayRoots.make({ issuer: publicUrl.origin, signer }) },
    ],
    { log, emptyLogs: stores.emptyLogs },
  );
  lookAtList(platform, log);
  const { port } = server.address() as AddressInfo;
  log.info({ port, sandbox: sandbox !== undefined }, 'listening');
  if (sandbox === undefined) log.info(overviewOf(config), 'parts that are on, and off');
  else say(`Sayso: ${publicUrl.origin}\n`);
  if (staff.oneTimeAddress !== undefined) say(`Staff: ${staff.oneTimeAddress}\n`);

  return {
    app,
    url: `http://127.0.0.1:${port}`,
    /** Reads the settings again and serves their centers. */
    reload,
    close: () =>
      shutDown({
        server,
        drain: operation.drain,
        grace: config.drain,
        log,
        delivery,
        platform,
        stores: [
          ...[sandbox, demo, sweeping, stuckTasks, calls, messages],
          ...[identity, staff, stores, operation],
        ],
      }),
  };
}

function openFolder({ dataDir }: Config, log: Logger): void {
  const { tightened, left } = openDataFolder(dataDir);
  if (tightened.length > 0) log.warn({ tightened }, 'the data folder was open to others, and is no more');
  if (left.length > 0) log.warn({ left }, 'the data folder is open to others, and could not be closed');
}

/** Throws, without any change, if the journal belongs to another platform. */
async function bindJournal(
  { journal, close }: Pick<Stores, 'journal' | 'close'>,
  { platform, dataDir, database }: Config,
): Promise<void> {
  const nameOf = (url: URL) => url.origin + url.pathname.replace(/\/+$/, '');
  const address = platform === undefined ? sandboxName : nameOf(platform.url);
  const movedFrom = platform?.movedFrom === undefined ? undefined : nameOf(platform.movedFrom);
  const bound = await journal.bindTo(address, movedFrom);
  if (bound === address) return;
  const counts = await journal.counts();
  const waiting = counts.find(({ state }) => state === 'pending')?.count ?? 0;
  await close();
  const moved =
    bound === sandboxName || platform === undefined
      ? ''
      : ` If it is the same tenant under a new address, set PLATFORM_MOVED_FROM=${bound}: then they go on here.`;
  throw new Error(
    `The journal in ${database === undefined ? dataDir : 'the database'} is of ${bound}, not of ${address}, where its ${waiting} unfinished submissions must not be carried out. ` +
      `Nothing was changed.${moved} Else give this platform a ${database === undefined ? 'DATA_DIR' : 'DATABASE_URL'} of its own, and leave that one for ${bound}.`,
  );
}

/** Logs the cause once when readiness is lost, and once when it is back. */
function readinessOf(stores: Pick<Stores, 'check'>, log: Logger): () => Promise<boolean> {
  let wasReady = true;
  return async () => {
    const fault = await stores.check().then(
      () => undefined,
      (thrown: unknown) => faultForLog(thrown) ?? { name: typeof thrown },
    );
    const isReady = fault === undefined;
    if (wasReady && !isReady)
      log.error({ fault }, 'not ready: the stores do not answer, or cannot be written');
    if (!wasReady && isReady) log.info('ready again');
    wasReady = isReady;
    return isReady;
  };
}

/** Reads the list of centers at the start, so that no visitor waits and the operator hears of a refusal. */
function lookAtList(platform: HttpPlatform, log: Logger): void {
  platform.lookAtList().catch((fault: unknown) => {
    if (!(fault instanceof Problem) || fault.code !== 'platform-denied') return;
    log.error(
      { code: fault.code },
      'the platform refuses its list of centers, so that no sign-in works: give the credentials the scope CONSENT, or name the centers in CENTERS_FILE',
    );
  });
}

/**
 * Ready-made links and the mailbox need no sign-in, so requests must name a known host. The cross-origin
 * check follows later.
 */
async function sandboxGuard({ platform, sandbox }: Config): Promise<readonly RequestHandler[]> {
  if (platform !== undefined) return [];
  const { hostGuard } = await import('../sandbox/hosts.ts');
  return [hostGuard({ hosts: sandbox.hosts, checksOrigin: false })];
}
