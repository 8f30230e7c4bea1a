import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import express, { type ErrorRequestHandler } from 'express';
import { type CallLog, createCallLog, describeRequest } from './calls.ts';
import { createCenters } from './centers.ts';
import { systemTime } from './clock.ts';
import { collectionPointRoutes, createCollectionPoints } from './collection-points.ts';
import { controlRoutes, listPeople, type ReadyPerson } from './control.ts';
import { createDoubleOptIn } from './double-opt-in.ts';
import { createEndpoint } from './endpoint.ts';
import { createFaults } from './faults.ts';
import { createFolder } from './folder.ts';
import { hostGuard } from './hosts.ts';
import { createLateCalls, type Wait } from './late-calls.ts';
import { linkTokenRoutes } from './link-tokens.ts';
import { noticeRoutes } from './notices.ts';
import { isScope, SCOPES } from './operations.ts';
import { outsideChangeRoutes } from './outside-changes.ts';
import { createPeople } from './people.ts';
import { profileRoutes } from './profiles.ts';
import { purposeVersionRoutes } from './purpose-versions.ts';
import { createPurposeFinder, purposeRoutes } from './purposes.ts';
import { createQuotaGuard, type HeaderPrefix, type Quota } from './quota.ts';
import { quotaRoutes } from './quota-routes.ts';
import { receiptRoutes } from './receipts.ts';
import { Refusal } from './refusal.ts';
import { createReplacements } from './replacements.ts';
import { schemaRoutes } from './schemas.ts';
import { createSeeds } from './seed.ts';
import { openStore } from './store.ts';
import { type Consent, createSubjectRecords } from './subject-records.ts';
import { subjectRoutes } from './subjects.ts';
import { taskRoutes } from './tasks.ts';
import { createTokens } from './token.ts';
import { tokenRoutes } from './token-route.ts';
import { unknownCallRoutes } from './unknown-calls.ts';

export interface SandboxOptions {
  /** Port to listen on; 0 chooses a free one. */
  readonly port: number;
  readonly host?: string | undefined;
  /** Host names of the sandbox beside localhost and its addresses. */
  readonly hosts?: readonly string[] | undefined;
  /** Directory of `sandbox.sqlite`; created when absent. */
  readonly dataDir: string;
  /** The data folder; the shipped demo when absent. */
  readonly seedDir?: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes of the client; all of CONSENT, CONSENT_READ, POLICY, ISSUE, ISSUE_READ when absent. */
  readonly scopes?: readonly string[] | undefined;
  /** Seconds until a token expires; 3600 when absent. */
  readonly tokenLife?: number | undefined;
  /** Prefix of the rate-limit headers; `svc` when absent. */
  readonly headerPrefix?: HeaderPrefix | undefined;
  /** Whether one purpose in two centers is one consent; `shared` when absent. */
  readonly consent?: Consent | undefined;
  /** Allowed calls; unlimited when absent. */
  readonly quota?: Quota | undefined;
  /** Whether `/_sandbox/…` is served; true when absent. */
  readonly control?: boolean | undefined;
  readonly now?: (() => Date) | undefined;
  /** Timer of the faults that wait; the system's timer when absent. */
  readonly wait?: Wait | undefined;
  /** Receives one line for each event that an operator should know; stderr when absent. */
  readonly log?: ((line: string) => void) | undefined;
}

export interface Sandbox {
  readonly url: string;
  readonly port: number;
  people(): readonly ReadyPerson[];
  close(): Promise<void>;
}

const systemWait: Wait = (milliseconds, signal) => pause(milliseconds, undefined, { signal });

const DEMO = join(import.meta.dirname, 'demo');

