import * as z from 'zod';
import { sealedToken } from '../../web/sealed-token.ts';

/** Names the staff member who made a link. It is sealed, because anyone can read a link's token. */
export const linkMakerToken = sealedToken({
  use: 'link maker',
  schema: z.object({ id: z.string(), name: z.string() }),
  maxAgeMs: 'unlimited',
});
