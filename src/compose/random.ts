import type { Random } from '../ports/random.ts';
import { randomBytes } from '../random-bytes.ts';

/** The only chance there is, in what is composed. */
export const random: Random = { id: () => randomBytes(18).toString('base64url') };
