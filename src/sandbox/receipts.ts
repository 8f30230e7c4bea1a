import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import type { Center, Centers } from './centers.ts';
import { localTime } from './clock.ts';
import { type CollectionPoints, pointOfToken, signToken } from './collection-points.ts';
import type { CatalogueEntry } from './consent-schema.ts';
import type { DoubleOptIn } from './double-opt-in.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { idOf, isObject, type Json, type JsonObject, object, objects, text } from './json.ts';
import { sortedPage } from './paging.ts';
import { readQueryDate } from './query-date.ts';
import { isActive, type SubjectRecord } from './record.ts';
import { badRequest } from './refusal.ts';
import type { Store } from './store.ts';
import type { SubjectRecords } from './subject-records.ts';
import { applyOutsideChange, type OutsideChange, readChange } from './transitions.ts';

/** Status on record after each type of transaction; undefined changes nothing. */
const STATUSES = new Map<string, string | undefined>([
  ['CONFIRMED', 'ACTIVE'],
  ['OPT_IN', 'ACTIVE'],
  ['EXTEND', 'ACTIVE'],
  ['CHANGE_PREFERENCES', 'ACTIVE'],
  ['IMPLICIT', 'IMPLICIT'],
  ['PENDING', 'PENDING'],
  ['NOTGIVEN', 'NO_CONSENT'],
  ['NO_CONSENT', 'NO_CONSENT'],
  ['WITHDRAWN', 'WITHDRAWN'],
  ['OPT_OUT', 'OPT_OUT'],
  ['NOT_OPT_OUT', 'NOT_OPT_OUT'],
  ['HARD_OPT_OUT', 'HARD_OPT_OUT'],
  ['EXPIRED', 'EXPIRED'],
  ['NO_CHOICE', undefined],
  ['CANCEL', undefined],
]);

export interface ReceiptParts {
  readonly endpoint: Endpoint;
  readonly centers: Centers;
  readonly points: CollectionPoints;
  readonly doubleOptIn: DoubleOptIn;
  readonly records: SubjectRecords;
  readonly store: Store;
  readonly now: () => Date;
  readonly purposeFinder: () => (id: string) => CatalogueEntry | undefined;
}

/** Routes of receipts: transactions that other programs send, outside preference centers, and their list. */
export function receiptRoutes(parts: ReceiptParts): Router {
  const { endpoint, store } = parts;
  return Router({ caseSensitive: true })
    .post(
      '/request/v1/consentreceipts',
      // The call has no bearer token: its body holds the token of the collection point.
      endpoint('create-receipt', [], (call) => ({ body: recordReceipt(call, parts) })),
    )
    .get(
      '/api/consentmanager/v1/receipts',
      endpoint('list-receipts', ['CONSENT', 'CONSENT_READ'], (call) => {
        const since = readQueryDate(call.query, 'since')?.getTime() ?? 0;
        const listed = store
          .all('receipts')
          .filter((receipt) => call.identifier === undefined || receipt['Identifier'] === call.identifier)
          .filter((receipt) => Number(receipt['at']) >= since)
          .sort((a, b) => Number(b['at']) - Number(a['at']));
        return sortedPage(call.query, listed, { most: 50, show: ({ at: _at, ...receipt }) => receipt });
      }),
    );
}

