import assert from 'node:assert/strict';
import type { Product } from './product.ts';
import { books } from './sandbox-ids.ts';

/** Unsubscribes by a one-click address, as a mail program does: from one purpose, or from all without one. */
export async function oneClick(
  product: Pick<Product, 'link'>,
  identifier: string,
  purpose?: string,
  center = books,
): Promise<void> {
  const flags = ['--one-click', ...(purpose === undefined ? [] : ['--purpose', purpose])];
  const body = new URLSearchParams('List-Unsubscribe=One-Click');
  const answer = await fetch(await product.link({ center, identifier, flags }), { method: 'POST', body });
  assert.equal(answer.status, 200, await answer.text());
}
