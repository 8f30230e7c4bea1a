import type { AnySchema } from 'ajv';

export interface ObjectSchema {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly properties: Readonly<Record<string, AnySchema>>;
  readonly required: readonly string[];
}

/** Exactly these members: all, but those that end in `?`. */
export function members(all: Readonly<Record<string, AnySchema>>): ObjectSchema {
  const named = Object.entries(all).map(([name, schema]) => [name.replace(/\?$/, ''), schema] as const);
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(named),
    required: Object.keys(all).filter((name) => !name.endsWith('?')),
  };
}

export const text = { type: 'string', minLength: 1 } as const;
export const whole = { type: 'integer', minimum: 0 } as const;
export const flag = { type: 'boolean' } as const;
export const yes = { const: true } as const;

export const listOf = (items: AnySchema) => ({ type: 'array', minItems: 1, items }) as const;
export const mapOf = (values: AnySchema) => ({ type: 'object', additionalProperties: values }) as const;
export const oneOf = (...values: readonly (string | number | boolean)[]) => ({ enum: values }) as const;
export const like = (pattern: string) => ({ type: 'string', pattern }) as const;
