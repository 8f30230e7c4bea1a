import * as z from 'zod';

/** Ignores case, unless two values differ in case alone. */
export function choice<const T extends string>(...values: readonly T[]) {
  return z
    .string()
    .transform((text, context) => {
      const exact = values.find((value) => value === text);
      const known = exact ?? values.find((value) => value.toLowerCase() === text.toLowerCase());
      if (known !== undefined) return known;
      context.addIssue(`must be one of ${values.join(', ')}`);
      return z.NEVER;
    })
    .optional();
}
