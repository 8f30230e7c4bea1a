import type { AddressInfo } from 'node:net';
import { systemTimer } from '../clock.ts';
import type { Config } from '../config/environment.ts';
import { Problem } from '../core/model/problem.ts';
import { createStuckTasks } from '../delivery/stuck-tasks.ts';
import { createServer } from '../web/server.ts';
import { createApp } from './app.ts';
import { erasedFileOf, syncErasedList } from './erased-list.ts';
import { composeEvents } from './events.ts';
import { composeIdentity } from './identity.ts';
import { composeMessages } from './messages.ts';
import { listening } from './operation.ts';
import { overviewOf } from './overview.ts';
import { openParts, type ProductParts, type Surroundings } from './parts.ts';
import { shutDown } from './shutdown.ts';
import { composeStaff } from './staff.ts';
import { notingStaffLinks } from './staff-links.ts';
import { startSweeping, sweptJournal } from './sweep.ts';

/** Starts the whole product on one port; without a tenant, on its own sandbox. */
export async function startSayso(config: Config, surroundings: Surroundings = {}) {
  const parts = await openParts(config, surroundings);
  const { log, metrics, stores, platform, operation, delivery, publicUrl, sandbox, demo } = parts;
  const { print = (text: string) => void process.stdout.write(text) } = surroundings;
  const stuckTasks = createStuckTasks({
    ...{ platform, log, tasks: stores.stuckTasks, clock: stores.forwardClock, timer: systemTimer },
    ...{ stuckAfter: config.stuckAfter, organization: config.taskOrganization },
    addressOf: (reference) => new URL(`/staff/submissions/${reference}`, publicUrl).href,
    count: metrics.delivery.stuckTask,
  });
  const identity = await composeIdentity(parts);
  metrics.signIn.watch(async () => (await identity.limits.digits()) > 6);
  const staff = composeStaff(parts, identity);
  const calls = composeEvents(parts);
  const messages = composeMessages(parts, identity.mailer);
  const noted = calls.watching(notingStaffLinks(delivery, parts));
  const app = await createApp(parts, { identity, staff, delivery: noted });

  const server = createServer(app);
  await listening(server, { port: config.port, host: config.host, backlog: 4_096 });
  delivery.start();
  calls.start();
  messages.start();
  stuckTasks.start();
  const sweeping = startSweeping(
    [
      ...[sweptJournal(stores.journal, config, stores.clock), ...stores.maintained],
      // Also appends erasures of other nodes and of commands.
      { sweep: () => syncErasedList(stores.personData, erasedFileOf(config)) },
      { sweep: () => stores.dayRoots.make({ issuer: publicUrl.origin, signer: parts.signer }) },
    ],
    { log, emptyLogs: stores.emptyLogs },
  );
  lookAtList(parts);
  const { port } = server.address() as AddressInfo;
  log.info({ port, sandbox: sandbox !== undefined }, 'listening');
  if (sandbox === undefined) log.info(overviewOf(config), 'parts that are on, and off');
  else print(`Sayso: ${publicUrl.origin}\n`);
  if (staff.oneTimeAddress !== undefined) print(`Staff: ${staff.oneTimeAddress}\n`);

  return {
    app,
    url: `http://127.0.0.1:${port}`,
    /** Reads the settings again and serves their centers. */
    reload: parts.reload,
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

/** Reads the list of centers at the start, so that no visitor waits and the operator hears of a refusal. */
function lookAtList({ platform, log }: ProductParts): void {
  platform.lookAtList().catch((fault: unknown) => {
    if (!(fault instanceof Problem) || fault.code !== 'platform-denied') return;
    log.error(
      { code: fault.code },
      'the platform refuses its list of centers, so that no sign-in works: give the credentials the scope CONSENT, or name the centers in CENTERS_FILE',
    );
  });
}
