import type { Random } from '../ports/random.ts';
import { randomBytes } from '../random-bytes.ts';

/** The product's only source of random ids. */
export const random: Random = { id: () => randomBytes(18).toString('base64url') };
