import { lookup } from 'node:dns/promises';
import { constants, promises as files } from 'node:fs';
import { systemClock } from '../../clock.ts';
import type { Config } from '../../config/environment.ts';
import type { OpenIdClient } from '../../core/model/open-id.ts';
import { createOpenIdConnect } from '../../oidc/open-id-connect.ts';
import { probeDatabase } from '../../store/drivers/postgres/probe.ts';
import { createPlainHttp } from '../../upstream/plain-http.ts';
import { isPublicAddress, isReceiverAddress } from '../../webhooks/address.ts';
import { isOfCertificate } from './report.ts';
import type { Tell } from './tenant.ts';

type Http = ReturnType<typeof createPlainHttp>['call'];

/** What the product stands on beside the platform; and what is off, and why. */
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

async function attempt(tell: Tell, about: string, run: () => Promise<string>): Promise<void> {
  try {
    tell({ status: 'ok', about, words: await run() });
  } catch (fault) {
    tell({ status: 'fault', about, words: wordsOf(fault) });
  }
}

/** A fault's own code and words; those of nodemailer, openid-client and undici hold no secret. */
function wordsOf(fault: unknown): string {
  if (!(fault instanceof Error)) return 'unexpected';
  const code = codeOf(fault);
  if (isOfCertificate(code))
    return `the certificate is not trusted (${code}): name its authority by NODE_EXTRA_CA_CERTS`;
  return code === '' ? fault.message : `${fault.message || 'no answer'} (${code})`;
}

/** Of the innermost cause that has one. */
function codeOf(fault: Error): string {
  const inner = fault.cause instanceof Error ? codeOf(fault.cause) : '';
  if (inner !== '') return inner;
  return 'code' in fault && typeof fault.code === 'string' ? fault.code : '';
}

async function checkStore({ database, dataDir }: Config, tell: Tell): Promise<void> {
  if (database !== undefined) {
    await attempt(tell, 'database', async () => {
      const { version } = await probeDatabase(database.url.reveal(), database.deadlineMs);
      return `PostgreSQL ${version}`;
    });
    return;
  }
  await attempt(tell, 'data folder', async () => {
    try {
      await files.access(dataDir, constants.R_OK | constants.W_OK);
      return '';
    } catch (fault) {
      const isMissing = fault instanceof Error && 'code' in fault && fault.code === 'ENOENT';
      if (isMissing) return 'it is made at the first start';
      throw new Error('DATA_DIR can not be read and written', { cause: fault });
    }
  });
}

async function checkMail({ mail, centers }: Config, tell: Tell): Promise<void> {
  if (mail === undefined) {
    const words = 'SMTP_URL is not set: no center offers a sign-in by mail';
    tell({ status: 'off', about: 'mail', words });
    return;
  }
  const { createSmtpMailer } = await import('../../mail/smtp.ts');
  const { from, requiresTls } = mail;
  const mailer = createSmtpMailer({ url: mail.url.reveal(), from, requiresTls });
  await attempt(tell, 'mail', async () => {
    await mailer.check();
    return `from ${from}`;
  });
  mailer.close();
  if (centers?.every(({ signIn }) => !signIn.mail) === true)
    tell({ status: 'off', about: 'sign-in by mail', words: 'no center of CENTERS_FILE offers it' });
}

async function checkSignIn({ staff, centers = [] }: Config, call: Http, tell: Tell): Promise<void> {
  const clients: [string, OpenIdClient][] = centers.flatMap(({ name, signIn: { singleSignOn } }) =>
    singleSignOn === undefined ? [] : [[`sign-in of ${name}`, singleSignOn] as [string, OpenIdClient]],
  );
  if (staff !== undefined) {
    const { issuer, clientId, clientSecret } = staff;
    clients.push([
      'sign-in of staff',
      { issuer: issuer.href, clientId, clientSecret: clientSecret?.reveal() },
    ]);
  }
  for (const [about, client] of clients) {
    await attempt(tell, about, async () => {
      let why: unknown;
      const openId = createOpenIdConnect({
        http: call,
        clock: systemClock,
        warn: (_event, fault) => (why = fault),
      });
      const targets = await openId.targets(client);
      if (why !== undefined) throw why;
      if (targets.length < 2) throw new Error('the provider names no authorization endpoint');
      return `the provider ${client.issuer} answers; its client secret is tried by the first sign-in`;
    });
  }
}

/** Reached, not told anything: an event would be taken for a true one. */
async function checkReceivers(config: Config, call: Http, tell: Tell): Promise<void> {
  const { centers = [], eventsToPrivateNetworks: isPrivate } = config;
  const urls = new Set(centers.flatMap(({ events = [] }) => events.map(({ url }) => url)));
  for (const url of urls) {
    const { host, hostname } = new URL(url);
    await attempt(tell, `event receiver ${host}`, async () => {
      const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
      const isAllowed = isPrivate ? isReceiverAddress : isPublicAddress;
      if (!addresses.every(({ address }) => isAllowed(address)))
        throw new Error('its address is of a private network: see EVENTS_TO_PRIVATE_NETWORKS');
      const { status } = await call({ url, method: 'GET', headers: {}, body: undefined });
      return `it answers (${status}); no event was sent`;
    });
  }
}

function tellOff(config: Config, tell: Tell): void {
  const off = (about: string, words: string) => tell({ status: 'off', about, words });
  if (config.staff === undefined)
    off('staff by OpenID Connect', 'STAFF_OIDC_ISSUER is not set: staff get in by `npm run staff-key` alone');
  if (config.metricsToken === undefined && config.metricsPort === undefined)
    off('metrics', 'neither METRICS_TOKEN nor METRICS_PORT is set');
  if (config.traces === undefined) off('traces', 'OTEL_EXPORTER_OTLP_ENDPOINT is not set');
  if (config.centers?.some(({ events = [] }) => events.length > 0) !== true)
    off('events', 'no center of CENTERS_FILE has a receiver');
}
