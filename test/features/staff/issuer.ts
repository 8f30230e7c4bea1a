import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider, { type AccountClaims } from 'oidc-provider';
import { freePorts } from '../../kit/product.ts';
import { createVisitor } from '../../kit/visitor.ts';

const clientSecret = 'a-secret-of-the-staff-client-of-32-bytes';
export type Issuer = Awaited<ReturnType<typeof createIssuer>>;

/**
 * An OpenID provider of an organization. The product needs its settings to start, and the provider needs the
 * product's address to open. It takes any password; the claim `groups.sayso` has the roles of staff.
 */
export async function createIssuer(
  accounts: Readonly<Record<string, AccountClaims>>,
  {
    clientId = 'staff',
    callbacks = ['/staff/callback'],
    claims = { openid: ['sub', 'groups'], profile: ['name'], email: ['email'] },
  }: {
    readonly clientId?: string;
    readonly callbacks?: readonly string[];
    readonly claims?: Readonly<Record<string, string[]>>;
  } = {},
) {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const server = createServer();
  return {
    url,
    clientSecret,
    env: {
      STAFF_OIDC_ISSUER: url,
      STAFF_OIDC_CLIENT_ID: clientId,
      STAFF_OIDC_CLIENT_SECRET: clientSecret,
      STAFF_OIDC_ROLES_CLAIM: 'groups.sayso',
    },
    async open(product: { readonly url: string }): Promise<void> {
      const provider = new Provider(url, {
        clients: [
          {
            client_id: clientId,
            client_secret: clientSecret,
            redirect_uris: callbacks.map((path) => product.url + path),
            grant_types: ['authorization_code'],
            response_types: ['code'],
          },
        ],
        pkce: { required: () => true },
        claims,
        features: { devInteractions: { enabled: true } },
        cookies: { keys: ['a key for the cookies of the issuer'] },
        findAccount: (_context, id) => ({ accountId: id, claims: async () => accounts[id] ?? { sub: id } }),
      });
      server.on('request', provider.callback()).listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    /** Signs in and agrees; returns the address of the way back. */
    async signIn(start: string, account: string): Promise<string> {
      const browser = createVisitor(url);
      let answer = await browser.get(start);
      for (let hops = 0; hops < 20; hops += 1) {
        if (answer.location !== undefined) {
          if (!answer.location.startsWith(url)) return answer.location;
          answer = await browser.get(answer.location);
          continue;
        }
        const action = /<form[^>]*action="([^"]+)"/.exec(answer.text)?.[1] ?? assert.fail('nothing is asked');
        const prompt = /name="prompt" value="([^"]+)"/.exec(answer.text)?.[1] ?? '';
        const fields: [string, string][] = [['prompt', prompt]];
        if (prompt === 'login') fields.push(['login', account], ['password', 'any']);
        answer = await browser.post(action, fields);
      }
      throw new Error('the issuer does not lead back');
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
