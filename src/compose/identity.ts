import { systemClock, systemTimer } from '../clock.ts';
import type { Config } from '../config/environment.ts';
import type { CenterRegistry } from '../core/model/center-config.ts';
import type { Identifiers } from '../core/model/identifiers.ts';
import { faultForLog } from '../core/model/logged-fault.ts';
import type { IdentityParts } from '../features/identity/context.ts';
import { createCustomerTokens } from '../features/identity/customer-token.ts';
import { hostedLinkRoutes } from '../features/identity/hosted-link.ts';
import { createKnownClients } from '../features/identity/known-clients.ts';
import { createLimits, type Limits, type LimitsObserver } from '../features/identity/limits.ts';
import { createLinkMint, createLinkTokens, type LinkMint } from '../features/identity/link-token.ts';
import { createSignInMessages } from '../features/identity/messages.ts';
import { createOutbox, type Outbox } from '../features/identity/outbox.ts';
import { identityRoutes } from '../features/identity/routes.ts';
import { mailboxRoutes } from '../features/start/mailbox.ts';
import { createMailbox, type Mailbox } from '../mail/mailbox.ts';
import { createOpenIdConnect } from '../oidc/open-id-connect.ts';
import type { CustomerTokens } from '../ports/customer-tokens.ts';
import type { KeyedHash } from '../ports/keyed-hash.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { OpenIdConnect } from '../ports/open-id-connect.ts';
import type { Platform } from '../ports/platform.ts';
import type { Random } from '../ports/random.ts';
import type { Seal } from '../ports/seal.ts';
import type { SignedOutAt } from '../ports/sign-out.ts';
import { createPlainHttp } from '../upstream/plain-http.ts';
import type { BrandOf } from '../web/brand-view.ts';
import type { Logger } from '../web/log.ts';
import type { Render, ToHtml } from '../web/render.ts';
import { createSessions, type Sessions } from '../web/session.ts';
import { createSignInNotes, type SignInNotes } from '../web/sign-in-notes.ts';
import { createSingleSignOn } from '../web/single-sign-on.ts';
import { deriveKey } from './secret.ts';
import { type Stores, sessionLife } from './stores.ts';

export interface IdentityDeps {
  readonly config: Config;
  readonly secrets: readonly string[];
  readonly stores: Stores;
  readonly platform: Pick<Platform, 'findOpenCenter' | 'listOpenCenters' | 'findLinkToken'>;
  readonly registry: CenterRegistry;
  readonly identifiers: Identifiers;
  readonly seal: Seal & KeyedHash;
  readonly random: Random;
  readonly brandOf: BrandOf;
  readonly render: Render;
  readonly toHtml: ToHtml;
  readonly log: Logger;
  /** Hears what signing in by message costs. */
  readonly observer: Omit<LimitsObserver, 'alert'>;
}

export interface Identity {
  readonly sessions: Sessions;
  readonly notes: SignInNotes;
  readonly router: ReturnType<typeof identityRoutes>;
  /** Below `/ui`. */
  readonly hostedLinks: ReturnType<typeof hostedLinkRoutes>;
  /** The sandbox's mailbox. */
  readonly mailbox: ReturnType<typeof mailboxRoutes> | undefined;
  /** What the start page links to. */
  readonly more: readonly { readonly href: string; readonly label: string; readonly text: string }[];
  readonly customers: CustomerTokens;
  /** For the staff's sign-in too. */
  readonly openId: OpenIdConnect;
  /** For what others mail. */
  readonly outbox: Outbox;
  readonly limits: Limits;
  readonly signedOutAt: SignedOutAt;
  close(): Promise<void>;
}