function recordReceipt(call: Call, parts: ReceiptParts): JsonObject {
  const { store, records } = parts;
  const body = object(call.json());
  const identifier = text(body['identifier']);
  if (identifier === undefined) throw badRequest('identifier is required');
  const point = parts.points.find(pointOfToken(text(body['requestInformation']) ?? '', store.tokenKey) ?? '');
  if (point === undefined) throw badRequest('requestInformation is not the token of a collection point');
  const find = parts.purposeFinder();
  const changes = readTransactions(body['purposes'] ?? null, find);
  const elements = object(body['dsDataElements'] ?? body['DsDataElements'] ?? null);
  const now = parts.now();
  const waiting = new Set<string>();
  const found = byCenter(changes, parts.centers.list(), point.center);
  for (const [center, own] of found) {
    const before = records.find(center, identifier);
    const kept = own
      .filter(({ asked }) => !isAlwaysActive(before, asked.id))
      .map((change) => {
        if (!point.doubleOptIn || change.status !== 'ACTIVE' || isActiveIn(before, change.asked.id))
          return change;
        waiting.add(change.asked.id);
        return { ...change, status: 'PENDING' };
      });
    const setting = { catalogue: center.catalogue, now: now.getTime() };
    const after = applyOutsideChange(before, kept, setting);
    const language = text(body['language']) ?? after.language;
    const isOwn = center.id === point.center.id;
    records.save(center, identifier, {
      ...after,
      language,
      elements: isOwn ? { ...after.elements, ...elements } : after.elements,
    });
  }
  if (waiting.size > 0)
    parts.doubleOptIn.ask(
      identifier,
      [...waiting],
      [...found.keys()].map((center) => center.id),
    );
  const id = randomUUID();
  store.save('receipts', id, {
    at: now.getTime(),
    Id: id,
    Identifier: identifier,
    CollectionPointId: point.id,
    CollectionPointVersion: 1,
    InteractionDate: localTime(now),
    Purposes: objects(body['purposes']),
  });
  return { receipt: signToken({ jti: id, iat: now.toISOString(), processId: point.id }, store.tokenKey) };
}

function isActiveIn(record: SubjectRecord, id: string): boolean {
  return record.purposes.some((purpose) => purpose.id === id && isActive(purpose.status));
}

function isAlwaysActive(record: SubjectRecord, id: string): boolean {
  return record.purposes.some((purpose) => purpose.id === id && purpose.status === 'ALWAYS_ACTIVE');
}

/** Assigns each change to all centers that have the purpose, or else to the collection point's center. */
function byCenter(
  changes: readonly OutsideChange[],
  centers: readonly Center[],
  own: Center,
): Map<Center, OutsideChange[]> {
  const found = new Map<Center, OutsideChange[]>([[own, []]]);
  for (const change of changes) {
    const having = centers.filter(({ catalogue }) => catalogue.has(change.asked.id));
    for (const center of having.length > 0 ? having : [own]) {
      // A center becomes a new object when its files change; its id stays.
      const key = center.id === own.id ? own : center;
      found.set(key, [...(found.get(key) ?? []), change]);
    }
  }
  return found;
}

function readTransactions(value: Json, find: (id: string) => CatalogueEntry | undefined): OutsideChange[] {
  if (!Array.isArray(value) || value.length === 0)
    throw badRequest('purposes must name at least one purpose');
  return value.flatMap((item, index) => {
    if (!isObject(item)) throw badRequest(`purposes[${index}] must be an object`);
    const type = text(item['TransactionType']) ?? '';
    if (!STATUSES.has(type))
      throw badRequest(
        `purposes[${index}].TransactionType must be one of ${[...STATUSES.keys()].join(', ')}`,
      );
    const entry = find(idOf(item) ?? '');
    if (entry === undefined) throw badRequest(`purposes[${index}].Id is no purpose`);
    const state = text(entry.purpose['Status']);
    if (state === 'DRAFT' || state === 'RETIRED') throw badRequest(`purposes[${index}].Id is ${state}`);
    const status = STATUSES.get(type);
    if (status === undefined) return [];
    return readChange(withOptionObjects(item), status);
  });
}

/** Replaces options that are ids by objects. */
function withOptionObjects(item: JsonObject): JsonObject {
  const preferences = item['CustomPreferences'];
  if (!Array.isArray(preferences)) return item;
  const optionOf = (option: Json): Json => (typeof option === 'string' ? { Id: option } : option);
  return {
    ...item,
    CustomPreferences: preferences.map((preference) => {
      if (!isObject(preference)) return preference;
      const options = preference['Options'];
      return Array.isArray(options) ? { ...preference, Options: options.map(optionOf) } : preference;
    }),
  };
}
