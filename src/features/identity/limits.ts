import type { Request } from 'express';
import { type CodeAnswer, type PasscodeDigits, passcodeDigits } from '../../core/model/person/passcode.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import { messageLife } from '../../pages/person/sign-in.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Allowed, Counted, RateCounters } from '../../ports/rate-counters.ts';
import { createClientRates, orRefuse, tooMany } from '../../web/client-rates.ts';
import type { KnownClients } from './known-clients.ts';

interface Receiver {
  readonly center: string;
  readonly subject: SubjectId;
}

/** `hasLink`: the visitor has a link that was made for the receiver. */
type MessageTo = Receiver & { readonly hasLink: boolean };

export type Limits = ReturnType<typeof createLimits>;

export interface LimitsObserver {
  wrongPasscode(): void;
  /**
   * `none`: no further message may go to this address now. `refused`: the limit of the client or of the
   * installation is reached.
   */
  message(outcome: 'sent' | 'none' | 'refused'): void;
  /** A log line for operators. */
  alert(event: string): void;
}

const minute = 60_000;
const hour = 60 * minute;

/** Limits of a client's smallest network; wider networks may have a multiple. */
const clientLimits = {
  'messages of a client': { most: 40, withinMs: hour },
  'tries of a client': { most: 40, withinMs: 10 * minute },
  'hosted links of a client': { most: 120, withinMs: 10 * minute },
} as const;

/**
 * Limits of messages to one receiver by the proof of the sender: each known browser, the links and staff
 * count apart.
 */
const proofLimit = { use: 'messages by proof', most: 6, withinMs: hour };
const staffLimit = { most: 3, withinMs: hour };

/**
 * Limits of messages to one receiver from strangers: the first ones of an hour, then one in each quarter of
 * an hour.
 */
const strangerLimits = [
  { use: 'messages to an address', most: 2, withinMs: hour, minutes: messageLife },
  // When the next one may be sent, this one is still valid for the usual life.
  { use: 'sparse messages to an address', most: 1, withinMs: 15 * minute, minutes: 15 + messageLife },
] as const;

/** From this many wrong passcodes in an hour, in the whole installation, new passcodes are longer. */
const attackFrom = 50;
/** From this many wrong passcodes of a length on, unknown clients can no longer use passcodes of it. */
const mostWrong: Readonly<Record<PasscodeDigits, number>> = { 6: 200, 8: 5_000 };

/**
 * Limits of sign-in messages and tries, by client, network, receiver and installation. They are the same for
 * every address, known or unknown. Figures and reasons: docs/security.md.
 */
