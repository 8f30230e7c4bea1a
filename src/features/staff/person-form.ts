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

/**
 * The sealed identifier on a staff page. It is valid for a day, like the form around it: a form that is
 * filled in the evening can be sent in the morning.
 */
const personToken = sealedToken({
  use: 'staff person',
  schema: z.object({ subject: subjectId, member: z.string() }),
});

/** Section and breadcrumbs of a page about a person. */
export const underPerson = {
  ...underSubmissions,
  crumbs: [...underSubmissions.crumbs, { href: '/staff/people', label: 'Find a person' }],
};

/** Seals the identifier of the person for the next page; only the member who opened this page can use it. */
export function sealStaffPerson(call: Call, subject: SubjectId): string {
  return personToken.seal(call, { subject, member: call.member.id });
}

/** Opens the posted person and seals it again; `center` is the center in the form, '' for none. */
export function openPerson(call: Call) {
  const opened = personToken.open(call, call.field('person'));
  const center = centerOf(call);
  if (opened?.member !== call.member.id) throw new Problem('form-refused');
  const { subject } = opened;
  aboutPerson(call, { subject, center });
  return { subject, center, person: sealStaffPerson(call, subject) };
}

/** A form with one button for an action about the person, whose identifier is sealed. */
export function personForm(person: string, given: Parameters<typeof form>[0]): FormBlock {
  const fields = [{ kind: 'hidden', name: 'person', value: person } as const, ...(given.fields ?? [])];
  return form({ ...given, layout: 'line', fields, tone: 'ordinary' });
}

export function centerOf(call: Call): string {
  const center = call.field('center').toLowerCase();
  if (center !== '' && !isGuid(center)) throw new Problem('form-refused');
  return center;
}

/** A person and the center to read; '' for none. */
export interface PersonAsked {
  readonly subject: SubjectId;
  readonly center: string;
}

/** Adds the person's mark, and the center, to the line in the audit log. */
export function aboutPerson({ seal, about }: Call, { subject, center }: PersonAsked): void {
  if (center !== '') about(center);
  about(personMark(seal.hash('staff audit', subject)));
}

export const recordTimeoutMs = 3_000;

/**
 * Reads the schema and the record; each is undefined if the platform does not give it. The record is only
 * waited for `recordTimeoutMs`.
 */
export function lookUp({ platform }: Call, center: string, subject: SubjectId) {
  const signal = AbortSignal.timeout(recordTimeoutMs);
  return Promise.all([
    platform.findCenter(center).catch(() => undefined),
    platform.readSubject(center, subject, { signal }).catch(() => undefined),
  ]);
}
