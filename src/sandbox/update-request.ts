import * as z from 'zod';
import { fold, isGuid, isObject, type Json } from './json.ts';
import { badRequest } from './refusal.ts';
import { listOf, optional, readShape } from './shape.ts';

/** A purpose of a PUT, with folded ids; each topic, preference and option occurs once. */
export interface AskedPurpose {
  readonly id: string;
  readonly topics: readonly string[];
  readonly preferences: readonly { id: string; options: readonly string[] }[];
}

/** The content of a PUT. */
export interface UpdateRequest {
  /** Each purpose once, in the order of the request. */
  readonly purposes: readonly AskedPurpose[];
  readonly language: string | undefined;
  /** Values of data elements by label; null deletes one. */
  readonly elements: ReadonlyMap<string, string | null>;
}

/** Returns whether the data folder uses this folded id, which is no UUID. */
export type IsKnownId = (id: string) => boolean;

/** Builds the shape of the purposes; an empty id counts as absent. */
function purposesShape(isKnown: IsKnownId) {
  const id = z.preprocess(
    (value) => (value === '' || typeof value !== 'string' ? undefined : value),
    z.string().refine((value) => isGuid(value) || isKnown(fold(value)), 'must be a UUID'),
  );
  const item = z.object({ Id: id.transform(fold) });
  return listOf(
    item.extend({
      Topics: listOf(item),
      CustomPreferences: listOf(item.extend({ Options: listOf(item) })),
    }),
  );
}

const tag = z.string().regex(/^[a-z]{2,8}([-_][a-z0-9]{1,8})*$/i, 'must be a language tag such as en-us');

/** Reads the body of a PUT; throws a 400 that names the malformed member. */
export function readUpdateRequest(body: Json, isKnown: IsKnownId): UpdateRequest {
  if (!isObject(body)) throw badRequest('The body must be a JSON object');
  if (body['Purposes'] === undefined || body['Purposes'] === null) throw badRequest('Purposes is required');
  return {
    purposes: readPurposes(body['Purposes'], isKnown),
    language: readShape(z.object({ Language: optional(tag) }), body).Language,
    elements: new Map(['DsDataElements', 'dsDataElements'].flatMap((name) => readElements(body[name], name))),
  };
}

/** Reads data elements without a zod shape: a label may be any text, even `__proto__`. */
function readElements(value: Json | undefined, path: string): [string, string | null][] {
  if (value === undefined || value === null) return [];
  if (!isObject(value)) throw badRequest(`${path} must be an object of strings by label`);
  return Object.entries(value).map(([label, content]) => {
    if (content !== null && typeof content !== 'string')
      throw badRequest(`${path}.${label} must be a string`);
    if (content !== null && content.length > 750)
      throw badRequest(`${path}.${label} has at most 750 characters`);
    return [label, content];
  });
}

/** Reads purposes; a purpose named twice becomes one purpose with all choices, and so does a preference. */
export function readPurposes(value: Json, isKnown: IsKnownId): AskedPurpose[] {
  const { Purposes } = readShape(z.object({ Purposes: purposesShape(isKnown) }), { Purposes: value });
  const idsOf = (items: readonly { readonly Id: string }[]) => [...new Set(items.map(({ Id }) => Id))];
  return [...Map.groupBy(Purposes, ({ Id }) => Id)].map(([id, same]) => {
    const preferences = Map.groupBy(
      same.flatMap(({ CustomPreferences }) => CustomPreferences),
      ({ Id }) => Id,
    );
    return {
      id,
      topics: idsOf(same.flatMap(({ Topics }) => Topics)),
      preferences: [...preferences].map(([preference, chosen]) => ({
        id: preference,
        options: idsOf(chosen.flatMap(({ Options }) => Options)),
      })),
    };
  });
}
