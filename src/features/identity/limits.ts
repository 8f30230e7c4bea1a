import type { Request } from 'express';
import { type CodeAnswer, type PasscodeDigits, passcodeDigits } from '../../core/model/passcode.ts';
import { Problem } from '../../core/model/problem.ts';
import type { SubjectId } from '../../core/model/subject.ts';
import { messageLife } from '../../pages/person/sign-in.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Counted, RateCounters } from '../../ports/rate-counters.ts';
import { createClientRates, tooMany } from '../../web/client-rates.ts';
import type { KnownClients } from './known-clients.ts';

/**
 * What may be sent. `minutes`: how long the message is good. `isShared`: a visitor who asks for the same receiver, while
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
  message(request: Request, change: Receiver & { readonly hasLink: boolean }): Promise<Allowance>;
  /** A link that staff have mailed. Throws too-many-requests. */
  staffMessage(receiver: Receiver): Promise<void>;
  /** Before a passcode is tried; `link-only`: none of this length is taken now. Throws too-many-requests. */
  attempt(
    request: Request,
    tried: { readonly subject: SubjectId; readonly digits: PasscodeDigits },
  ): Promise<Attempt | 'link-only'>;
  /** Before a link of the platform's hosted pages is looked up. Throws too-many-requests. */
  hostedLink(request: Request): Promise<void>;
  /** Of the passcodes that are sent now. */
  digits(): Promise<PasscodeDigits>;
}

/** Counted as a wrong one until it is settled, so that many at once are not more than there may be. */
export interface Attempt {
  /** What came of it: gives back what it was counted for, and was not. */
  settle(outcome: CodeAnswer['kind']): Promise<void>;
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
  'messages of a client': { most: 40, withinMs: hour },
  'tries of a client': { most: 40, withinMs: 10 * minute },
  'hosted links of a client': { most: 120, withinMs: 10 * minute },
} as const;

/** To one receiver, in the first case by each browser that signed in as them before. */
const ofKnown = { most: 6, withinMs: hour };
const ofStaff = { most: 3, withinMs: hour };

/** To one receiver by strangers: so many in an hour, and beside them one in each quarter of it. */
const soonest = { most: 2, withinMs: hour };
const sparse = { most: 1, withinMs: 15 * minute };
/** Minutes. A sparse message outlives the time in which there is no other by as long as any message is good. */
const sparseLife = 15 + messageLife;

/** In an hour, of the whole installation: from here on, passcodes have more digits. */
const attackFrom = 50;
/** And from here on, those of this length are not taken from unknown clients. */
const mostWrong: Readonly<Record<PasscodeDigits, number>> = { 6: 200, 8: 5_000 };

