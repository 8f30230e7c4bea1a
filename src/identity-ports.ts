import type { Address } from './core/model/center-config.ts';
import type { CustomerToken } from './core/model/customer-token.ts';
import type { Mail } from './core/model/mail.ts';
import type { Claims, OpenIdClient, OpenIdReturn, OpenIdTransaction } from './core/model/open-id.ts';
import type { CodeAnswer, LinkAnswer, PasscodeDigits } from './core/model/passcode.ts';
import type { SubjectId } from './core/model/subject.ts';

/** Things that may be used once. */
export interface Spent {
  /** True the first time only, on whatever process. Kept until `until` (epoch milliseconds). */
  spend(use: string, id: string, until: number): boolean;
  isSpent(use: string, id: string): boolean;
}

/** When this person last signed out on all devices, epoch milliseconds. */
export type SignedOutAt = (subject: SubjectId) => number | undefined;

/** One request to somebody who is not the platform. Rejects on a deadline, an answer too long, a broken connection. */
export type HttpCall = (request: {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}) => Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}>;

/** OpenID Connect: authorization code with PKCE, state and nonce. */
export interface OpenIdConnect {
  /** Addresses that the form which starts a sign-in ends up at. Never rejects. */
  targets(client: OpenIdClient): Promise<readonly string[]>;
  start(
    client: OpenIdClient,
    redirectUri: string,
  ): Promise<{ readonly href: string; readonly transaction: OpenIdTransaction }>;
  /**
   * What the provider says of who came back. Rejects unless the ID token is signed by a key that the provider
   * publishes, for this client and transaction, and not over.
   */
  finish(client: OpenIdClient, back: OpenIdReturn): Promise<Claims>;
}

/**
 * Tokens (JWT) that a customer's backend signs for one of its centers. All throw keys-unreachable. One with a `jti`,
 * or a ticket's life, opens one session or view, once, as whichever it comes first.
 */
export interface CustomerTokens {
  /** Looks without using it up. */
  readLink(token: string, address: Address): Promise<CustomerToken>;
  takeLink(token: string, address: Address): Promise<CustomerToken>;
  /** For one view in a frame. Used up by it, whatever it has. */
  redeem(ticket: string, address: Address): Promise<CustomerToken>;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Messages that were sent out to let somebody in: a link and a passcode each, of which one may be used, once. */
export interface Passcodes {
  /** `link` and `code` are kept as hashes only. Times are epoch milliseconds. */
  open(made: {
    readonly id: string;
    readonly center: string;
    readonly subject: SubjectId;
    readonly link: string;
    readonly code: string;
    readonly endsAt: number;
    /** Found by whoever asks for a message to the same receiver. */
    readonly isShared: boolean;
  }): void;
  /** Whether a try could still be right. */
  isTryable(id: string, center: string): boolean;
  /** The last message to this receiver that is shared and can still be used. */
  findShared(
    center: string,
    subject: SubjectId,
  ): { readonly id: string; readonly digits: PasscodeDigits } | undefined;
  /** Counts the attempt, then compares. `over`: unknown, used, too late, or tried too often. */
  tryCode(id: string, center: string, code: string): CodeAnswer;
  /** Looks without using it up. */
  findLink(link: string, center: string): LinkAnswer;
  takeLink(link: string, center: string): LinkAnswer;
  /**
   * Ends what was sent to this person and is still good. Such a link is over; such a passcode is wrong, so that who
   * asked for it in a stranger's name does not learn of it.
   */
  endOf(subject: SubjectId): void;
  /** Deletes some of what ended long ago; 0 when there is no more. */
  sweep(): number;
  emptyLog(): void;
  close(): void;
}
