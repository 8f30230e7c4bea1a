import { fold, isObject, type Json, type JsonObject, text } from './json.ts';
import { badRequest } from './refusal.ts';

/** A purpose opted in to, ids folded. */
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
export function readUpdateRequest(body: Json): UpdateRequest {
  if (!isObject(body)) throw badRequest('The body must be a JSON object');
  if (body['Purposes'] === undefined || body['Purposes'] === null) throw badRequest('Purposes is required');
  return {
    purposes: joinPurposes(readPurposes(body['Purposes'])),
    language: readLanguage(body['Language']),
    elements: new Map([
      ...readElements(body['DsDataElements'], 'DsDataElements'),
      ...readElements(body['dsDataElements'], 'dsDataElements'),
    ]),
  };
}

export function readPurposes(value: Json): AskedPurpose[] {
  return list(value, 'Purposes').map(readPurpose);
}

function list(value: Json | undefined, path: string): JsonObject[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw badRequest(`${path} must be an array`);
  return value.map((item, index) => {
    if (!isObject(item)) throw badRequest(`${path}[${index}] must be an object`);
    return item;
  });
}

function idAt(item: JsonObject, path: string): string {
  const id = text(item['Id']);
  if (id === undefined) throw badRequest(`${path}.Id is required`);
  return fold(id);
}

function readPurpose(item: JsonObject, index: number): AskedPurpose {
  const path = `Purposes[${index}]`;
  return {
    id: idAt(item, path),
    topics: list(item['Topics'], `${path}.Topics`).map((topic, i) => idAt(topic, `${path}.Topics[${i}]`)),
    preferences: list(item['CustomPreferences'], `${path}.CustomPreferences`).map((preference, i) => {
      const at = `${path}.CustomPreferences[${i}]`;
      const options = list(preference['Options'], `${at}.Options`);
      return {
        id: idAt(preference, at),
        options: options.map((option, n) => idAt(option, `${at}.Options[${n}]`)),
      };
    }),
  };
}

/** A purpose named twice is one purpose with all that was chosen. */
function joinPurposes(asked: AskedPurpose[]): AskedPurpose[] {
  const joined = new Map<string, AskedPurpose>();
  for (const purpose of asked) {
    const before = joined.get(purpose.id);
    joined.set(purpose.id, {
      id: purpose.id,
      topics: [...new Set([...(before?.topics ?? []), ...purpose.topics])],
      preferences: [...(before?.preferences ?? []), ...purpose.preferences],
    });
  }
  return [...joined.values()];
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
