import { Problem } from '../core/model/problem.ts';
import { stuckTaskOf } from '../core/model/staff/stuck-task.ts';
import { statusUpdate } from '../core/model/staff/task-form.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Platform } from '../ports/platform.ts';
import type { StuckTask, StuckTasks } from '../ports/stuck-tasks.ts';
import { createTicks } from '../queue/ticks.ts';
import { failed, type Log } from './log.ts';

/** `refused`: surely no task was made, and it is tried again. `lost`: unknown, and it is not tried again. */
export type StuckOutcome = 'made' | 'refused' | 'lost' | 'closed';

export interface StuckTaskOptions {
  readonly platform: Pick<Platform, 'createTask' | 'findTask' | 'updateTask' | 'listNotices'>;
  readonly tasks: StuckTasks;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly log: Log;
  /** Milliseconds that a withdrawal may wait. */
  readonly stuckAfter: number;
  /** The organization of the platform for tasks; undefined: that of its first privacy notice. */
  readonly organization: string | undefined;
  readonly addressOf: (reference: string) => string;
  readonly count: (outcome: StuckOutcome, times: number) => void;
}

const minute = 60_000;
const pauseAfterRefusal = 5 * minute;
/** An id that no task has. */
const noTask = '00000000-0000-4000-8000-000000000000';
/** Tasks in one run, which begins once a minute, or sooner if `stuckAfter` is short. */
const mostInRun = 100;
/** The longest duration of a call. */
const callLife = 10 * minute;
const background = { priority: 'background' } as const;

/**
 * Makes a task on the platform for each withdrawal that waits too long, and closes it when the withdrawal is
 * done. The platform finds a task by its id alone: after a lost answer there may be one or none, and no other
 * is made.
 */
export function createStuckTasks(options: StuckTaskOptions) {
  const { platform, tasks, clock, timer, log, count } = options;
  /** Tasks that are made and not stored yet, because the store was away. */
  const unwritten = new Map<string, string>();
  const pause = Math.min(minute, Math.max(1_000, options.stuckAfter / 4));
  let isClosing = false;
  let running: Promise<void> = Promise.resolve();
  const ticks = createTicks(timer, async () => {
    running = run().catch((fault: unknown) => {
      log.warn(failed(fault), 'a run for tasks of stuck withdrawals failed');
    });
    await running;
    return pause;
  });

  /** Resolves to false if the next task must not be tried now. */
  async function make(stuck: StuckTask): Promise<boolean> {
    const { reference } = stuck;
    let organization: string | undefined;
    try {
      // A reading comes first: a platform that answers it is likely to answer the creation, too.
      await platform.findTask(noTask);
      organization = options.organization ?? (await firstOrganization());
    } catch (fault) {
      return refused(reference, failed(fault));
    }
    if (organization === undefined) return refused(reference, { code: 'TASK_ORGANIZATION is missing' });
    const asked = stuckTaskOf({ ...stuck, organization, address: options.addressOf(reference) });
    try {
      const { id } = await platform.createTask(asked, background);
      log.warn({ reference, task: id }, 'a withdrawal is stuck: there is a task for it');
      count('made', 1);
      unwritten.set(reference, id);
    } catch (fault) {
      if (!(fault instanceof Problem) || fault.answerLost) {
        log.warn(
          { reference, ...failed(fault) },
          'a withdrawal is stuck: whether it has a task is not known',
        );
        count('lost', 1);
        await tasks.lost(reference);
        return false;
      }
      return refused(reference, failed(fault));
    }
    await writeMade();
    return true;
  }

  async function writeMade(): Promise<void> {
    for (const [reference, task] of unwritten) {
      await tasks.made(reference, task);
      unwritten.delete(reference);
    }
  }

  async function refused(reference: string, why: object): Promise<false> {
    log.warn({ reference, ...why }, 'a withdrawal is stuck, and its task could not be made');
    count('refused', 1);
    await tasks.putOff(reference, clock.now() + pauseAfterRefusal);
    return false;
  }

  async function firstOrganization(): Promise<string | undefined> {
    const { notices } = await platform.listNotices({ page: 0, size: 50 });
    return notices.find(({ organizationId }) => organizationId !== undefined)?.organizationId;
  }

  async function close({ reference, task }: StuckTask): Promise<void> {
    const found = task === undefined ? undefined : await platform.findTask(task);
    if (found !== undefined && found.status !== 'closed') {
      const made = await platform.updateTask(found.id, statusUpdate(found, 'closed'));
      // The task is read again later.
      if (made !== undefined && made.status !== 'closed') return;
    }
    count('closed', 1);
    await tasks.closed(reference);
  }

  async function run(): Promise<void> {
    await writeMade();
    const lost = await tasks.giveUp(clock.now() - callLife);
    if (lost > 0) {
      log.warn({ count: lost }, 'withdrawals are stuck: whether they have tasks is not known');
      count('lost', lost);
    }
    for (let tries = 0; !isClosing && tries < mostInRun; tries += 1) {
      const now = clock.now();
      const over = await tasks.nextToClose({ now, again: now + callLife });
      if (over === undefined) break;
      const isClosed = await close(over).then(
        () => true,
        (fault: unknown) =>
          log.warn({ reference: over.reference, ...failed(fault) }, 'a task is not closed yet'),
      );
      if (isClosed !== true) break;
    }
    for (let tries = 0; !isClosing && tries < mostInRun; tries += 1) {
      const now = clock.now();
      const stuck = await tasks.claim({ now, before: now - options.stuckAfter });
      if (stuck === undefined || !(await make(stuck))) break;
    }
  }

  return {
    start: ticks.start,
    run,
    async close() {
      isClosing = true;
      ticks.stop();
      await running;
    },
  };
}