export function createLimits({
  rateCounters,
  known,
  clock,
  mostMessages,
  observer,
}: {
  rateCounters: Pick<RateCounters, 'count' | 'giveBack' | 'look'>;
  known: Pick<KnownClients, 'find'>;
  clock: Clock;
  /** In an hour, of the whole installation: to unknown clients, and as many again to all others. */
  mostMessages: number;
  observer: LimitsObserver;
}): Limits {
  let lastDigits: PasscodeDigits | undefined;
  let alertedAt = Number.NEGATIVE_INFINITY;
  const clientRates = createClientRates({ rateCounters, clock });
  const all = { most: mostMessages, withinMs: hour };

  async function take(use: string, key: string, allowed: Allowed): Promise<Taken> {
    const counted = await rateCounters.count(use, key, allowed);
    if (counted.kind === 'full') throw tooMany(counted.waitMs);
    return { use, key, counted };
  }

  async function takeIfFree(use: string, key: string, allowed: Allowed): Promise<Taken | undefined> {
    const counted = await rateCounters.count(use, key, allowed);
    return counted.kind === 'full' ? undefined : { use, key, counted };
  }

  async function takeOfKnown(client: string): Promise<() => Promise<void>> {
    const taken = await take('tries of a known client', client, ofClient['tries of a client']);
    return () => giveBack(taken);
  }

  const giveBack = ({ use, key, counted }: Taken) => rateCounters.giveBack(use, key, counted);

  const takeOfClient = (use: keyof typeof ofClient, request: Request) =>
    clientRates.take(use, request.ip ?? '', ofClient[use]);

  async function countOfAll(who: 'known' | 'unknown'): Promise<Counted> {
    const counted = await rateCounters.count('all messages', who, all);
    if (counted.kind === 'full') alertFull();
    return counted;
  }

  function alertFull(): void {
    if (clock.now() - alertedAt < hour) return;
    alertedAt = clock.now();
    observer.alert('the bound of sign-in messages is reached');
  }

  async function allow(
    request: Request,
    { center, subject, hasLink }: Receiver & { hasLink: boolean },
  ): Promise<Allowance> {
    const receiver = `${center} ${subject}`;
    const client = known.find(request, subject);
    const proofs = [
      ...(client === undefined ? [] : [['messages of a known client', `${client} ${receiver}`] as const]),
      ...(hasLink ? [['messages for a link', receiver] as const] : []),
    ];
    for (const [use, key] of proofs) {
      const taken = await takeIfFree(use, key, ofKnown);
      if (taken === undefined) continue;
      if ((await countOfAll('known')).kind === 'counted')
        return { kind: 'message', minutes: messageLife, isShared: false };
      await giveBack(taken);
    }
    const { count, leftMs } = await rateCounters.look('all messages', 'unknown', hour);
    if (count >= mostMessages) {
      alertFull();
      throw tooMany(leftMs);
    }
    await takeOfClient('messages of a client', request);
    const soon = await takeIfFree('messages to an address', receiver, soonest);
    const taken = soon ?? (await takeIfFree('sparse messages to an address', receiver, sparse));
    if (taken === undefined) return { kind: 'none' };
    const counted = await countOfAll('unknown');
    if (counted.kind === 'full') {
      // Without a message of its own the address must not be told of an earlier one.
      await giveBack(taken);
      throw tooMany(counted.waitMs);
    }
    return { kind: 'message', minutes: soon === undefined ? sparseLife : messageLife, isShared: true };
  }

  const useOf = (digits: PasscodeDigits) => `wrong passcodes of ${digits} digits`;
  const hourNow = () => Math.floor(clock.now() / hour);

  async function digits(): Promise<PasscodeDigits> {
    const now = hourNow();
    const counts = await Promise.all(
      passcodeDigits.flatMap((length) =>
        [now, now - 1].map((which) => rateCounters.look(useOf(length), String(which), 2 * hour)),
      ),
    );
    const wrong = counts.reduce((sum, { count }) => sum + count, 0);
    const length = wrong >= attackFrom ? 8 : 6;
    if (lastDigits !== length && (lastDigits !== undefined || length === 8))
      observer.alert(`passcodes have ${length} digits now`);
    lastDigits = length;
    return length;
  }

  async function noteWrong(length: PasscodeDigits, count: number): Promise<void> {
    if (count === mostWrong[length])
      observer.alert(`passcodes of ${length} digits are not taken for the rest of the hour`);
    observer.wrongPasscode();
    await digits();
  }

  return {
    async message(request, change) {
      try {
        const allowance = await allow(request, change);
        observer.message(allowance.kind === 'none' ? 'none' : 'sent');
        return allowance;
      } catch (fault) {
        if (fault instanceof Problem && fault.code === 'too-many-requests') observer.message('refused');
        throw fault;
      }
    },
    async staffMessage({ center, subject }) {
      await take('links of staff', `${center} ${subject}`, ofStaff);
    },
    async hostedLink(request) {
      await takeOfClient('hosted links of a client', request);
    },
    async attempt(request, tried) {
      const length = tried.digits;
      const [use, key] = [useOf(length), String(hourNow())];
      const client = known.find(request, tried.subject);
      // Who is known is not held up by what strangers try; their own wrong ones count all the same.
      const most = client === undefined ? mostWrong[length] : Number.MAX_SAFE_INTEGER;
      const withinMs = 2 * hour;
      // Nothing is written for what is refused, but where many come at once: counting decides.
      if ((await rateCounters.look(use, key, withinMs)).count >= most) return 'link-only';
      const giveTryBack =
        client === undefined ? await takeOfClient('tries of a client', request) : await takeOfKnown(client);
      const counted = await rateCounters.count(use, key, { most, withinMs });
      if (counted.kind === 'full') {
        await giveTryBack();
        return 'link-only';
      }
      return {
        async settle(outcome) {
          if (outcome === 'wrong') return noteWrong(length, counted.count);
          await giveBack({ use, key, counted });
          // Used up by another one meanwhile: it was none.
          if (outcome === 'over') await giveTryBack();
        },
      };
    },
    digits,
  };
}

type Allowed = Parameters<RateCounters['count']>[2];

/** One that was counted, and may be given back. */
interface Taken {
  readonly use: string;
  readonly key: string;
  readonly counted: { readonly endsAt: number };
}
