import * as z from 'zod';
import { isGuid } from '../../core/model/center/center-config.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import { personMark } from '../../core/model/staff/audit-entry.ts';
import type { FormBlock } from '../../pages/staff-page.ts';
import { sealedToken } from '../../web/sealed-token.ts';
import { subjectId } from '../../web/tokens.ts';
import { form } from './blocks.ts';
import type { Call } from './guarded-router.ts';
import { underSubmissions } from './page.ts';

/** As long as the form around it: what was typed in the evening can be sent in the morning. */
const personToken = sealedToken({
  use: 'staff person',
  schema: z.object({ subject: subjectId, member: z.string() }),
});

/** Of a page about a person. */
export const underPerson = {
  ...underSubmissions,
  crumbs: [...underSubmissions.crumbs, { href: '/staff/people', label: 'Find a person' }],
};

/** Who a page is about, from page to page: for the member who opened it alone. */
export function sealStaffPerson(call: Call, subject: SubjectId): string {
  return personToken.seal(call, { subject, member: call.member.id });
}

/** The person whom a page was about, sealed again, and the center that its form names; '' where it names none. */
export function openPerson(call: Call) {
  const opened = personToken.open(call, call.field('person'));
  const center = centerOf(call);
  if (opened?.member !== call.member.id) throw new Problem('form-refused');
  const { subject } = opened;
  aboutPerson(call, { subject, center });
  return { subject, center, person: sealStaffPerson(call, subject) };
}

/** A button for something about a person, who is sealed. */
export function personForm(person: string, given: Parameters<typeof form>[0]): FormBlock {
  const fields = [{ kind: 'hidden', name: 'person', value: person } as const, ...(given.fields ?? [])];
  return form({ ...given, layout: 'line', fields, tone: 'ordinary' });
}

export function centerOf(call: Call): string {
  const center = call.field('center').toLowerCase();
  if (center !== '' && !isGuid(center)) throw new Problem('form-refused');
  return center;
}

/** A person, and a center to look into; '' for none. */
export interface PersonAsked {
  readonly subject: SubjectId;
  readonly center: string;
}

/** Says in the audit log whom an act was about, by a mark. */
export function aboutPerson({ seal, about }: Call, { subject, center }: PersonAsked): void {
  if (center !== '') about(center);
  about(personMark(seal.hash('staff audit', subject)));
}

export const recordTimeoutMs = 3_000;

/** The schema and the record only where the platform gives them; the record is only asked for a moment. */
export function lookUp({ platform }: Call, center: string, subject: SubjectId) {
  const signal = AbortSignal.timeout(recordTimeoutMs);
  return Promise.all([
    platform.findCenter(center).catch(() => undefined),
    platform.readSubject(center, subject, { signal }).catch(() => undefined),
  ]);
}
