import * as z from 'zod';
import { isGuid, type Json } from './json.ts';
import { badRequest } from './refusal.ts';

/** Shapes of bodies. A member that is null counts as absent. */

export const flag = z.boolean();
export const guid = z.string().refine(isGuid, 'must be a UUID');
export const words = (min: number, max: number) =>
  z.string().refine(({ length }) => length >= min && length <= max, `must have ${min} to ${max} characters`);
export const whole = ({ min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {}) =>
  z.custom<number>(
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max,
    `must be a whole number, ${min} or more${max < Number.MAX_SAFE_INTEGER ? ` and ${max} at most` : ''}`,
  );
export const optional = <Shape extends z.ZodType>(shape: Shape) =>
  shape.nullish().transform((value) => value ?? undefined);
/** Replaces an absent member by `value`. */
export const usual = <Shape extends z.ZodType>(shape: Shape, value: z.output<Shape>) =>
  shape.nullish().transform((given): z.output<Shape> => given ?? value);
export const listOf = <Item extends z.ZodType>(item: Item) => usual(z.array(item), []);

const kinds: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

/** Reads a body; throws a 400 that names the member. */
export function readShape<Shape extends z.ZodType>(shape: Shape, body: Json | undefined): z.output<Shape> {
  const read = shape.safeParse(body, { reportInput: true });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw badRequest(issue === undefined ? 'The body is refused' : messageOf(issue));
}

function messageOf(issue: z.core.$ZodIssue): string {
  const steps = issue.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  const member = steps.join('').replace(/^\./, '');
  if (member === '' && issue.code === 'invalid_type') return 'The body must be a JSON object';
  if (issue.input === undefined || issue.input === null) return `${member} is required`;
  if (issue.code === 'invalid_value') return `${member} must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_type') return `${member} must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')} is not known`;
  return `${member} ${issue.message}`;
}
