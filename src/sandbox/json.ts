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
