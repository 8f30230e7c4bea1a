import type { TaskCreate } from './task.ts';

/**
 * The task for a withdrawal that cannot be saved on the platform. It names the submission, but no personal
 * data.
 */
export function stuckTaskOf(stuck: {
  readonly reference: string;
  readonly center: string;
  /** Epoch milliseconds. */
  readonly submittedAt: number;
  /** The platform's organization that gets the task. */
  readonly organization: string;
  /** Address of the submission on the staff pages. */
  readonly address: string;
}): TaskCreate {
  const { reference, submittedAt, address } = stuck;
  return {
    parentEntityId: stuck.center,
    taskName: `A withdrawal was not carried out: ${reference}`,
    description: `Sayso could not carry out this withdrawal and goes on trying. What was asked, and what the platform answered: ${address}. This task is closed when the withdrawal is on record.`,
    orgGroupId: stuck.organization,
    taskTypeNameKey: 'Issue',
    deadline: new Date(oneMonthAfter(submittedAt)).toISOString(),
    context: { parameters: { reference } },
    moduleSource: 'ISSUE',
    priority: 'high',
  };
}

/**
 * The deadline of GDPR Art. 12(3), one month later in UTC: the last day of the next month if that month has
 * no such day.
 */
export function oneMonthAfter(at: number): number {
  const then = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC');
  return then.add({ months: 1 }).epochMilliseconds;
}
