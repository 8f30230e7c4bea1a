import type { TaskCreate } from './task.ts';

/** The task for a withdrawal that could not be carried out: it names the submission, and nothing of the person. */
export function stuckTaskOf(stuck: {
  readonly reference: string;
  readonly center: string;
  /** Epoch milliseconds. */
  readonly submittedAt: number;
  /** The organization of the platform that the task is for. */
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

/** GDPR Art. 12(3): within one month. The last day of the next month where that has no such day. UTC. */
export function oneMonthAfter(at: number): number {
  const then = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC');
  return then.add({ months: 1 }).epochMilliseconds;
}
