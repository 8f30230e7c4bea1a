import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** The parts of an ID token, before a lie changes them. */
export interface TokenParts {
  readonly header: Record<string, unknown> & { alg: string };
  readonly claims: Record<string, unknown>;
}

export interface Lie {
  /** Changes the parts of a right token. */
  readonly change?: (token: TokenParts) => void;
  /** Makes the token from its parts instead of the provider; undefined is no token. */
  readonly sign?: (token: TokenParts, keys: ProviderKeys) => Promise<string | undefined> | string | undefined;
}

export interface ProviderKeys {
  readonly published: CryptoKey;
  readonly unknown: CryptoKey;
  readonly clientSecret: string;
}

/** An OpenID provider that signs everyone in without asking; its ID tokens are as wrong as a test wants. */
export interface LyingProvider {
  readonly url: string;
  readonly clientSecret: string;
  /** Claims of every ID token, beside those that it must have. */
  claims: Readonly<Record<string, unknown>>;
  /** Claims that the UserInfo endpoint answers. */
  userInfo: Readonly<Record<string, unknown>>;
  lie: Lie;
  /** Members of its discovery document, beside the usual ones. */
  metadata: Readonly<Record<string, unknown>>;
  /** The number of requests to the token endpoint. */
  tokensAsked: number;
  /** The client's credentials in its last token request: in its Authorization header, and in its body. */
  proof: { readonly head: string | undefined; readonly body: string | undefined };
  /** The OAuth error that it answers instead of a token. */
  refusal: string | undefined;
  close(): void;
}

export async function startLyingProvider(): Promise<LyingProvider> {
  const [published, unknown] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(published.publicKey)), kid: 'published', alg: 'RS256', use: 'sig' };
  const clientSecret = 'a-secret-of-the-client-of-32-bytes';
  const keys = { published: published.privateKey, unknown: unknown.privateKey, clientSecret };
  const codes = new Map<string, { readonly nonce: string; readonly client: string }>();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: LyingProvider = {
    url,
    clientSecret,
    claims: {},
    userInfo: {},
    lie: {},
    metadata: {},
    tokensAsked: 0,
    proof: { head: undefined, body: undefined },
    refusal: undefined,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };

  async function idToken({ nonce, client }: { nonce: string; client: string }): Promise<string | undefined> {
    const now = Math.floor(Date.now() / 1000);
    const token: TokenParts = {
      header: { alg: 'RS256', kid: 'published' },
      claims: { iss: url, sub: 'somebody', aud: client, iat: now, exp: now + 300, nonce, ...provider.claims },
    };
    provider.lie.change?.(token);
    if (provider.lie.sign !== undefined) return provider.lie.sign(token, keys);
    return new SignJWT(token.claims).setProtectedHeader(token.header).sign(keys.published);
  }

  server.on('request', async (request, response): Promise<void> => {
    const address = new URL(request.url ?? '/', url);
    const json = (value: unknown): void => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (address.pathname === '/.well-known/openid-configuration') {
      return json({
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        userinfo_endpoint: `${url}/userinfo`,
        jwks_uri: `${url}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        ...provider.metadata,
      });
    }
    if (address.pathname === '/jwks') return json({ keys: [jwk] });
    if (address.pathname === '/userinfo') return json({ sub: 'somebody', ...provider.userInfo });
    if (address.pathname === '/authorize') {
      const asked = address.searchParams;
      const code = randomUUID();
      codes.set(code, { nonce: asked.get('nonce') ?? '', client: asked.get('client_id') ?? '' });
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', asked.get('state') ?? '');
      response.writeHead(303, { location: back.href }).end();
      return;
    }
    provider.tokensAsked += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const code = form.get('code') ?? '';
    provider.proof = {
      head: request.headers.authorization,
      body: form.get('client_secret') ?? undefined,
    };
    if (provider.refusal !== undefined) {
      const words = { error: provider.refusal, error_description: 'anna@example.org is not known' };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(words));
      return;
    }
    const grant = codes.get(code);
    if (grant === undefined) {
      response.writeHead(400).end();
      return;
    }
    codes.delete(code);
    json({
      access_token: randomUUID(),
      token_type: 'Bearer',
      expires_in: 300,
      id_token: await idToken(grant),
    });
  });
  return provider;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function unsignedToken({ claims }: TokenParts, alg = 'none'): string {
  return `${encode({ alg })}.${encode(claims)}.`;
}

export function macToken({ claims }: TokenParts, secret: string): string {
  const text = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
