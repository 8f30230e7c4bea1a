import { join } from 'node:path';
import type { Router } from 'express';
import { systemTimer } from '../clock.ts';
import type { Config } from '../config/environment.ts';
import { faultForLog } from '../core/model/logged-fault.ts';
import { createDelivery } from '../delivery/delivery.ts';
import { random } from '../random-bytes.ts';
import { openDataFolder } from '../store/data-folder.ts';
import { createSeal } from '../store/seal.ts';
import type { Timeouts } from '../upstream/limits.ts';
import { createPacer } from '../upstream/pacer.ts';
import { createPlatform } from '../upstream/platform.ts';
import type { PlatformLog } from '../upstream/watch.ts';
import { type Assets, createAssets } from '../web/assets.ts';
import { createBrandOf } from '../web/brand-view.ts';
import { createLog, type Logger } from '../web/log.ts';
import { createRender, createToHtml, type Guard, type Render } from '../web/render.ts';
import { createWordings } from '../web/wordings.ts';
import { startDemo } from './demo.ts';
import { erasedFileOf, syncErasedList, usesFolder } from './erased-list.ts';
import { createAround } from './notices.ts';
import { composeOperation, openMetrics } from './operation.ts';
import { createReload, registryOf } from './registry.ts';
import { openSandbox, tellUnusable } from './sandbox.ts';
import { linkMint, openSigner, readSecrets } from './secret.ts';
import { openStores, type Stores } from './stores.ts';

const root = join(import.meta.dirname, '../..');
/** The name a journal is bound to if the sandbox is the platform, at any port. */
const sandboxName = 'the sandbox';

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

/** The parts of which the product is composed. */
export type ProductParts = Awaited<ReturnType<typeof openParts>>;

export async function openParts(config: Config, { development, print, timeouts }: Surroundings) {
  const metrics = openMetrics(config);
  const log = createLog({
    level: config.logLevel,
    stream: print && { write: print },
    onInternalError: metrics.internalError,
  });
  const sayAside = print ?? ((text) => void process.stderr.write(text));
  /** Logs a fault without the texts that it quotes. */
  const warn = (event: string, fault: unknown) => log.warn({ fault: faultForLog(fault) }, event);
  if (usesFolder(config)) openFolder(config, log);
  for (const warning of config.warnings) log.warn(warning);
  /** The first secret signs and seals. */
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
  const mint = linkMint(secrets);
  const signer = await openSigner(secrets, stores);
  const { publicUrl, identifiers } = config;
  const https = publicUrl.protocol === 'https:';

  const sandbox =
    config.platform === undefined ? await openSandbox(config, { port: 0, warn: sayAside }) : undefined;
  if (sandbox !== undefined) tellUnusable(sandbox, identifiers, sayAside);
  const operation = await composeOperation(config, { stores, metrics, log });
  const logUpstream: PlatformLog = { warn: (event, fields) => log.warn(fields, event) };
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
      platform,
      people: journal,
      random,
      log,
      clock: forwardClock,
      timer: systemTimer,
      observer: metrics.delivery,
    }),
    identifiers,
  );
  const assets = createAssets({ publicDir: join(root, 'public') });
  const viewsDir = join(root, 'views');
  const brandOf = createBrandOf({ assets, registry, productName: 'Sayso' });
  const toHtml = createToHtml({ viewsDir, assets, development: development?.guard });
  const render = createRender(toHtml);
  const wordings = createWordings({
    store: stores.wordings,
    clock,
    warn,
    around: createAround({ registry, platform, log, clock }),
  });
  return {
    config,
    metrics,
    log,
    warn,
    secrets,
    seal,
    random,
    stores,
    registry,
    reload,
    identifiers,
    mint,
    signer,
    publicUrl,
    https,
    demo,
    sandbox,
    operation,
    platform,
    delivery,
    wordings,
    assets,
    brandOf,
    render,
    toHtml,
    gallery: development?.gallery({ assets, render }),
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
