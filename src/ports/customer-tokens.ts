import type { CenterConfig } from '../core/model/center-config.ts';
import type { CustomerToken } from '../core/model/customer-token.ts';

/**
 * Tokens (JWT) that a customer's backend signs for one of its centers. All throw keys-unreachable. One with a `jti`,
 * or a ticket's life, opens one session or view, once, as whichever it comes first.
 */
export interface CustomerTokens {
  /** Looks without using it up. */
  readLink(token: string, centerConfig: CenterConfig): Promise<CustomerToken>;
  takeLink(token: string, centerConfig: CenterConfig): Promise<CustomerToken>;
  /** For one view in a frame. Used up by it, whatever it has. */
  redeem(ticket: string, centerConfig: CenterConfig): Promise<CustomerToken>;
}
