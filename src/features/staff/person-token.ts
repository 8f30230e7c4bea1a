import * as z from 'zod';
import type { SubjectId } from '../../core/model/person/subject.ts';
import type { Member } from '../../core/model/staff/staff-member.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Seal } from '../../ports/seal.ts';
import { sealedToken } from '../../web/sealed-token.ts';
import { subjectId } from '../../web/tokens.ts';

interface Parts {
  readonly seal: Seal;
  readonly clock: Clock;
}

const personToken = sealedToken({
  use: 'staff person',
  schema: z.object({ subject: subjectId, member: z.string() }),
  maxAgeMs: 60 * 60 * 1000,
});

/** Who a page is about, from page to page: for the member who opened it alone. */
export function sealStaffPerson(parts: Parts, member: Member, subject: SubjectId): string {
  return personToken.seal(parts, { subject, member: member.id });
}

export function openStaffPerson(
  parts: Parts,
  member: Member,
  sealed: string | undefined,
): SubjectId | undefined {
  const opened = personToken.open(parts, sealed);
  return opened?.member === member.id ? opened.subject : undefined;
}
