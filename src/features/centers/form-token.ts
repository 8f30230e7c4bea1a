import * as z from 'zod';
import type { Drawn, DrawnPurpose } from '../../core/drawn.ts';
import type { Seal } from '../../ports.ts';

const use = 'preferences';

const ids = z.array(z.string());
/** A purpose as a row, its options by preference: by far the most of a token, which every page carries. */
const row = z.tuple([
  z.string(),
  z.enum(['on', 'off', 'on-by-default', 'waiting', 'expired', 'locked-on', 'locked-off']),
  ids,
  z.array(z.tuple([z.string(), ids])),
]);
const shape = z.object({
  nonce: z.string(),
  center: z.string(),
  page: z.string(),
  revision: z.string(),
  subject: z.string(),
  at: z.number(),
  purposes: z.array(row),
  dataElements: z.array(z.object({ id: z.string(), value: z.string() })),
});

export function sealForm(seal: Seal, drawn: Drawn): string {
  return seal.seal(use, { ...drawn, purposes: drawn.purposes.map(toRow) });
}

/** undefined for anything that this house did not seal as such a form. */
export function openForm(seal: Seal, token: string): Drawn | undefined {
  const opened = shape.safeParse(seal.open(use, token));
  return opened.success ? { ...opened.data, purposes: opened.data.purposes.map(fromRow) } : undefined;
}

function toRow({ id, status, topics, options }: DrawnPurpose): z.infer<typeof row> {
  const byPreference = new Map<string, string[]>();
  for (const { preference, option } of options) {
    const others = byPreference.get(preference);
    if (others === undefined) byPreference.set(preference, [option]);
    else others.push(option);
  }
  return [id, status, [...topics], [...byPreference]];
}

function fromRow([id, status, topics, byPreference]: z.infer<typeof row>): DrawnPurpose {
  const options = byPreference.flatMap(([preference, chosen]) =>
    chosen.map((option) => ({ preference, option })),
  );
  return { id, status, topics, options };
}
