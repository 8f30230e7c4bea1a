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
  /** 0 takes a free one. */
  readonly port: number;
  readonly host?: string | undefined;
  /** What else it is called, beside localhost and its addresses. */
  readonly hosts?: readonly string[] | undefined;
  /** Where `sandbox.sqlite` lives; made when absent. */
  readonly dataDir: string;
  /** The data folder; absent: the demo that is shipped. */
  readonly seedDir?: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Absent: all of CONSENT, CONSENT_READ, POLICY, ISSUE, ISSUE_READ. */
  readonly scopes?: readonly string[] | undefined;
  /** Seconds a token lives; 3600 when absent. */
  readonly tokenLife?: number | undefined;
  /** Prefix of the rate-limit headers; `svc` when absent. */
  readonly headerPrefix?: HeaderPrefix | undefined;
  /** Whether one purpose in two centers is one consent; it is when absent. */
  readonly consent?: Consent | undefined;
  /** No limits when absent. */
  readonly quota?: Quota | undefined;
  /** Whether `/_sandbox/…` is served; it is when absent. */
  readonly control?: boolean | undefined;
  readonly now?: (() => Date) | undefined;
  /** What the faults that take time wait by; the system's timer when absent. */
  readonly wait?: Wait | undefined;
  /** Takes one line for each thing an operator should know; stderr when absent. */
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

/** A stand-in for the platform: its HTTP, with a store of its own, from a folder of data. */
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

/** An address that cannot be decoded comes to no endpoint, which would have recorded it. */
function recordOddAddresses(calls: CallLog, now: () => Date): ErrorRequestHandler {
  return (fault, request, _response, next) => {
    if (fault instanceof URIError)
      calls.record({ ...describeRequest(request), at: now().toISOString(), status: 400 });
    next(fault);
  };
}

/** What no endpoint answered: refusals of the control paths, odd addresses, faults of our own. */
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
