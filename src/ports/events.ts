import type { CenterEvent, EventStop, EventType } from '../core/model/center-event.ts';
import type { SubjectId } from '../core/model/subject.ts';
import type { LeasedQueue, SendResult } from './leased-queue.ts';
import type { Maintained } from './maintained.ts';

/** What is told of submissions: kept by the journal in the transaction that writes them. Times are epoch milliseconds. */
export interface Events extends EventFeed, EventQueue, Maintained {
  close(): Promise<void>;
}

/** For those who ask. */
export interface EventFeed {
  /**
   * Of a center, in an order that never changes and has no gaps: a reader who goes on after the last position they have seen
   * misses none, however many are written meanwhile.
   */
  page(center: string, part: { readonly after: number; readonly limit: number }): Promise<EventPage>;
  /** False when that center has no such event, or no more. Once for each name. */
  stopped(center: string, id: string, stop: EventStop): Promise<boolean>;
  /** Who acknowledged what a submission withdrew, in the order of their acknowledgements. */
  stopsOf(reference: string): Promise<readonly EventStop[]>;
  /** Whether the journal has nothing against it, one by one. */
  mayUse(center: string, purpose: string, subjects: readonly SubjectId[]): Promise<MayUse>;
}

/** An event counts from 1 in its center. */
export interface EventPage {
  readonly events: readonly { readonly position: number; readonly event: CenterEvent | undefined }[];
  /** What came up to it, this included, is no longer kept. */
  readonly goneUpTo: number;
  /** Of the newest one. */
  readonly last: number;
}

export interface MayUse {
  /** Withdrawals that were accepted from then on are known. */
  readonly since: number;
  readonly answers: readonly boolean[];
}

/** For those who are called: of each person and receiver one event at a time, in their order, in all processes. */
export interface EventQueue extends LeasedQueue<QueuedEvent> {
  /** Nothing is claimed for it until it is to be sent again. */
  stop(receiver: string, now: number): Promise<void>;
  /** Holds what has been tried without success since before then. */
  hold(receiver: string, before: number): Promise<void>;
  /** What is held, and what waits, is due; of a receiver that was stopped, too. */
  sendAgain(receiver: string, now: number): Promise<void>;
  /** In the order asked; of more than `most` events no more are counted. */
  queuesOf(receivers: readonly string[], most: number): Promise<readonly EventQueueCounts[]>;
}

export interface QueuedEvent {
  readonly receiver: string;
  /** Of the person's queue; says nothing of them. */
  readonly person: string;
  readonly sequence: number;
  readonly owner: string;
  /** Before this one. */
  readonly attempts: number;
  /** When it became the first of the person's queue. */
  readonly since: number;
  /** undefined: no key opens it. */
  readonly event: CenterEvent | undefined;
}

export interface EventQueueCounts {
  readonly receiver: string;
  /** Events that were not sent yet, those of held people included. */
  readonly waiting: number;
  /** People whose first event is held. */
  readonly held: number;
  /** Since when the oldest first one waits. */
  readonly oldestAt: number | undefined;
  readonly stoppedAt: number | undefined;
  /** Of the last one that was postponed and still waits. */
  readonly problem: string | undefined;
}

/** Who is told of what is submitted in a center. */
export interface EventRoute {
  readonly receivers: readonly { readonly id: string; readonly types: readonly EventType[] }[];
}

/** undefined: no receiver, and no event of that center is kept. */
export type EventRoutes = (center: string) => EventRoute | undefined;

export interface WebhookMessage {
  readonly url: string;
  /** Each in base64; all of them sign. */
  readonly secrets: readonly string[];
  /** The same whenever it is sent again. */
  readonly id: string;
  readonly body: string;
}

/** Webhooks after Standard Webhooks. Never throws. */
export interface WebhookSender {
  send(message: WebhookMessage): Promise<SendResult>;
  /** Ends what is on its way. */
  close(): Promise<void>;
}
