/** Whatever a file or a body may hold. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; everything else in it is passed over. */
export function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function object(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** A string that says something. */
export function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function parseJson(source: string): Json {
  return JSON.parse(source) as Json;
}

/** No body of the interface comes near this; what is deeper breaks what walks it. */
const MAX_DEPTH = 64;

/** Whether a JSON text nests deeper than anything of the interface does. */
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

/** GUIDs are compared without regard to case. */
export function fold(id: string): string {
  return id.toLowerCase();
}

/** The folded id of an item of either family (`Id` or `id`). */
export function idOf(item: JsonObject): string | undefined {
  const id = text(item['Id']) ?? text(item['id']);
  return id === undefined ? undefined : fold(id);
}
