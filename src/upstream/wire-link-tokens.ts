import { readLinkToken } from '../core/model/hosted-link.ts';
import { Problem } from '../core/model/problem.ts';
import type { SubjectId } from '../core/model/subject.ts';
import { readPlatformMoment } from '../core/model/utc-time.ts';
import { envelope } from './wire-paging.ts';
import * as wire from './wire-shape.ts';
import { isSameSubject } from './wire-subject.ts';

const shape = wire.shape({
  DataSubjectId: wire.text.orAbsent(),
  LinkToken: wire.text.orAbsent(),
  ExpiryDate: wire.text.orAbsent(),
});

/** Of this person alone, also where the answer names others. A token without an end that can be read has ended. */
export function readLinkTokens(
  body: unknown,
  whose: { readonly subject: SubjectId; readonly sentAs: string },
): readonly { readonly token: string; readonly endsAt: number }[] {
  const read = envelope.safeParse(body);
  if (!read.success)
    throw new Problem('platform-unreadable', { cause: new Error('not a list of link tokens') });
  return read.data.content.flatMap((item) => {
    const { DataSubjectId, LinkToken, ExpiryDate } = shape.safeParse(item).data ?? {};
    const token = readLinkToken(LinkToken ?? '');
    const endsAt = readPlatformMoment(ExpiryDate);
    if (DataSubjectId === undefined || !isSameSubject(DataSubjectId, whose)) return [];
    return token === undefined || endsAt === undefined ? [] : { token, endsAt };
  });
}
