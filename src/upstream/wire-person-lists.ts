import { readLinkToken } from '../core/model/person/hosted-link.ts';
import { readPlatformMoment } from '../core/model/utc-time.ts';
import { envelope } from './wire-paging.ts';
import * as wire from './wire-shape.ts';
import { isSameSubject, type Whose } from './wire-subject.ts';

const purpose = wire.shape({ Id: wire.id, ExpiryDate: wire.text });
const profile = wire.shape({ Identifier: wire.text, Purposes: wire.listOf(purpose) });

/** The ends of a person's purposes, by the id of the purpose. Profiles of other people are ignored. */
export function readProfileEnds(body: unknown, whose: Whose): ReadonlyMap<string, number> {
  const { content } = wire.parse(body, envelope, 'a list of profiles');
  const ends = wire.readable(content, profile).flatMap(({ Identifier, Purposes }) => {
    if (Identifier === undefined || !isSameSubject(Identifier, whose)) return [];
    return Purposes.flatMap(({ Id, ExpiryDate }): [string, number][] => {
      const at = readPlatformMoment(ExpiryDate);
      return at === undefined ? [] : [[Id, at]];
    });
  });
  return new Map(ends);
}

const link = wire.shape({
  DataSubjectId: wire.text,
  LinkToken: wire.text,
  ExpiryDate: wire.text,
});

/** The link tokens of a person. Tokens of other people, and tokens without a readable end, are left out. */
export function readLinkTokens(body: unknown, whose: Whose) {
  const { content } = wire.parse(body, envelope, 'a list of link tokens');
  return wire.readable(content, link).flatMap(({ DataSubjectId, LinkToken, ExpiryDate }) => {
    const token = readLinkToken(LinkToken ?? '');
    const endsAt = readPlatformMoment(ExpiryDate);
    if (DataSubjectId === undefined || !isSameSubject(DataSubjectId, whose)) return [];
    return token === undefined || endsAt === undefined ? [] : { token, endsAt };
  });
}
