import { lookup } from 'node:dns/promises';
import { constants, promises as files } from 'node:fs';
import { systemClock } from '../../clock.ts';
import type { Config } from '../../config/environment.ts';
import { faultCode } from '../../core/model/fault-code.ts';
import type { OpenIdClient } from '../../core/model/person/open-id.ts';
import { createOpenIdConnect } from '../../oidc/open-id-connect.ts';
import { probeDatabase } from '../../store/drivers/postgres/probe.ts';
import { createPlainHttp } from '../../upstream/plain-http.ts';
import { isPublicAddress, isReceiverAddress } from '../../webhooks/address.ts';
import { type Tell, tried } from './report.ts';

type Http = ReturnType<typeof createPlainHttp>['call'];

/** Checks what the product depends on beside the platform, and reports the parts that are off. */
export async function checkSurroundings(config: Config, tell: Tell): Promise<void> {
  const http = createPlainHttp();
  try {
    await checkStore(config, tell);
    await checkMail(config, tell);
    await checkSignIn(config, http.call, tell);
    await checkReceivers(config, http.call, tell);
    tellOff(config, tell);
  } finally {
    await http.close();
  }
}

async function checkStore({ database, dataDir }: Config, tell: Tell): Promise<void> {
  if (database !== undefined) {
    const { url, deadlineMs } = database;
    const run = async () => `PostgreSQL ${(await probeDatabase(url.reveal(), deadlineMs)).version}`;
    await tried(tell, { about: 'database', run });
    return;
  }
  const run = async () => {
    try {
      await files.access(dataDir, constants.R_OK | constants.W_OK);
      return undefined;
    } catch (fault) {
      if (faultCode(fault) === 'ENOENT') return 'it is made at the first start';
      throw new Error('DATA_DIR can not be read and written', { cause: fault });
    }
  };
  await tried(tell, { about: 'data folder', run });
}

async function checkMail({ mail, centers }: Config, tell: Tell): Promise<void> {
  if (mail === undefined)
    return tell('off', 'mail', 'SMTP_URL is not set: no center offers a sign-in by mail');
  const { createSmtpMailer } = await import('../../mail/smtp.ts');
  const mailer = createSmtpMailer({ ...mail, url: mail.url.reveal() });
  await tried(tell, { about: 'mail', run: () => mailer.check().then(() => `from ${mail.from}`) });
  mailer.close();
  if (centers?.every(({ signIn }) => !signIn.mail) === true)
    tell('off', 'sign-in by mail', 'no center of CENTERS_FILE offers it');
}

async function checkSignIn({ staff, centers = [] }: Config, call: Http, tell: Tell): Promise<void> {
  // A list: a center may be called `staff`.
  const clients: (readonly [about: string, client: OpenIdClient])[] = [];
  for (const { name, signIn } of centers)
    if (signIn.singleSignOn !== undefined) clients.push([`sign-in of ${name}`, signIn.singleSignOn]);
  if (staff !== undefined) {
    const client = { ...staff, issuer: staff.issuer.href, clientSecret: staff.clientSecret?.reveal() };
    clients.push(['sign-in of staff', client]);
  }
  for (const [about, client] of clients) {
    const run = async () => {
      let why: unknown;
      const warn = (_event: string, fault: unknown) => (why = fault);
      const openId = createOpenIdConnect({ http: call, clock: systemClock, warn });
      const targets = await openId.targets(client);
      if (why !== undefined) throw why;
      if (targets.length < 2) throw new Error('the provider names no authorization endpoint');
      return `the provider ${client.issuer} answers; its client secret is tried by the first sign-in`;
    };
    await tried(tell, { about, run });
  }
}

/** Each receiver gets a GET request, but no event: it would take a test event for a true one. */
async function checkReceivers(config: Config, call: Http, tell: Tell): Promise<void> {
  const { centers = [], eventsToPrivateNetworks: isPrivate } = config;
  const urls = new Set(centers.flatMap(({ events = [] }) => events.map(({ url }) => url)));
  for (const url of urls) {
    const { host, hostname } = new URL(url);
    const run = async () => {
      const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
      const isAllowed = isPrivate ? isReceiverAddress : isPublicAddress;
      if (!addresses.every(({ address }) => isAllowed(address)))
        throw new Error('its address is of a private network: see EVENTS_TO_PRIVATE_NETWORKS');
      const { status } = await call({ url, method: 'GET', headers: {}, body: undefined });
      return `it answers (${status}); no event was sent`;
    };
    await tried(tell, { about: `event receiver ${host}`, run });
  }
}

function tellOff(config: Config, tell: Tell): void {
  const byKey = 'STAFF_OIDC_ISSUER is not set: staff get in by `npm run staff-key` alone';
  if (config.staff === undefined) tell('off', 'staff by OpenID Connect', byKey);
  if (config.metricsToken === undefined && config.metricsPort === undefined)
    tell('off', 'metrics', 'neither METRICS_TOKEN nor METRICS_PORT is set');
  if (config.traces === undefined) tell('off', 'traces', 'OTEL_EXPORTER_OTLP_ENDPOINT is not set');
  if (config.centers?.some(({ events = [] }) => events.length > 0) !== true)
    tell('off', 'events', 'no center of CENTERS_FILE has a receiver');
}
