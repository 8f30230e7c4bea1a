import type { Request } from 'express';
import { type PasscodeDigits, passcodeDigits } from '../../core/model/passcode.ts';
import { Problem } from '../../core/model/problem.ts';
import type { SubjectId } from '../../core/model/subject.ts';
import { messageLife } from '../../pages/person/sign-in.ts';
import type { Clock } from '../../ports/clock.ts';
import { networksOf } from '../../web/client-network.ts';
import type { KnownClients } from './known-clients.ts';

/** Counts that outlive the process. */
export interface RateCounters {
  /**
   * Counts one more and gives 0; where that is one too many, the milliseconds until there is. `within`:
   * milliseconds from the first of them.
   */
  count(use: string, key: string, allowed: { readonly most: number; readonly within: number }): number;
  /** What was counted, and the milliseconds until it is forgotten; nothing is written. */
  look(use: string, key: string, within: number): { readonly count: number; readonly left: number };
}

/**
 * What may be sent. `minutes`: how long the message is good. `isShared`: whoever asks for the same receiver, while
 * there may be no other message, is told of this one. `none`: that is so now.
 */
export type Allowance =
  | { readonly kind: 'message'; readonly minutes: number; readonly isShared: boolean }
  | { readonly kind: 'none' };

export interface Receiver {
  readonly center: string;
  readonly subject: SubjectId;
}

/**
 * What signing in costs: messages and tries, of a client, its networks, a receiver and the whole installation. The
 * same for every address, known or not. The figures and their reasons: docs/security.md.
 */
export interface Limits {
  /** `hasLink`: who asks has a link that was the receiver's. Throws too-many-requests. */
  message(request: Request, change: Receiver & { readonly hasLink: boolean }): Allowance;
  /** A link that staff have mailed. Throws too-many-requests. */
  staffMessage(receiver: Receiver): void;
  /** Before a passcode is tried; `link-only`: none of this length is taken now. Throws too-many-requests. */
  attempt(
    request: Request,
    tried: { readonly subject: SubjectId; readonly digits: PasscodeDigits },
  ): 'taken' | 'link-only';
  /** A wrong one was. */
  wrong(digits: PasscodeDigits): void;
  /** Of the passcodes that are sent now. */
  digits(): PasscodeDigits;
}

export interface LimitsObserver {
  wrongPasscode(): void;
  /** `none`: there may be no other message to this address now. `refused`: by the client's or all messages' bound. */
  message(outcome: 'sent' | 'none' | 'refused'): void;
  /** For the log: something that an operator should know. */
  alert(event: string): void;
}

const minute = 60_000;
const hour = 60 * minute;

/** Of one client's smallest network; its wider ones may do a multiple. */
const ofClient = {
  'messages of a client': { most: 40, within: hour },
  'tries of a client': { most: 40, within: 10 * minute },
} as const;

/** To one receiver, in the first case by each browser that signed in as them before. */
const ofKnown = { most: 6, within: hour };
const ofStaff = { most: 3, within: hour };

/** To one receiver by strangers: so many in an hour, and beside them one in each quarter of it. */
const soonest = { most: 2, within: hour };
const sparse = { most: 1, within: 15 * minute };
/** Minutes. A sparse message outlives the time in which there is no other by as long as any message is good. */
const sparseLife = 15 + messageLife;

/** In an hour, of the whole installation: from here on, passcodes have more digits. */
const attackFrom = 50;
/** And from here on, those of this length are not taken from clients that nobody knows. */
const mostWrong: Readonly<Record<PasscodeDigits, number>> = { 6: 200, 8: 5_000 };

