import type { ProblemCode } from '../../core/model/problem.ts';
import type { CallMade, JournalEntry } from '../../core/model/submission/journal-entry.ts';
import type {
  ChangeKind,
  Channel,
  ItemResult,
  Outcome,
  Submission,
} from '../../core/model/submission/submission.ts';
import type { Tone } from '../../pages/staff-page.ts';

export function submissionHref(reference: string): string {
  return `/staff/submissions/${encodeURIComponent(reference)}`;
}

export const stateNames: Readonly<Record<Submission['state'], readonly [string, Tone]>> = {
  pending: ['Pending', 'warning'],
  done: ['Done', 'success'],
  failed: ['Failed', 'problem'],
};

export const channelNames: Readonly<Record<Channel, string>> = {
  link: 'Link in a message',
  'staff-link': 'Link made by staff',
  mail: 'Sign-in by mail',
  'single-sign-on': 'Single sign-on',
  embed: 'Embedded',
  'one-click': 'One-click unsubscribe',
  staff: 'Staff, on their behalf',
};

/** The member of the staff who had made the link by which a person submitted. */
export function linkMakerName({
  work,
  evidence,
}: Pick<JournalEntry, 'work' | 'evidence'>): string | undefined {
  const maker = work?.request.linkMadeBy ?? evidence?.asked.linkMadeBy;
  return maker === undefined ? undefined : `${maker.name} (${maker.id})`;
}

export const outcomeNames: Readonly<Record<Outcome, readonly [string, Tone]>> = {
  saved: ['Saved', 'success'],
  'in-progress': ['In progress', 'warning'],
  waiting: ['Waits for confirmation', 'warning'],
  'being-carried-out': ['Being saved', 'warning'],
  'not-saved': ['Not saved', 'problem'],
  'in-doubt': ['In doubt, being checked', 'warning'],
  reworded: ['Wording changed', 'warning'],
  unconfirmed: ['On record, not confirmed', 'warning'],
  'withdrawn-elsewhere': ['Withdrawn elsewhere', 'neutral'],
  replaced: ['Changed again later', 'neutral'],
  'switched-off': ['Turned off by a late call', 'warning'],
  locked: ['Locked', 'neutral'],
  unchanged: ['Was already so', 'neutral'],
  'no-such-purpose': ['No such purpose', 'warning'],
};

export const changeNames: Readonly<Record<ChangeKind, string>> = {
  on: 'turn on',
  off: 'turn off',
  adjust: 'change topics or options',
  add: 'add topics or options',
  reduce: 'take topics or options out',
  typed: 'change the value',
  language: 'keep as language',
  keep: 'nothing: it should have stayed',
};

export const whatNames: Readonly<Record<ItemResult['what'], string>> = {
  purpose: 'Purpose',
  'data-element': 'Data element',
  language: 'Language',
};

const problemNames: Readonly<Partial<Record<ProblemCode, string>>> = {
  'platform-unreachable': 'the platform could not be reached',
  'platform-slow': 'the platform did not answer in time',
  'platform-busy': 'the platform asked us to wait (429)',
  'quota-used-up': 'the platform’s quota was used up',
  'platform-refused': 'the platform refused the request',
  'platform-unreadable': 'the answer could not be read',
  'platform-denied': 'the platform refused our credentials',
  'identifier-refused': 'PLATFORM_IDENTIFIER_ENCODING does not let this identifier be sent',
  'wrong-subject': 'the answer was about someone else',
};

export function problemName(code: ProblemCode): string {
  return problemNames[code] ?? code;
}

/** How a writing call ended. */
export function callResult(call: CallMade): readonly [string, Tone] {
  if (call.problem !== undefined) return [problemName(call.problem), 'problem'];
  if (call.answer === undefined) return ['not known whether it arrived', 'warning'];
  const refused = call.answer.items.filter((item) => !item.accepted).length;
  return refused === 0 ? ['accepted', 'success'] : [`${refused} refused`, 'problem'];
}
