import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { systemTimer } from '../clock.ts';
import type { Config } from '../config/environment.ts';
import { Problem } from '../core/model/problem.ts';
import { createStuckTasks } from '../delivery/stuck-tasks.ts';
import { createServer } from '../web/server.ts';
import { within } from '../web/within.ts';
import { createApp } from './app.ts';
import { composeEvents } from './events.ts';
import { composeIdentity } from './identity.ts';
import { composeMessages } from './messages.ts';
import { listening } from './operation.ts';
import { overviewOf } from './overview.ts';
import { openParts, type ProductParts, type Surroundings } from './parts.ts';
import { composeStaff } from './staff.ts';
import { notingStaffLinks } from './staff-links.ts';
import { startSweeping } from './sweep.ts';

/** The longest shutdown in milliseconds, whatever hangs. The journal keeps unfinished submissions. */
const longest = 18_000;
/** The part of `longest` that is reserved for running submissions after the last request. */
const forDelivery = 4_000;

/** Starts the whole product on one port; without a tenant, on its own sandbox. */
export async function startSayso(config: Config, surroundings: Surroundings = {}) {
  const parts = await openParts(config, surroundings);
  const { log, metrics, stores, platform, operation, delivery, publicUrl, sandbox, demo } = parts;
  const { print = (text: string) => void process.stdout.write(text) } = surroundings;
  const stuckTasks = createStuckTasks({
    platform,
    log,
    tasks: stores.stuckTasks,
    clock: stores.forwardClock,
    timer: systemTimer,
    stuckAfter: config.stuckAfter,
    organization: config.taskOrganization,
    addressOf: (reference) => new URL(`/staff/submissions/${reference}`, publicUrl).href,
    count: metrics.delivery.stuckTask,
  });
  const identity = await composeIdentity(parts);
  metrics.signIn.watch(async () => (await identity.limits.digits()) > 6);
  const staff = composeStaff(parts, identity);
  const calls = composeEvents(parts);
  const messages = composeMessages(parts, identity.mailer);
  const personDelivery = notingStaffLinks({ ...parts, onSubmitted: calls.nudge });
  const app = await createApp(parts, { identity, staff, delivery: personDelivery });

  const server = createServer(app);
  await listening(server, { port: config.port, host: config.host, backlog: 4_096 });
  delivery.start();
  calls.start();
  messages.start();
  stuckTasks.start();
  const sweeping = startSweeping(parts);
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
    /**
     * Closes in this order: readiness ends and answers carry `Connection: close`; after the grace the server
     * takes no new connections; open requests end; running deliveries end; the stores close.
     */
    async close(): Promise<void> {
      const { drain } = operation;
      const began = performance.now();
      const remaining = () => Math.max(0, longest - (performance.now() - began));
      drain.begin();
      // The product still answers but is not ready, so that load balancers look elsewhere.
      log.info({ inFlight: drain.inFlight(), graceMs: config.drain }, 'draining');
      await pause(config.drain);
      const isClosed = await inTime(closed(server), remaining() - forDelivery);
      if (!isClosed) server.closeAllConnections();
      const stopped = delivery.stop();
      const isDelivered = await inTime(stopped, remaining() - 1_000);
      await platform.close();
      if (!isDelivered) await inTime(stopped, 1_000);
      const others = [
        sandbox,
        demo,
        sweeping,
        stuckTasks,
        calls,
        messages,
        identity,
        staff,
        stores,
        operation,
      ];
      for (const other of others) await other?.close();
      log.info({ ms: Math.round(performance.now() - began), isClosed, isDelivered }, 'closed');
    },
  };
}

/** Closes the server and ends idle connections again and again until it is closed. */
async function closed(server: Server): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(sweep);
}

/** Returns false if the work failed or did not end in time. */
function inTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  return within(
    ms,
    work.then(() => true),
    () => false,
  );
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
