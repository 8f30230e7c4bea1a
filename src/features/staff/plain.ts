import type { Problem, ProblemCode } from '../../core/model/problem.ts';
import type { Member, Role } from '../../core/model/staff/staff-member.ts';
import { writtenWait } from '../../core/model/utc-time.ts';
import { type Note, note } from '../../pages/layout.ts';
import { form } from './blocks.ts';
import type { Page } from './page.ts';

export interface SignInWays {
  /** The address that starts single sign-on; undefined if it is not configured. */
  readonly singleSignOn: string | undefined;
  /** The source of one-time addresses: printed at the start, or made by a command. */
  readonly oneTime: 'printed' | 'command';
}

/** A form that was posted without a sign-in. Its token is among its fields. */
export interface UnsentForm {
  readonly action: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

const ends = 'A session ends after 15 minutes without a step, and after 8 hours.';

/**
 * Texts by the reason for the sign-in page. `closed`: the page is for staff; `ended`: the session of this
 * browser has ended; `unsent`: it has ended, and this page keeps the posted form.
 */
const reasons = {
  arriving: ['Sign in as staff', 'These pages are for the staff who look after consent.'],
  closed: ['Sign in to see this', `This page is for staff, and you are not signed in. ${ends}`],
  ended: ['Your session has ended', ends, 'Nothing was done.'],
  unsent: [
    'Your session has ended',
    ends,
    'Nothing was done, and nothing that you typed is lost: this page holds it. Sign in in another tab, then come back to this one and send it again.',
  ],
  // `buildSignInPage` adds the line, which depends on the source of one-time addresses.
  'used-address': ['This address no longer opens anything'],
  'signed-out': ['You are signed out', 'On a shared computer, close the window, too.'],
  failed: ['Signing in did not work', 'Please try again.'],
  unreachable: [
    'Signing in does not work just now',
    'The sign-in of your organization does not answer. Please try again in a moment.',
  ],
} satisfies Readonly<Record<string, readonly [title: string, ...lines: string[]]>>;

export type SignInWhy = keyof typeof reasons;

/** The sign-in page. It keeps the form `unsent`, so that it can be sent again from there. */
export function buildSignInPage(
  { singleSignOn, oneTime }: SignInWays,
  why: SignInWhy,
  unsent?: UnsentForm,
): Page {
  const [title, ...lines] = reasons[why];
  return card({
    title,
    lead: [
      ...lines,
      why === 'used-address' &&
        (oneTime === 'printed'
          ? 'It has been used already, or it is not the one that was printed at the last start.'
          : 'It has been used already, it is older than 15 minutes, or it opens on the machine of this installation only.'),
      oneTime === 'command' &&
        singleSignOn === undefined &&
        'An operator of this installation makes an address that opens these pages once: npm run staff-key.',
      oneTime === 'printed' &&
        'This installation prints an address that opens these pages, once, each time it starts: the line that begins with “Staff:”. Start it again for a new one.',
    ],
    links: [
      singleSignOn !== undefined && {
        href: singleSignOn,
        label: why === 'signed-out' ? 'Sign in again' : 'Sign in with your organization',
      },
    ],
    blocks: [
      unsent &&
        form({
          id: 'unsent',
          heading: 'What you were sending',
          action: unsent.action,
          fields: unsent.fields.map((one) => ({ kind: 'hidden', ...one })),
          label: 'Send it again',
        }),
    ],
  });
}

/**
 * The page after a sign-in that began on another site. The browser sends the session cookie only with a
 * navigation that starts on a page of ours, such as this one.
 */
export const arrivedPage = card({
  title: 'You are signed in',
  lead: ['The staff pages open by themselves in a moment.'],
  links: [{ href: '/staff', label: 'Open the staff pages' }],
});

export function buildNoRolePage(claim: string): Page {
  return card({
    title: 'You have no role here',
    lead: [
      `Your organization knows you, but gives you none of the roles viewer, editor, auditor or privacy in the claim “${claim}”.`,
      'Ask the administrator of its sign-in to give you one, then sign in again.',
    ],
    links: [{ href: '/staff/sign-in', label: 'Try again' }],
  });
}

export function buildRefusedPage({ name, roles }: Member, needs: Role): Page {
  return card({
    title: 'This needs another role',
    lead: [
      `This page is for members of the staff with the role “${needs}”. Nothing was done.`,
      `You are signed in as ${name} (${roles.join(', ')}).`,
    ],
    links: [{ href: '/staff', label: 'Back to the staff pages' }],
  });
}

function card(page: Omit<Page, 'section' | 'frame'>): Page {
  return { ...page, frame: 'card', section: 'start' };
}

/**
 * The words about a fault for a visitor without a sign-in: nothing about the platform or about stored data.
 */
export function strangersProblem(code: ProblemCode): ReturnType<typeof staffProblem> {
  if (code !== 'not-found') return undefined;
  return {
    title: 'There is nothing here',
    lines: ['The address is wrong, or it is for staff alone. You are not signed in.'],
  };
}

/** The words about a fault for staff: more than for a visitor, because staff can act on it. */
export function staffProblem(code: ProblemCode, retryAfter: number | undefined) {
  const [title, ...lines] = problems[code] ?? [];
  if (title === undefined) return undefined;
  const wait = retryAfter === undefined ? [] : [`Try again in ${writtenWait(retryAfter)}.`];
  return { title, lines: [...lines, ...wait] };
}

const problems: Readonly<Partial<Record<ProblemCode, readonly [title: string, line: string]>>> = {
  'platform-busy': [
    'The platform asks us to wait',
    'It has had too many calls (429). No call is made before its time is over.',
  ],
  'quota-used-up': [
    "The platform's quota is used up",
    'No call was made: those that are left of this minute or hour are for withdrawals.',
  ],
  'platform-unreachable': [
    'The platform cannot be reached',
    'It does not answer, or answers with an error of its own.',
  ],
  'platform-slow': ['The platform did not answer in time', 'We stopped waiting for it.'],
  'platform-denied': [
    'The platform refused our credentials',
    'Either the client id and secret are wrong, or they lack a scope: POLICY for notices, ISSUE for tasks, CONSENT for centers.',
  ],
  'platform-refused': [
    'The platform refused this',
    'It called the request wrong. The log of this installation has more, under the reference.',
  ],
  'platform-unreadable': [
    'The platform’s answer could not be read',
    'It was not what its interface describes.',
  ],
  'form-refused': [
    'This form can no longer be used',
    'It is too old, or was made for someone else. Nothing was done. Open the page again and send it from there.',
  ],
  'not-found': ['There is nothing here', 'The address is wrong, or the platform does not know this id.'],
};

/** A note above the form, which keeps all its input: why the task was not written. */
export function faultNote(problem: Problem, what: 'create' | 'update'): Note {
  const told = staffProblem(problem.code, undefined) ?? { title: 'Something went wrong', lines: [] };
  if (problem.code === 'platform-busy' || problem.code === 'quota-used-up') {
    const wait = writtenWait(problem.retryAfter ?? 30);
    return note(
      'warning',
      told.title,
      `Nothing was sent on, and nothing that you typed is lost. Send it again in ${wait}: before that, no call is made.`,
    );
  }
  if (problem.code === 'platform-refused') {
    return note(
      'problem',
      told.title,
      'It called the request wrong, and did nothing. Every limit that its interface names was kept, so look at the ids: whether they exist, and whether this installation may use them.',
    );
  }
  if (!problem.answerLost) return note('problem', told.title, ...told.lines, 'Nothing was done.');
  const lost = `${told.title}. The request may have arrived all the same: the answer to it was lost.`;
  return what === 'create'
    ? note(
        'problem',
        'It is not known whether the task was created',
        lost,
        'Look in the platform whether the task is there before you create it again: a second one would stand beside it. We never repeat this by ourselves.',
      )
    : note(
        'problem',
        'It is not known whether this was saved',
        lost,
        'Open the task to see what the platform has now. Sending the same again does no harm.',
      );
}

/** A note for a form that was sent twice, when the result of the first post is unknown. */
export const sentBefore = note(
  'warning',
  'This form was sent before',
  'It is not known what came of it, so it was not sent again. Look in the platform whether the task is there. If it is not, send the form below, which is a new one.',
);

/**
 * A note for a form that was sent twice, when the task of the first post differs from the second post, by the
 * form or since.
 */
export const taskDiffers = note(
  'warning',
  'This form was sent before',
  'It created a task, which differs from the fields below. They were not sent: leave this page to keep that task alone, or send them to create another one.',
);
