import * as z from 'zod';

const number = z.string().transform(Number);
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'];
export const databaseAddress = z
  .string()
  .refine(
    (text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text),
    'must be an address such as postgres://user:password@host/database',
  )
  .refine(
    (text) => {
      const mode = URL.canParse(text) ? new URL(text).searchParams.get('sslmode') : null;
      return mode === null || sslModes.includes(mode);
    },
    `: sslmode must be one of ${sslModes.join(', ')}`,
  )
  .optional();
export const poolSize = number.refine(
  (value) => Number.isInteger(value) && value >= 2 && value <= 200,
  'must be a whole number from 2 to 200',
);
export const timeoutSeconds = number.refine(
  (value) => value >= 0.2 && value <= 30,
  'must be a number from 0.2 to 30',
);
