import type { CenterConfig, CenterRegistry } from '../core/model/center-config.ts';
import type { CustomerOneClick, CustomerToken } from '../core/model/customer-token.ts';

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
  /**
   * For unsubscribing by one click, as often as it comes; its audience says in which center. It asks no store, and is
   * no link and no ticket, as none of them is one.
   */
  readOneClick(token: string, registry: CenterRegistry): Promise<CustomerOneClick>;
}