export function createLimits({
  rateCounters,
  known,
  clock,
  mostMessages,
  observer,
}: {
  rateCounters: RateCounters;
  known: Pick<KnownClients, 'find'>;
  clock: Clock;
  /** In an hour, of the whole installation: to clients that nobody knows, and as many again to all others. */
  mostMessages: number;
  observer: LimitsObserver;
}): Limits {
  let lastDigits: PasscodeDigits | undefined;
  let alertedAt = Number.NEGATIVE_INFINITY;
  const all = { most: mostMessages, within: hour };

  function refuse(wait: number): never {
    throw new Problem('too-many-requests', { retryAfter: Math.ceil(wait / 1000) });
  }

  /** The narrow networks first: what they refuse does not use up what is allowed to their neighbours. */
  function takeOfClient(use: keyof typeof ofClient, request: Request): void {
    for (const { key, times } of networksOf(request.ip ?? '')) {
      const { most, within } = ofClient[use];
      const wait = rateCounters.count(use, key, { most: most * times, within });
      if (wait > 0) refuse(wait);
    }
  }

  function takeOfAll(who: 'known' | 'unknown'): number {
    const wait = rateCounters.count('all messages', who, all);
    if (wait > 0) alertFull();
    return wait;
  }

  function alertFull(): void {
    if (clock.now() - alertedAt < hour) return;
    alertedAt = clock.now();
    observer.alert('the bound of sign-in messages is reached');
  }

  function allow(request: Request, { center, subject, hasLink }: Receiver & { hasLink: boolean }): Allowance {
    const receiver = `${center} ${subject}`;
    const client = known.find(request, subject);
    const proofs = [
      ...(client === undefined ? [] : [['messages of a known client', `${client} ${receiver}`] as const]),
      ...(hasLink ? [['messages for a link', receiver] as const] : []),
    ];
    for (const [use, key] of proofs) {
      if (rateCounters.count(use, key, ofKnown) === 0 && takeOfAll('known') === 0)
        return { kind: 'message', minutes: messageLife, isShared: false };
    }
    const { count, left } = rateCounters.look('all messages', 'unknown', hour);
    if (count >= mostMessages) {
      alertFull();
      refuse(left);
    }
    takeOfClient('messages of a client', request);
    const isSoon = rateCounters.count('messages to an address', receiver, soonest) === 0;
    if (!isSoon && rateCounters.count('sparse messages to an address', receiver, sparse) > 0)
      return { kind: 'none' };
    const wait = takeOfAll('unknown');
    if (wait > 0) refuse(wait);
    return { kind: 'message', minutes: isSoon ? messageLife : sparseLife, isShared: true };
  }

  const useOf = (digits: PasscodeDigits) => `wrong passcodes of ${digits} digits`;
  const hourNow = () => Math.floor(clock.now() / hour);
  const wrongIn = (digits: PasscodeDigits, which: number) =>
    rateCounters.look(useOf(digits), String(which), 2 * hour).count;

  function digits(): PasscodeDigits {
    const now = hourNow();
    const wrong = passcodeDigits.reduce(
      (sum: number, length) => sum + wrongIn(length, now) + wrongIn(length, now - 1),
      0,
    );
    const length = wrong >= attackFrom ? 8 : 6;
    if (lastDigits !== length && (lastDigits !== undefined || length === 8))
      observer.alert(`passcodes have ${length} digits now`);
    lastDigits = length;
    return length;
  }

  return {
    message(request, change) {
      try {
        const allowance = allow(request, change);
        observer.message(allowance.kind === 'none' ? 'none' : 'sent');
        return allowance;
      } catch (fault) {
        if (fault instanceof Problem && fault.code === 'too-many-requests') observer.message('refused');
        throw fault;
      }
    },
    staffMessage({ center, subject }) {
      const wait = rateCounters.count('links of staff', `${center} ${subject}`, ofStaff);
      if (wait > 0) refuse(wait);
    },
    attempt(request, tried) {
      const client = known.find(request, tried.subject);
      if (client !== undefined) {
        const wait = rateCounters.count('tries of a known client', client, ofClient['tries of a client']);
        if (wait > 0) refuse(wait);
        return 'taken';
      }
      if (wrongIn(tried.digits, hourNow()) >= mostWrong[tried.digits]) return 'link-only';
      takeOfClient('tries of a client', request);
      return 'taken';
    },
    wrong(length) {
      const key = String(hourNow());
      rateCounters.count(useOf(length), key, { most: Number.MAX_SAFE_INTEGER, within: 2 * hour });
      if (wrongIn(length, hourNow()) === mostWrong[length])
        observer.alert(`passcodes of ${length} digits are not taken for the rest of the hour`);
      observer.wrongPasscode();
      digits();
    },
    digits,
  };
}
