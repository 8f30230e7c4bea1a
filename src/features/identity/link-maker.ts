import * as z from 'zod';
import type { LinkMaker } from '../../core/model/visit.ts';
import type { Seal } from '../../ports/seal.ts';

const shape = z.object({ id: z.string(), name: z.string() });

/** Who of the staff made a link, as it stands in the link: a token that anybody can read must not say it. */
export function sealLinkMaker(seal: Pick<Seal, 'seal'>, { id, name }: LinkMaker): string {
  return seal.seal('link maker', { id, name });
}

/** undefined for what was sealed under a secret that is gone, or never was. */
export function openLinkMaker(seal: Pick<Seal, 'open'>, token: string): LinkMaker | undefined {
  return shape.safeParse(seal.open('link maker', token)).data;
}
