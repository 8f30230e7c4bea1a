import * as z from 'zod';
import { sealedToken } from '../../web/sealed-token.ts';

/** Who of the staff made a link, as it stands in the link: a token that anybody can read must not say it. */
export const linkMakerToken = sealedToken({
  use: 'link maker',
  schema: z.object({ id: z.string(), name: z.string() }),
  maxAgeMs: 'unlimited',
});