export function createLimits(parts: {
  readonly rateCounters: Pick<RateCounters, 'count' | 'giveBack' | 'look'>;
  readonly known: Pick<KnownClients, 'find'>;
  readonly clock: Clock;
  /** Messages in an hour, in the whole installation: to unknown clients, and as many again to the others. */
  readonly mostMessages: number;
  readonly observer: LimitsObserver;
}) {
  const { rateCounters, known, clock, mostMessages, observer } = parts;
  let lastDigits: PasscodeDigits | undefined;
  let alertedAt = Number.NEGATIVE_INFINITY;
  const clientRates = createClientRates(parts);

  const countForClient = (use: keyof typeof clientLimits, request: Request) =>
    clientRates.take(use, request.ip ?? '', clientLimits[use]);

  /** Counts a try of a known client and returns the function that undoes the count. */
  async function countForKnown(client: string): Promise<() => Promise<void>> {
    const use = 'tries of a known client';
    const counted = orRefuse(await rateCounters.count(use, client, clientLimits['tries of a client']));
    return () => rateCounters.giveBack(use, client, counted);
  }

  /**
   * Counts a message to a receiver, and then one of the installation. undefined: the receiver gets no more.
   * If the installation sends no more, the count of the receiver is undone, so that a message that is not
   * sent does not use up their limit.
   */
  async function countMessage(
    sender: 'known' | 'unknown',
    { use, key, ...allowed }: Allowed & { readonly use: string; readonly key: string },
  ): Promise<Counted | undefined> {
    const own = await rateCounters.count(use, key, allowed);
    if (own.kind === 'full') return undefined;
    const counted = await rateCounters.count('all messages', sender, { most: mostMessages, withinMs: hour });
    if (counted.kind === 'counted') return counted;
    alertFull();
    await rateCounters.giveBack(use, key, own);
    return counted;
  }

  function alertFull(): void {
    if (clock.now() - alertedAt < hour) return;
    alertedAt = clock.now();
    observer.alert('the bound of sign-in messages is reached');
  }

  async function allow(request: Request, { center, subject, hasLink }: MessageTo) {
    const receiver = `${center} ${subject}`;
    const client = known.find(request, subject);
    const proofs = [
      ...(client === undefined ? [] : [`browser ${client} ${receiver}`]),
      ...(hasLink ? [`link ${receiver}`] : []),
    ];
    for (const key of proofs) {
      const counted = await countMessage('known', { ...proofLimit, key });
      if (counted?.kind === 'counted')
        return { kind: 'message', minutes: messageLife, isShared: false } as const;
    }
    const { count, leftMs } = await rateCounters.look('all messages', 'unknown', hour);
    if (count >= mostMessages) {
      alertFull();
      throw tooMany(leftMs);
    }
    await countForClient('messages of a client', request);
    for (const { minutes, ...allowed } of strangerLimits) {
      const counted = await countMessage('unknown', { ...allowed, key: receiver });
      if (counted === undefined) continue;
      orRefuse(counted);
      return { kind: 'message', minutes, isShared: true } as const;
    }
    return { kind: 'none' } as const;
  }

  const useOf = (digits: PasscodeDigits) => `wrong passcodes of ${digits} digits`;
  const hourNow = () => Math.floor(clock.now() / hour);

  /** The length of new passcodes. */
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
    /**
     * Decides whether a message may be sent. `minutes` is its life. `isShared`: a later visitor who asks for
     * the same receiver gets this message when no further one may be sent. `none`: no further message may be
     * sent now. Throws too-many-requests, like the other limits.
     */
    async message(request: Request, to: MessageTo) {
      try {
        const allowance = await allow(request, to);
        observer.message(allowance.kind === 'none' ? 'none' : 'sent');
        return allowance;
      } catch (fault) {
        if (fault instanceof Problem && fault.code === 'too-many-requests') observer.message('refused');
        throw fault;
      }
    },
    /** Counts a link that staff mail. */
    async staffMessage({ center, subject }: Receiver): Promise<void> {
      orRefuse(await rateCounters.count(proofLimit.use, `staff ${center} ${subject}`, staffLimit));
    },
    /** Counts the look-up of a hosted-page link before it is made. */
    async hostedLink(request: Request): Promise<void> {
      await countForClient('hosted links of a client', request);
    },
    /**
     * Counts the try of a passcode before it is made. `link-only`: passcodes of this length are not accepted
     * now.
     */
    async attempt(
      request: Request,
      { subject, digits: length }: { subject: SubjectId; digits: PasscodeDigits },
    ) {
      const [use, key] = [useOf(length), String(hourNow())];
      const client = known.find(request, subject);
      // Strangers' tries never block a known client, but its own wrong tries count.
      const most = client === undefined ? mostWrong[length] : Number.MAX_SAFE_INTEGER;
      const withinMs = 2 * hour;
      // This look avoids writes for refused tries. Under parallel requests the count below decides.
      if ((await rateCounters.look(use, key, withinMs)).count >= most) return 'link-only' as const;
      const undoTry =
        client === undefined
          ? await countForClient('tries of a client', request)
          : await countForKnown(client);
      const counted = await rateCounters.count(use, key, { most, withinMs });
      if (counted.kind === 'full') {
        await undoTry();
        return 'link-only' as const;
      }
      // The try counts as wrong until it is settled, so that parallel tries cannot pass the limit.
      return {
        /** Reports the outcome, and undoes counts that it does not deserve. */
        async settle(outcome: CodeAnswer['kind']): Promise<void> {
          if (outcome === 'wrong') return noteWrong(length, counted.count);
          await rateCounters.giveBack(use, key, counted);
          // Another try used up the passcode meanwhile, so this one does not count.
          if (outcome === 'over') await undoTry();
        },
      };
    },
    digits,
  };
}
