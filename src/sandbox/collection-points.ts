import { createHmac, randomUUID } from 'node:crypto';
import { Router } from 'express';
import type { Center, Centers } from './centers.ts';
import { localTime } from './clock.ts';
import type { Endpoint } from './endpoint.ts';
import { fold, type JsonObject, object, parseJson, text } from './json.ts';
import { sortedPage } from './paging.ts';
import { guidOf } from './people.ts';
import { unknownId } from './refusal.ts';

const HOME = '/api/consentmanager/v1/collectionpoints';

export interface CollectionPoint {
  readonly id: string;
  readonly center: Center;
  /** Whether a consent through it waits until the person follows the link of a mail. */
  readonly doubleOptIn: boolean;
}

export interface CollectionPoints {
  list(): readonly CollectionPoint[];
  find(id: string): CollectionPoint | undefined;
}

/** Each center has two collection points for receipts; one of them has double opt-in. */
export function createCollectionPoints(centers: Centers): CollectionPoints {
  const list = () =>
    centers.list().flatMap((center) => [
      { id: guidOf(`collection point ${center.id}`), center, doubleOptIn: false },
      { id: guidOf(`double opt-in ${center.id}`), center, doubleOptIn: true },
    ]);
  return { list, find: (id) => list().find((point) => point.id === fold(id)) };
}

/** Routes of the collection points, and of the tokens by which receipts name them. */
export function collectionPointRoutes(parts: {
  endpoint: Endpoint;
  points: CollectionPoints;
  key: Buffer;
  now: () => Date;
}): Router {
  const { endpoint, points } = parts;
  return Router({ caseSensitive: true })
    .get(
      HOME,
      endpoint('list-collection-points', ['CONSENT', 'CONSENT_READ'], (call) =>
        sortedPage(call.query, points.list(), { most: 2000, show }),
      ),
    )
    .get(
      `${HOME}/:point/token`,
      endpoint('read-collection-point-token', ['CONSENT', 'CONSENT_READ'], (call) => {
        const id = call.parameter('point');
        const point = points.find(id);
        if (point === undefined) throw unknownId(id, 'collectionPointGuid', 'Collection point');
        const claims = {
          otJwtVersion: 1,
          processId: point.id,
          processVersion: 1,
          iat: parts.now().toISOString(),
          sub: 'online',
          jti: randomUUID(),
        };
        return { body: { token: signToken(claims, parts.key) } };
      }),
    );
}

function show({ id, center, doubleOptIn }: CollectionPoint): JsonObject {
  return {
    Id: id,
    Name: doubleOptIn ? `${center.summary.name}, double opt-in` : center.summary.name,
    CollectionPointType: 'API',
    Status: 'ACTIVE',
    Version: 1,
    ConsentType: 'CONDITIONALTRIGGER',
    SubjectIdentifier: 'Email',
    DoubleOptIn: doubleOptIn,
    Purposes: [...center.catalogue.values()].map(({ purpose }) => ({
      Id: purpose['Id'] ?? '',
      Label: purpose['Label'] ?? '',
      Version: purpose['Version'] ?? 1,
    })),
    CreateDate: localTime(center.summary.created),
    FirstReceiptOn: null,
  };
}

const HEADER = Buffer.from(JSON.stringify({ alg: 'HS256' })).toString('base64url');

/** Signs claims as a JSON Web Token of the sandbox. */
export function signToken(claims: JsonObject, key: Buffer): string {
  const content = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
}

/** Returns the claims of a token; undefined when the sandbox did not sign it. */
export function openToken(token: string, key: Buffer): JsonObject | undefined {
  const [, claims = ''] = token.split('.');
  try {
    const read = object(parseJson(Buffer.from(claims, 'base64url').toString()));
    return signToken(read, key) === token ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the id of the collection point that a token names. */
export function pointOfToken(token: string, key: Buffer): string | undefined {
  return text(openToken(token, key)?.['processId']);
}
