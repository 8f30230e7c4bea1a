import type { SubjectId } from '../core/model/person/subject.ts';
import { readPlatformMoment } from '../core/model/utc-time.ts';
import { envelope } from './wire-paging.ts';
import * as wire from './wire-shape.ts';
import { isSameSubject } from './wire-subject.ts';

const profile = wire.shape({ Identifier: wire.text, Purposes: wire.list });
const purpose = wire.shape({ Id: wire.id, ExpiryDate: wire.text });

/** Ends of this person alone, even if the answer names others. */
export function readProfileEnds(
  body: unknown,
  whose: { readonly subject: SubjectId; readonly sentAs: string },
): ReadonlyMap<string, number> {
  const { content } = envelope.parse(body, 'a list of profiles');
  const ends = wire.readable(content, profile).flatMap(({ Identifier, Purposes }) => {
    if (Identifier === undefined || !isSameSubject(Identifier, whose)) return [];
    return wire.readable(Purposes, purpose).flatMap(({ Id, ExpiryDate }): [string, number][] => {
      const at = readPlatformMoment(ExpiryDate);
      return at === undefined ? [] : [[Id, at]];
    });
  });
  return new Map(ends);
}
