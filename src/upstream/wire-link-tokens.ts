import { readLinkToken } from '../core/model/person/hosted-link.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import { readPlatformMoment } from '../core/model/utc-time.ts';
import { envelope } from './wire-paging.ts';
import * as wire from './wire-shape.ts';
import { isSameSubject } from './wire-subject.ts';

const shape = wire.shape({
  DataSubjectId: wire.text,
  LinkToken: wire.text,
  ExpiryDate: wire.text,
});

/** Tokens of this person alone, even if the answer names others. A token without a readable end has ended. */
export function readLinkTokens(
  body: unknown,
  whose: { readonly subject: SubjectId; readonly sentAs: string },
): readonly { readonly token: string; readonly endsAt: number }[] {
  const { content } = envelope.parse(body, 'a list of link tokens');
  return wire.readable(content, shape).flatMap(({ DataSubjectId, LinkToken, ExpiryDate }) => {
    const token = readLinkToken(LinkToken ?? '');
    const endsAt = readPlatformMoment(ExpiryDate);
    if (DataSubjectId === undefined || !isSameSubject(DataSubjectId, whose)) return [];
    return token === undefined || endsAt === undefined ? [] : { token, endsAt };
  });
}
