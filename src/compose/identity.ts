import { systemClock, systemTimer } from '../clock.ts';
import type { Config } from '../config/environment.ts';
import { faultCode } from '../core/model/fault-code.ts';
import type { IdentityParts } from '../features/identity/context.ts';
import { createCustomerTokens } from '../features/identity/customer-token.ts';
import { hostedLinkRoutes } from '../features/identity/hosted-link.ts';
import { createKnownClients } from '../features/identity/known-clients.ts';
import { createLimits } from '../features/identity/limits.ts';
import { createLinkTokens } from '../features/identity/link-token.ts';
import { createOutbox } from '../features/identity/outbox.ts';
import { identityRoutes } from '../features/identity/routes.ts';
import { createMailbox } from '../mail/mailbox.ts';
import { createOpenIdConnect } from '../oidc/open-id-connect.ts';
import type { Mailer } from '../ports/mailer.ts';
import { createPlainHttp } from '../upstream/plain-http.ts';
import { createSessions } from '../visits/session.ts';
import { createSignInNotes } from '../visits/sign-in-notes.ts';
import { sessionVisits } from '../visits/visits.ts';
import { createSingleSignOn } from '../web/single-sign-on.ts';
import type { ProductParts } from './parts.ts';
import { cookieKeys, deriveKey } from './secret.ts';
import { sessionLife } from './stores.ts';

export type Identity = Awaited<ReturnType<typeof composeIdentity>>;

/** Composes the ways to sign in, and the messages they send. */
export async function composeIdentity(deps: ProductParts) {
  const { config, secrets, stores, identifiers, seal, random, log, warn, https } = deps;
  const { clock, passcodes, replayGuard, rateCounters } = stores;
  const notes = createSignInNotes((note, event) => log.info(note, event));

  const sessions = createSessions({
    ...sessionLife,
    store: stores.sessions,
    secrets: cookieKeys(secrets, 'session cookie'),
    https,
    clock,
    notes,
  });
  const http = createPlainHttp();
  const { signedOutAt } = stores.sessions;
  const customers = createCustomerTokens({ http: http.call, clock, replayGuard, signedOutAt, identifiers });
  const openId = createOpenIdConnect({ http: http.call, clock, warn });

  const mailbox = createMailbox(systemClock);
  const mailer = config.mail === undefined ? mailbox : await openSmtp(config.mail, deps);
  const outbox = createOutbox({ mailer, timer: systemTimer, warn });
  const known = createKnownClients({ seal, random, clock, https });
  const limits = createLimits({
    rateCounters,
    known,
    clock,
    mostMessages: config.signInMailsPerHour,
    observer: { ...deps.metrics.signIn, alert: (event) => log.warn({}, event) },
  });

  const parts: IdentityParts = {
    ...stores,
    ...deps,
    sessions,
    visits: sessionVisits(sessions),
    notes,
    limits,
    known,
    outbox,
    openId,
    signedOutAt,
    links: createLinkTokens({
      clock,
      customers,
      signedOutAt,
      identifiers,
      keys: secrets.map((secret) => deriveKey(secret, 'link')),
    }),
    singleSignOn: createSingleSignOn({ ...stores, ...deps, openId, name: 'sayso-way' }),
    async forget(subject) {
      await passcodes.endOf(subject);
      await stores.sessions.endAllOf(subject);
    },
  };

  return {
    ...parts,
    openId,
    customers,
    mailer,
    /** The sandbox's messages, which are kept in memory and shown; undefined with a tenant or SMTP_URL. */
    mailbox: config.mail === undefined && config.platform === undefined ? mailbox : undefined,
    router: identityRoutes(parts),
    /** The routes below `/ui`. */
    hostedLinkRouter: hostedLinkRoutes(parts),
    async close() {
      await outbox.settled(5_000);
      mailer.close();
      await http.close();
    },
  };
}

/** The SMTP client is loaded only if it is used. */
async function openSmtp(mail: NonNullable<Config['mail']>, { warn }: ProductParts): Promise<Mailer> {
  const { createSmtpMailer } = await import('../mail/smtp.ts');
  const mailer = createSmtpMailer({ ...mail, url: mail.url.reveal() });
  // The start does not wait: the mail server may be away.
  mailer.check().catch((fault: unknown) => {
    const isPlain = mail.requiresTls && faultCode(fault) === 'ETLS';
    const why = isPlain
      ? 'messages cannot be sent: the server of SMTP_URL offers no encryption. Use one that does, or set ALLOW_PLAINTEXT=on in a closed network'
      : 'the server of SMTP_URL cannot be used';
    warn(why, fault);
  });
  return mailer;
}
