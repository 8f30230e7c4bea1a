/** Strangers in a process of their own, so that what they do costs those who are measured beside them nothing. */
import process from 'node:process';
import { type Attack, attack, shapes, type Target } from './strangers.ts';

export type Order =
  | {
      readonly kind: 'attack';
      readonly target: Target;
      readonly shape: keyof typeof shapes;
      readonly count: number;
      readonly sources: number;
      readonly first: number;
    }
  | { readonly kind: 'look' }
  | { readonly kind: 'end' };

/** `open`: connections that are open now. `statuses`: of answers, with how often each came. */
export interface Seen {
  readonly open: number;
  readonly statuses: readonly (readonly [status: number, count: number])[];
}

let running: Attack | undefined;

async function obey(order: Order): Promise<Seen> {
  if (order.kind === 'attack') running = await attack(order.target, shapes[order.shape], order);
  const seen = { open: running?.open() ?? 0, statuses: [...(running?.statuses ?? [])] };
  if (order.kind === 'end') await running?.end();
  return seen;
}

process.on('message', async (order: Order) => {
  const seen = await obey(order);
  process.send?.(seen);
});
process.on('disconnect', () => process.exit(0));
