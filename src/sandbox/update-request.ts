import { fold, isGuid, isObject, type Json, type JsonObject, text } from './json.ts';
import { badRequest } from './refusal.ts';

/** A purpose opted in to, ids folded; each topic, preference and option once. */
export interface AskedPurpose {
  readonly id: string;
  readonly topics: readonly string[];
  readonly preferences: readonly { id: string; options: readonly string[] }[];
}

/** A consent update request, read. */
export interface UpdateRequest {
  /** One for each purpose, in the order asked. */
  readonly purposes: readonly AskedPurpose[];
  readonly language: string | undefined;
  /** By label; null clears. */
  readonly elements: ReadonlyMap<string, string | null>;
}

const ELEMENT_LENGTH = 750;
const TAG = /^[a-z]{2,8}([-_][a-z0-9]{1,8})*$/i;

/** Reads the body of a PUT; every fault of shape is a 400 that names the member. */
export function readUpdateRequest(body: Json, isKnown: IsKnownId): UpdateRequest {
  if (!isObject(body)) throw badRequest('The body must be a JSON object');
  if (body['Purposes'] === undefined || body['Purposes'] === null) throw badRequest('Purposes is required');
  return {
    purposes: readPurposes(body['Purposes'], isKnown),
    language: readLanguage(body['Language']),
    elements: new Map([
      ...readElements(body['DsDataElements'], 'DsDataElements'),
      ...readElements(body['dsDataElements'], 'dsDataElements'),
    ]),
  };
}

/** Whether the data folder itself uses this folded id, which is no UUID. */
export type IsKnownId = (id: string) => boolean;

/** A purpose named twice is one purpose with all that was chosen, and so is a preference. */
export function readPurposes(value: Json, isKnown: IsKnownId): AskedPurpose[] {
  const joined = new Map<string, { topics: Set<string>; preferences: Map<string, Set<string>> }>();
  for (const [index, item] of list(value, 'Purposes').entries()) {
    const path = `Purposes[${index}]`;
    const id = idAt(item, path, isKnown);
    const purpose = joined.get(id) ?? { topics: new Set(), preferences: new Map() };
    joined.set(id, purpose);
    for (const [i, topic] of list(item['Topics'], `${path}.Topics`).entries()) {
      purpose.topics.add(idAt(topic, `${path}.Topics[${i}]`, isKnown));
    }
    for (const [i, preference] of list(item['CustomPreferences'], `${path}.CustomPreferences`).entries()) {
      const at = `${path}.CustomPreferences[${i}]`;
      const preferenceId = idAt(preference, at, isKnown);
      const options = purpose.preferences.get(preferenceId) ?? new Set();
      purpose.preferences.set(preferenceId, options);
      for (const [n, option] of list(preference['Options'], `${at}.Options`).entries()) {
        options.add(idAt(option, `${at}.Options[${n}]`, isKnown));
      }
    }
  }
  return [...joined].map(([id, { topics, preferences }]) => ({
    id,
    topics: [...topics],
    preferences: [...preferences].map(([preference, options]) => ({ id: preference, options: [...options] })),
  }));
}

function list(value: Json | undefined, path: string): JsonObject[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw badRequest(`${path} must be an array`);
  return value.map((item, index) => {
    if (!isObject(item)) throw badRequest(`${path}[${index}] must be an object`);
    return item;
  });
}

function idAt(item: JsonObject, path: string, isKnown: IsKnownId): string {
  const id = text(item['Id']);
  if (id === undefined) throw badRequest(`${path}.Id is required`);
  if (!isGuid(id) && !isKnown(fold(id))) throw badRequest(`${path}.Id must be a UUID`);
  return fold(id);
}

function readLanguage(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || !TAG.test(value))
    throw badRequest('Language must be a language tag such as en-us');
  return value;
}

function readElements(value: Json | undefined, path: string): [string, string | null][] {
  if (value === undefined || value === null) return [];
  if (!isObject(value)) throw badRequest(`${path} must be an object of strings by label`);
  return Object.entries(value).map(([label, content]) => {
    if (content !== null && typeof content !== 'string')
      throw badRequest(`${path}.${label} must be a string`);
    if (content !== null && content.length > ELEMENT_LENGTH) {
      throw badRequest(`${path}.${label} has at most ${ELEMENT_LENGTH} characters`);
    }
    return [label, content];
  });
}
