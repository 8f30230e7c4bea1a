import type { Task, TaskStatus } from '../../core/model/staff/task.ts';
import type { Note } from '../../pages/layout.ts';
import { form, note } from './blocks.ts';
import type { Page } from './page.ts';
import { taskHref } from './task-form.ts';

/** Closing and opening again: one page, one button. */
export const turns = {
  close: {
    status: 'closed',
    /** For the audit log. */
    does: 'closed a task',
    /** In the address of the task's page. */
    was: 'closed',
    title: 'Close this task?',
    lead: 'will have the status Closed. It can be opened again at any time.',
    label: 'Close the task',
  },
  reopen: {
    status: 'open',
    does: 'opened a task again',
    was: 'reopened',
    title: 'Open this task again?',
    lead: 'will have the status Open.',
    label: 'Open the task again',
  },
} as const;

export function turnPage(given: {
  readonly task: Task;
  readonly turn: keyof typeof turns;
  readonly notes: readonly Note[];
}): Page {
  const { task, turn, notes } = given;
  const { title, lead, label } = turns[turn];
  const path = taskHref(task.id);
  return {
    title,
    section: 'tasks',
    crumbs: [{ href: path, label: task.taskName || task.id }],
    lead: [
      `“${task.taskName}” ${lead}`,
      task.taskName.length >= 255 &&
        'An update must carry the name, and the platform gives out 255 characters of it: a longer name would be cut to these.',
    ],
    notes,
    blocks: [
      form({
        id: 'turn',
        action: `${path}/${turn}`,
        label,
        links: [{ href: path, label: 'Leave it as it is' }],
      }),
    ],
  };
}

export const notTurned = (status: TaskStatus) =>
  note('problem', 'The status has not changed', [`The platform answered, but the task is not ${status}.`]);
