import type { SubjectId } from '../core/model/person/subject.ts';
import type { EventStop, EventType, KeptEvent } from '../core/model/submission/center-event.ts';
import type { Leased, LeasedQueue, SendResult } from './leased-queue.ts';
import type { Maintained } from './maintained.ts';

/**
 * Events of submissions: the journal stores them in the transaction that writes the submission. Times are
 * epoch milliseconds.
 */
export interface Events extends EventQueue, Maintained {
  /**
   * Events of a center, in an order that never changes and has no gaps: a reader that goes on after the last
   * position seen misses none.
   */
  page(center: string, part: { readonly after: number; readonly limit: number }): Promise<EventPage>;
  /**
   * Notes that a receiver has stopped. False if that center has no such event any more. Once for each name.
   */
  stopped(center: string, id: string, stop: EventStop): Promise<boolean>;
  /** Receivers that acknowledged the withdrawals of a submission, in the order of their acknowledgements. */
  stopsOf(reference: string): Promise<readonly EventStop[]>;
  /** Whether the journal allows the use of a purpose, for each person. */
  mayUse(center: string, purpose: string, subjects: readonly SubjectId[]): Promise<MayUse>;
}

/** Positions count from 1 in each center. */
export interface EventPage {
  readonly events: readonly { readonly position: number; readonly event: KeptEvent | undefined }[];
  /** Events up to this position are no longer kept. */
  readonly goneUpTo: number;
  /** Position of the newest event. */
  readonly last: number;
}

export interface MayUse {
  /** Withdrawals accepted since then are known. */
  readonly since: number;
  readonly answers: readonly boolean[];
}

/**
 * For receivers that are called: one event at a time for each person and receiver, in order, over all
 * processes.
 */
export interface EventQueue extends LeasedQueue<QueuedEvent> {
  /** Claims nothing for the receiver until `sendAgain`. */
  stop(receiver: string, now: number): Promise<void>;
  /** Holds events that have failed since before then. */
  hold(receiver: string, before: number): Promise<void>;
  /** Makes held and waiting events due, also for a stopped receiver. */
  sendAgain(receiver: string, now: number): Promise<void>;
  /** Counts of receivers, in the order asked; at most `most` events are counted. */
  queuesOf(receivers: readonly string[], most: number): Promise<readonly EventQueueCounts[]>;
}

export interface QueuedEvent extends Leased {
  readonly receiver: string;
  /** Id of the person's queue; tells nothing about the person. */
  readonly person: string;
  /** undefined: no key opens it. */
  readonly event: KeptEvent | undefined;
}

export interface EventQueueCounts {
  readonly receiver: string;
  /** The number of events not sent yet, including those of held people. */
  readonly waiting: number;
  /** People whose first event is held. */
  readonly held: number;
  /** The time from which the oldest first event waits. */
  readonly oldestAt: number | undefined;
  readonly stoppedAt: number | undefined;
  /** Problem of the last event that was postponed and still waits. */
  readonly problem: string | undefined;
}

/** The receivers of a center's events. */
export interface EventRoute {
  readonly receivers: readonly { readonly id: string; readonly types: readonly EventType[] }[];
}

/** undefined: no receiver, and no event of that center is kept. */
export type EventRoutes = (center: string) => EventRoute | undefined;

/** Sends webhooks (Standard Webhooks). Never throws. */
export interface WebhookSender {
  send(message: {
    readonly url: string;
    /** Secrets in base64; all of them sign. */
    readonly secrets: readonly string[];
    /** The id of the message, the same in each repetition. */
    readonly id: string;
    readonly body: string;
  }): Promise<SendResult>;
  /** Ends running calls. */
  close(): Promise<void>;
}
