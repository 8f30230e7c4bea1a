import { Problem } from '../core/model/problem.ts';
import { stuckTaskOf } from '../core/model/stuck-task.ts';
import { statusUpdate } from '../core/model/task-form.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Platform } from '../ports/platform.ts';
import type { StuckTask, StuckTasks } from '../ports/stuck-tasks.ts';
import { failed, type Log } from './log.ts';

/** `refused`: surely none was made, and it is tried again; `lost`: not known, and it is not. */
export type StuckOutcome = 'made' | 'refused' | 'lost' | 'closed';

export interface StuckTaskOptions {
  readonly platform: Pick<Platform, 'createTask' | 'findTask' | 'updateTask' | 'listNotices'>;
  readonly tasks: StuckTasks;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly log: Log;
  /** Milliseconds that a withdrawal may wait. */
  readonly stuckAfter: number;
  /** Of the platform; undefined: that of its first privacy notice. */
  readonly organization: string | undefined;
  readonly addressOf: (reference: string) => string;
  readonly count: (outcome: StuckOutcome, times: number) => void;
}

const minute = 60_000;
const pauseAfterRefusal = 5 * minute;
/** Of no task. */
const noTask = '00000000-0000-4000-8000-000000000000';
/** In one run, which begins once a minute, or sooner where `stuckAfter` is short. */
const mostInRun = 100;
/** No call lasts longer. */
const callLife = 10 * minute;
const background = { priority: 'background' } as const;

/**
 * Makes a task on the platform for each withdrawal that waits too long, and closes it when that is done. The platform
 * cannot be asked for a task by anything but its id: after a lost answer there may be one or none, and no other is made.
 */
export function createStuckTasks(options: StuckTaskOptions) {
  const { platform, tasks, clock, timer, log, count } = options;
  /** Made, and not written down yet: the store was away. */
  const unwritten = new Map<string, string>();
  const pause = Math.min(minute, Math.max(1_000, options.stuckAfter / 4));
  let isClosing = false;
  let running: Promise<void> = Promise.resolve();
  let cancel: (() => void) | undefined;

  /** False where the next one should not be tried now. */
  async function make(stuck: StuckTask): Promise<boolean> {
    const { reference } = stuck;
    let organization: string | undefined;
    try {
      // Nothing is sent to a platform that is away: who can read tasks is likely to answer for a new one.
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
      // It is looked at again later.
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

  function start(): void {
    running = run()
      .catch((fault: unknown) => log.warn(failed(fault), 'tasks of stuck withdrawals wait'))
      .then(() => {
        if (!isClosing) cancel = timer.after(pause, start);
      });
  }

  return {
    start,
    run,
    async close() {
      isClosing = true;
      cancel?.();
      await running;
    },
  };
}
