import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import busboy from 'busboy';
import { type JsonObject, object, parseJson } from './json.ts';
import { isScope, type Scope } from './operations.ts';
import { Refusal } from './refusal.ts';

export interface TokenSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly Scope[];
  /** Seconds until a token expires. */
  readonly life: number;
  readonly key: Buffer;
  readonly now: () => Date;
}

export interface TokenRequest {
  readonly contentType: string | undefined;
  readonly authorization: string | undefined;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

export interface Tokens {
  /** Id of the only client. */
  readonly client: string;
  issue(request: TokenRequest): Promise<JsonObject>;
  /** Returns the client of a bearer token; throws 401, or 403 when the token has none of the scopes. */
  admit(authorization: string | undefined, scopes: readonly Scope[]): string;
}

interface Grant {
  readonly client: string;
  readonly scopes: readonly Scope[];
  readonly expires: number;
}

const TENANT = '5a4d0b0c-0000-4000-8000-00000000c0de';
const HEADER = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url');
const REMEMBERED = 1000;

export function createTokens(settings: TokenSettings): Tokens {
  const verified = new Map<string, Grant>();

  function sign(content: string): string {
    return createHmac('sha256', settings.key).update(content).digest('base64url');
  }

  function open(token: string): Grant | undefined {
    const known = verified.get(token);
    if (known !== undefined) return known;
    const [header, payload, signature, ...rest] = token.split('.');
    if (header !== HEADER || payload === undefined || signature === undefined || rest.length > 0)
      return undefined;
    if (!isSame(signature, sign(`${header}.${payload}`))) return undefined;
    const claims = object(parseJson(Buffer.from(payload, 'base64url').toString()));
    const grant = {
      client: String(claims['client_id']),
      scopes: String(claims['ot-scopes']).split(',').filter(isScope),
      expires: Number(claims['exp']) * 1000,
    };
    if (verified.size >= REMEMBERED) verified.clear();
    verified.set(token, grant);
    return grant;
  }

  return {
    client: settings.clientId,
    async issue(request) {
      const fields = await readFields(request);
      const grantType = fields.get('grant_type');
      if (grantType === undefined || grantType === '')
        throw oauthError(400, 'invalid_request', 'grant_type is missing');
      if (grantType !== 'client_credentials') {
        throw oauthError(400, 'unsupported_grant_type', 'Only client_credentials is supported');
      }
      const known =
        isSame(fields.get('client_id') ?? '', settings.clientId) &&
        isSame(fields.get('client_secret') ?? '', settings.clientSecret);
      if (!known) throw oauthError(401, 'invalid_client', 'Bad client credentials');
      const scopes = narrow(settings.scopes, fields.get('scope'));
      const issued = Math.floor(settings.now().getTime() / 1000);
      const about = {
        email: `${TENANT.replaceAll('-', '')}@sandbox.example`,
        guid: TENANT,
        jti: randomUUID(),
        languageId: 1,
        orgGroupGuid: TENANT,
        orgGroupId: TENANT,
        'ot-scopes': scopes.join(','),
        role: 'Api Key User',
        scope: 'read',
        sessionId: randomUUID(),
        tenantGuid: TENANT,
        tenantId: 1,
        user_name: `${TENANT.replaceAll('-', '')}@sandbox.example`,
      };
      const claims = { ...about, client_id: settings.clientId, exp: issued + settings.life };
      const content = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
      return {
        access_token: `${content}.${sign(content)}`,
        token_type: 'bearer',
        expires_in: settings.life,
        ...about,
      };
    },

    admit(authorization, scopes) {
      const token = /^Bearer ([\w.-]+)$/i.exec(authorization ?? '')?.[1];
      if (token === undefined) throw unauthorized('A bearer token is required');
      const grant = open(token);
      if (grant === undefined) throw unauthorized('The access token is not valid');
      if (grant.expires <= settings.now().getTime()) throw unauthorized('The access token has expired');
      if (!scopes.some((scope) => grant.scopes.includes(scope))) {
        throw new Refusal(403, `The token needs the scope ${scopes.join(' or ')}`);
      }
      return grant.client;
    },
  };
}

export function unauthorized(message: string): Refusal {
  return new Refusal(401, message, {
    body: { error: 'invalid_token', error_description: message },
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  });
}

function oauthError(status: number, error: string, description: string): Refusal {
  return new Refusal(status, description, {
    body: { error, error_description: description },
    headers: status === 401 ? { 'WWW-Authenticate': 'Basic realm="sandbox"' } : {},
  });
}

/**
 * Narrows the scopes: a request may ask for fewer than the client has, never for more. Every token has the
 * OAuth scope `read`, so a request for it narrows nothing.
 */
function narrow(granted: readonly Scope[], asked: string | undefined): readonly Scope[] {
  const words = (asked ?? '').split(/[\s,]+/).filter((word) => word !== '' && word !== 'read');
  if (words.length === 0) return granted;
  const scopes = words.filter(isScope).filter((scope) => granted.includes(scope));
  if (scopes.length < words.length)
    throw oauthError(400, 'invalid_scope', `Scopes granted: ${granted.join(' ')}`);
  return scopes;
}

/** Reads the fields from the query, then the body, then HTTP Basic; the later wins. */
async function readFields(request: TokenRequest): Promise<Map<string, string>> {
  const fields = new Map<string, string>(request.query);
  const type = request.contentType?.toLowerCase() ?? '';
  if (type.startsWith('multipart/form-data')) {
    for (const [name, value] of await readMultipart(request)) fields.set(name, value);
  } else if (type.startsWith('application/x-www-form-urlencoded')) {
    for (const [name, value] of new URLSearchParams(request.body.toString())) fields.set(name, value);
  } else if (type !== '' && request.body.length > 0) {
    throw new Refusal(
      415,
      'A token is asked for by multipart/form-data or application/x-www-form-urlencoded',
    );
  }
  const basic = /^Basic (.+)$/i.exec(request.authorization ?? '')?.[1];
  if (basic === undefined) return fields;
  const [, id = '', secret = ''] = /^([^:]*):([\s\S]*)$/.exec(Buffer.from(basic, 'base64').toString()) ?? [];
  return fields.set('client_id', unescaped(id)).set('client_secret', unescaped(secret));
}

/** Decodes one half of HTTP Basic: RFC 6749, 2.3.1 form-encodes both; many clients do not. */
function unescaped(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', '%20'));
  } catch {
    return value;
  }
}

function readMultipart(request: TokenRequest): Promise<[string, string][]> {
  const broken = oauthError(400, 'invalid_request', 'The multipart body cannot be read');
  return new Promise((resolve, reject) => {
    const fields: [string, string][] = [];
    try {
      const parser = busboy({
        headers: { 'content-type': request.contentType ?? '' },
        limits: { fields: 20, fieldSize: 8192, files: 0 },
      });
      parser.on('field', (name, value) => fields.push([name, value]));
      parser.on('error', () => reject(broken));
      parser.on('close', () => resolve(fields));
      Readable.from([request.body]).pipe(parser);
    } catch {
      reject(broken);
    }
  });
}

/** Compares in constant time; hashes make the lengths equal. */
function isSame(given: string, wanted: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
