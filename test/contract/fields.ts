import * as z from 'zod';
import { documents } from './documents.ts';

/** A field at the end of a path of a schema; items of a list stand at `0`, names that are free at `*`. */
export interface ContractField {
  readonly path: string;
  readonly type: string;
  readonly format: string | undefined;
  readonly values: readonly string[] | undefined;
  readonly least: number | undefined;
  readonly most: number | undefined;
}

interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly format?: string | undefined;
  readonly enum?: readonly string[] | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly additionalProperties?: Schema | undefined;
  readonly items?: Schema | undefined;
}

const schemaShape: z.ZodType<Schema> = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  enum: z.array(z.string()).optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  get properties() {
    return z.record(z.string(), schemaShape).optional();
  },
  get additionalProperties() {
    return schemaShape.optional();
  },
  get items() {
    return schemaShape.optional();
  },
});

/** Every field of a schema of `contract/<document>.json`, however deep it lies. */
export function fieldsOf(document: 'tasks' | 'privacy-notices', name: string): readonly ContractField[] {
  const schemas = z.record(z.string(), schemaShape).parse(documents[document].components.schemas);

  function walk(schema: Schema | undefined, path: string): readonly ContractField[] {
    if (schema === undefined) throw new Error(`the contract has no schema for ${path}`);
    if (schema.$ref !== undefined) return walk(schemas[schema.$ref.split('/').at(-1) ?? ''], path);
    const below = (part: string) => (path === '' ? part : `${path}.${part}`);
    if (schema.properties !== undefined)
      return Object.entries(schema.properties).flatMap(([part, inner]) => walk(inner, below(part)));
    if (schema.additionalProperties !== undefined) return walk(schema.additionalProperties, below('*'));
    if (schema.items !== undefined) return walk(schema.items, below('0'));
    const type = [schema.type ?? 'object'].flat().find((one) => one !== 'null') ?? 'object';
    return [
      {
        path,
        type,
        format: schema.format,
        values: schema.enum,
        least: schema.minLength,
        most: schema.maxLength,
      },
    ];
  }
  return walk({ $ref: name }, '');
}

export function pathsOf(document: 'tasks' | 'privacy-notices', name: string): readonly string[] {
  return fieldsOf(document, name).map(({ path }) => path);
}
