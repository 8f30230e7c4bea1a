import type { CenterConfig, CenterRegistry } from '../core/model/center/center-config.ts';
import type { CustomerOneClick, CustomerToken } from '../core/model/person/customer-token.ts';

/**
 * Tokens (JWT) that a customer's backend signs for one of its centers. All methods throw keys-unreachable. A
 * token with a `jti`, or with a ticket's life, opens one session or one view, once.
 */
export interface CustomerTokens {
  /** Reads it without using it up. */
  readLink(token: string, centerConfig: CenterConfig): Promise<CustomerToken>;
  takeLink(token: string, centerConfig: CenterConfig): Promise<CustomerToken>;
  /** For one view in a frame. Always uses the ticket up. */
  redeem(ticket: string, centerConfig: CenterConfig): Promise<CustomerToken>;
  /**
   * For unsubscribing by one click, any number of times; its audience names the center. It asks no store, and
   * is neither a link nor a ticket.
   */
  readOneClick(token: string, registry: CenterRegistry): Promise<CustomerOneClick>;
}
