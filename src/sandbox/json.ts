/** Any content of a file or a body. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects of a list and skips its other items. */
export function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function object(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns a string that is not empty, or undefined. */
export function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function parseJson(source: string): Json {
  return JSON.parse(source) as Json;
}

/** Far deeper than any body of the interface. A deeper body would overflow the stack of recursive code. */
const MAX_DEPTH = 64;

/** Returns whether a JSON text nests deeper than `MAX_DEPTH`. */
export function isTooDeep(source: string): boolean {
  let depth = 0;
  let isText = false;
  for (let index = 0; index < source.length; index += 1) {
    const character = source[index];
    if (isText && character === '\\') index += 1;
    else if (character === '"') isText = !isText;
    else if (isText) continue;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isGuid(value: Json | undefined): value is string {
  return typeof value === 'string' && GUID.test(value);
}

/** Folds an id to small letters, because case has no meaning in GUIDs. */
export function fold(id: string): string {
  return id.toLowerCase();
}

/** Returns the folded id of an item, from `Id` or `id`. */
export function idOf(item: JsonObject): string | undefined {
  const id = text(item['Id']) ?? text(item['id']);
  return id === undefined ? undefined : fold(id);
}
