import type { Maintained } from './maintained.ts';

/**
 * The one task on the platform of a withdrawal that could not be carried out. Times are epoch milliseconds.
 */
export interface StuckTask {
  readonly reference: string;
  readonly center: string;
  /** The time of the submission. */
  readonly submittedAt: number;
  /**
   * `making`: a call may be under way; `due`: surely no task was made; `lost`: unknown whether there is one,
   * and no other is made; `open` and `closed`: there is one.
   */
  readonly state: 'making' | 'due' | 'lost' | 'open' | 'closed';
  /** The task's id on the platform; undefined while it is not known. */
  readonly task: string | undefined;
}

/** Tasks for withdrawals that are stuck, shared by all processes. Each method is durable when it resolves. */
export interface StuckTasks extends Maintained {
  /**
   * The next withdrawal that waits since `before` or longer and has no task, marked as `making`: no other
   * caller gets it, unless it is put off.
   */
  claim(which: { readonly now: number; readonly before: number }): Promise<StuckTask | undefined>;
  made(reference: string, task: string): Promise<void>;
  lost(reference: string): Promise<void>;
  /** Surely no task was made: it is claimed again at `dueAt`. */
  putOff(reference: string, dueAt: number): Promise<void>;
  /** Marks tasks that are `making` since `before` as `lost`: their process ended. Gives how many. */
  giveUp(before: number): Promise<number>;
  /** The next open task whose withdrawal is done or no longer kept; it is due again at `again`. */
  nextToClose(which: { readonly now: number; readonly again: number }): Promise<StuckTask | undefined>;
  closed(reference: string): Promise<void>;
  find(reference: string): Promise<StuckTask | undefined>;
}