/** The ways in, and the messages they send. */
export async function composeIdentity(deps: IdentityDeps): Promise<Identity> {
  const { config, secrets, stores, registry, identifiers, seal, random, brandOf, render, log } = deps;
  const { clock } = stores;
  const https = config.publicUrl.protocol === 'https:';
  const notes = createSignInNotes((note, event) => log.info(note, event));
  const warn = (event: string, fault: unknown) => log.warn({ fault: faultForLog(fault) }, event);

  const { passcodes, replayGuard, rateCounters } = stores;
  const sessions = createSessions({
    ...sessionLife,
    store: stores.sessions,
    secrets: secrets.map((secret) => Buffer.from(deriveKey(secret, 'session cookie')).toString('base64url')),
    https,
    clock,
    notes,
  });
  const http = createPlainHttp();
  const signedOutAt: SignedOutAt = (subject) => stores.sessions.signedOutAt(subject);
  const customers = createCustomerTokens({ http: http.call, clock, replayGuard, signedOutAt, identifiers });
  const openId = createOpenIdConnect({ http: http.call, clock, warn });

  const { mailer, mailbox } = await openMail(config, warn);
  const outbox = createOutbox({ mailer, timer: systemTimer, warn });
  const known = createKnownClients({ seal, random, clock, https });
  const limits = createLimits({
    rateCounters,
    known,
    clock,
    mostMessages: config.signInMailsPerHour,
    observer: { ...deps.observer, alert: (event) => log.warn({}, event) },
  });

  const parts: IdentityParts = {
    registry,
    identifiers,
    sessions,
    notes,
    links: createLinkTokens({
      keys: secrets.map((secret) => deriveKey(secret, 'link')),
      clock,
      customers,
      signedOutAt,
      identifiers,
    }),
    platform: deps.platform,
    passcodes,
    hostedLinks: stores.hostedLinks,
    mint: linkMint(secrets),
    messages: createSignInMessages({
      passcodes,
      outbox,
      random,
      seal,
      clock,
      brandOf,
      publicUrl: config.publicUrl,
      toHtml: (page) => deps.toHtml('mail/sign-in', page),
      digits: limits.digits,
    }),
    limits,
    known,
    openId,
    singleSignOn: createSingleSignOn({
      openId,
      seal,
      replayGuard,
      rateCounters,
      clock,
      https,
      name: 'sayso-way',
      warn,
    }),
    seal,
    random,
    clock,
    brandOf,
    render,
    publicUrl: config.publicUrl,
    warn,
    signedOutAt,
    async forget(subject) {
      await passcodes.endOf(subject);
      await stores.sessions.endAllOf(subject);
    },
  };

  return {
    sessions,
    notes,
    customers,
    openId,
    outbox,
    limits,
    signedOutAt,
    router: identityRoutes(parts),
    hostedLinks: hostedLinkRoutes(parts),
    mailbox: mailbox === undefined ? undefined : mailboxRoutes({ mailbox, brandOf, render }),
    more:
      mailbox === undefined
        ? []
        : [{ href: '/sandbox/mailbox', label: 'Mailbox', text: 'The messages that would have been sent.' }],
    async close() {
      await outbox.settled(5_000);
      mailer.close();
      await http.close();
    },
  };
}

/** By SMTP where that is set; else the sandbox keeps what it would have sent, and a tenant's centers offer no mail. */
async function openMail(
  { mail, platform }: Config,
  warn: (event: string, fault: unknown) => void,
): Promise<{ mailer: Mailer; mailbox: Mailbox | undefined }> {
  if (mail === undefined) {
    const mailbox = createMailbox(systemClock);
    return { mailer: mailbox, mailbox: platform === undefined ? mailbox : undefined };
  }
  // Not loaded where nothing is sent by it.
  const { createSmtpMailer } = await import('../mail/smtp.ts');
  const { from, requiresTls } = mail;
  const mailer = createSmtpMailer({ url: mail.url.reveal(), from, requiresTls });
  // Nobody waits for it: a mail server may be away for a while.
  mailer.check().catch((fault: unknown) => {
    const isPlain = requiresTls && fault instanceof Error && 'code' in fault && fault.code === 'ETLS';
    const why = isPlain
      ? 'messages cannot be sent: the server of SMTP_URL offers no encryption. Use one that does, or set ALLOW_PLAINTEXT=on in a closed network'
      : 'the server of SMTP_URL cannot be used';
    warn(why, fault);
  });
  return { mailer, mailbox: undefined };
}

/** Signs links by the first of the secrets. */
export function linkMint([secret]: readonly string[]): LinkMint {
  if (secret === undefined) throw new Error('no key to sign links with');
  return createLinkMint({ key: deriveKey(secret, 'link'), clock: systemClock });
}
