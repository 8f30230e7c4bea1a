import * as z from 'zod';
import type { FormSnapshot, PurposeSnapshot } from '../../core/consent/form-snapshot.ts';
import type { Seal } from '../../ports/seal.ts';
import { sealedToken } from '../../web/sealed-token.ts';

const ids = z.array(z.string());
/** A purpose as a row, its options by preference: by far the most of a token, which every page carries. */
const row = z.tuple([
  z.string(),
  z.enum(['on', 'off', 'on-by-default', 'waiting', 'expired', 'locked-on', 'locked-off']),
  ids,
  z.array(z.tuple([z.string(), ids])),
  z.literal([1, 2]).optional(),
]);
/** How a row says `onRecord`. */
const marks = { otherwise: 1, refused: 2 } as const;
/** An old one is shown again rather than refused. */
const formToken = sealedToken({
  use: 'preferences',
  schema: z.object({
    nonce: z.string(),
    center: z.string(),
    page: z.string(),
    revision: z.string(),
    subject: z.string(),
    at: z.number(),
    purposes: z.array(row),
    dataElements: z.array(z.object({ id: z.string(), value: z.string() })).readonly(),
    undrawn: ids.readonly().optional(),
    left: ids.readonly().optional(),
    /** By raw status: the places of its purposes in `purposes`. */
    rawStatuses: z.array(z.tuple([z.string(), z.array(z.int())])).optional(),
  }),
  maxAgeMs: 'unlimited',
});

export function sealForm(seal: Seal, snapshot: FormSnapshot): string {
  const { purposes } = snapshot;
  const places = new Map<string, number[]>();
  for (const [place, { rawStatus }] of purposes.entries()) {
    if (rawStatus === undefined) continue;
    const others = places.get(rawStatus);
    if (others === undefined) places.set(rawStatus, [place]);
    else others.push(place);
  }
  const rawStatuses = places.size === 0 ? {} : { rawStatuses: [...places] };
  return formToken.seal({ seal }, { ...snapshot, purposes: purposes.map(toRow), ...rawStatuses });
}

/** undefined for anything that this installation did not seal as such a form. */
export function openForm(seal: Seal, token: string): FormSnapshot | undefined {
  const opened = formToken.open({ seal }, token);
  if (opened === undefined) return undefined;
  const { rawStatuses = [], ...snapshot } = opened;
  const rawStatusAt = new Map(
    rawStatuses.flatMap(([status, places]) => places.map((place) => [place, status])),
  );
  const purposes = snapshot.purposes.map((line, place) => {
    const rawStatus = rawStatusAt.get(place);
    return rawStatus === undefined ? fromRow(line) : { ...fromRow(line), rawStatus };
  });
  return { ...snapshot, purposes };
}

function toRow({ id, status, topics, options, onRecord }: PurposeSnapshot): z.infer<typeof row> {
  const byPreference = new Map<string, string[]>();
  for (const { preference, option } of options) {
    const others = byPreference.get(preference);
    if (others === undefined) byPreference.set(preference, [option]);
    else others.push(option);
  }
  const line: z.infer<typeof row> = [id, status, [...topics], [...byPreference]];
  if (onRecord !== undefined) line.push(marks[onRecord]);
  return line;
}

function fromRow([id, status, topics, byPreference, mark]: z.infer<typeof row>): PurposeSnapshot {
  const options = byPreference.flatMap(([preference, chosen]) =>
    chosen.map((option) => ({ preference, option })),
  );
  const onRecord = mark === undefined ? undefined : mark === marks.refused ? 'refused' : 'otherwise';
  return { id, status, topics, options, onRecord };
}
