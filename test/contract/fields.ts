import { documents } from './documents.ts';

/** A field of a schema by its path; `0` is the item of a list, `*` a member with any name. */
export interface ContractField {
  readonly path: string;
  readonly type: string;
  readonly format: string | undefined;
  readonly values: readonly string[] | undefined;
  readonly least: number | undefined;
  readonly most: number | undefined;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
}

/** Lists all fields of a schema of `contract/<document>.json`, at any depth. */
export function fieldsOf(document: 'tasks' | 'privacy-notices', name: string): readonly ContractField[] {
  const schemas = documents[document].components.schemas as Readonly<Record<string, Schema>>;

  function walk(schema: Schema | undefined, path: string): readonly ContractField[] {
    if (schema === undefined) throw new Error(`the contract has no schema for ${path}`);
    if (schema.$ref !== undefined) return walk(schemas[schema.$ref.split('/').at(-1) ?? ''], path);
    const below = (part: string) => (path === '' ? part : `${path}.${part}`);
    if (schema.properties !== undefined)
      return Object.entries(schema.properties).flatMap(([part, inner]) => walk(inner, below(part)));
    if (schema.additionalProperties !== undefined) return walk(schema.additionalProperties, below('*'));
    if (schema.items !== undefined) return walk(schema.items, below('0'));
    const type = [schema.type ?? 'object'].flat().find((one) => one !== 'null') ?? 'object';
    const { format, enum: values, minLength: least, maxLength: most } = schema;
    return [{ path, type, format, values, least, most }];
  }
  return walk({ $ref: name }, '');
}

export function pathsOf(document: 'tasks' | 'privacy-notices', name: string): readonly string[] {
  return fieldsOf(document, name).map(({ path }) => path);
}