/** Starts a stand-in for the platform: its HTTP interface and a store, filled from a data folder. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const host = options.host ?? '127.0.0.1';
  const now = options.now ?? systemTime;
  const log = options.log ?? ((line: string) => void process.stderr.write(`${line}\n`));
  const prefix = options.headerPrefix ?? 'svc';
  const seedDir = options.seedDir ?? DEMO;
  const closing = new AbortController();

  const store = openStore(options.dataDir);
  const replacements = createReplacements({ folder: createFolder(log), store, seedDir, now });
  const { folder } = replacements;
  const centers = createCenters(folder, seedDir);
  const seeds = createSeeds({ folder, centers, store, seedDir, now });
  seeds.plant();

  const faults = createFaults({ changes: () => records.changes() });
  const wait = options.wait ?? systemWait;
  const lateCalls = createLateCalls(wait, closing.signal);
  const records = createSubjectRecords({
    store,
    seeds,
    now,
    longestLag: faults.longestLag,
    consent: options.consent ?? 'shared',
  });
  const calls = createCallLog();
  const tokens = createTokens({
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    scopes: (options.scopes ?? SCOPES).filter(isScope),
    life: options.tokenLife ?? 3600,
    key: store.tokenKey,
    now,
  });
  const quotaGuard = createQuotaGuard(options.quota ?? {}, prefix);
  const endpoint = createEndpoint({
    tokens,
    faults,
    calls,
    quotaGuard,
    prefix,
    now,
    wait,
    lateCalls,
    closing: closing.signal,
    log,
  });

  const people = createPeople({ store, seeds });
  const points = createCollectionPoints(centers);
  const purposeFinder = () => createPurposeFinder(centers, store, now);
  const key = store.tokenKey;
  let url = '';
  const doubleOptIn = createDoubleOptIn({ centers, records, key, now, url: () => url });

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(hostGuard({ hosts: options.hosts ?? [], checksOrigin: true }));
  const routers = [
    tokenRoutes({ endpoint, tokens }),
    subjectRoutes({
      endpoint,
      centers,
      records,
      now,
      purposeFinder,
    }),
    schemaRoutes({ endpoint, centers }),
    purposeRoutes({ endpoint, centers, store, now }),
    purposeVersionRoutes({ endpoint, centers, store, now }),
    profileRoutes({ endpoint, people, now, purposeFinder }),
    linkTokenRoutes({ endpoint, people, key }),
    collectionPointRoutes({ endpoint, points, key, now }),
    receiptRoutes({ endpoint, centers, points, doubleOptIn, records, store, now, purposeFinder }),
    doubleOptIn.routes,
    noticeRoutes({ endpoint, folder, seedDir }),
    taskRoutes({ endpoint, store, seeds, now }),
    ...(options.control === false
      ? []
      : [
          controlRoutes({ faults, calls, centers, folder, store, lateCalls }),
          quotaRoutes({ quotaGuard, client: tokens.client, now }),
          doubleOptIn.control,
          outsideChangeRoutes({ centers, records, replacements, seedDir, now }),
        ]),
  ];
  app.use(...routers, unknownCallRoutes(routers, { calls, now }));
  app.use(recordOddAddresses(calls, now), answerFaults(log));

  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (fault) => {
      store.close();
      reject(fault);
    });
    server.listen(options.port, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    url,
    port,
    people: () => listPeople(centers, folder),
    async close() {
      closing.abort();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      store.close();
    },
  };
}

/** Records calls with an address that cannot be decoded: they never reach an endpoint. */
function recordOddAddresses(calls: CallLog, now: () => Date): ErrorRequestHandler {
  return (fault, request, _response, next) => {
    if (fault instanceof URIError)
      calls.record({ ...describeRequest(request), at: now().toISOString(), status: 400 });
    next(fault);
  };
}

/** Answers the errors that no endpoint caught: refusals of control paths, odd addresses, internal errors. */
function answerFaults(log: (line: string) => void): ErrorRequestHandler {
  return (fault, _request, response, _next) => {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const refusal = fault instanceof Refusal ? fault : undefined;
    const isOddAddress = fault instanceof URIError;
    if (refusal === undefined && !isOddAddress) {
      log(`sandbox: ${fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)}`);
    }
    response.status(refusal?.status ?? (isOddAddress ? 400 : 500)).set(refusal?.headers ?? {});
    response.json(
      refusal?.body ?? { message: isOddAddress ? 'The address cannot be read' : 'Internal error' },
    );
  };
}
