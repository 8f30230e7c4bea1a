import { createServer } from 'node:http';
import Provider, { type AccountClaims } from 'oidc-provider';
import { freePorts } from '../../kit/product.ts';

/** The sign-in of an organization; its settings are needed to start the product, whose address it needs to open. */
export interface Issuer {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  open(product: { readonly url: string }): Promise<void>;
  close(): void;
}

const clientSecret = 'a-secret-of-the-staff-client-of-32-bytes';

/** It takes any password; the roles stand in the claim `groups.sayso`. */
export async function createIssuer(accounts: Readonly<Record<string, AccountClaims>>): Promise<Issuer> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const server = createServer();
  return {
    url,
    env: {
      STAFF_OIDC_ISSUER: url,
      STAFF_OIDC_CLIENT_ID: 'staff',
      STAFF_OIDC_CLIENT_SECRET: clientSecret,
      STAFF_OIDC_ROLES_CLAIM: 'groups.sayso',
    },
    async open(product) {
      const provider = new Provider(url, {
        clients: [
          {
            client_id: 'staff',
            client_secret: clientSecret,
            redirect_uris: [`${product.url}/staff/callback`],
            grant_types: ['authorization_code'],
            response_types: ['code'],
          },
        ],
        pkce: { required: () => true },
        claims: { openid: ['sub', 'groups'], profile: ['name'], email: ['email'] },
        features: { devInteractions: { enabled: true } },
        cookies: { keys: ['a key for the cookies of the issuer'] },
        findAccount: (_context, id) => ({ accountId: id, claims: async () => accounts[id] ?? { sub: id } }),
      });
      server.on('request', provider.callback()).listen(port, '127.0.0.1');
      await new Promise((listening) => server.once('listening', listening));
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
