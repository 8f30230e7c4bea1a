import { z } from 'zod';

export const text = z.string().min(1);
export const whole = z.int().min(0);
export const yes = z.literal(true);
export const no = z.literal(false);
/** An object with exactly these members. */
export const members = z.strictObject;
export const is = z.literal;
export const like = (pattern: RegExp) => z.string().regex(pattern);
export const mapOf = <T extends z.ZodType>(values: T) => z.record(z.string(), values);
export const listOf = <T extends z.ZodType>(item: T) => z.array(item).min(1);
export const one = <T extends z.ZodType>(item: T) => z.tuple([item]);
