import type { Task } from '../../core/model/staff/task.ts';
import type { Note } from '../../pages/layout.ts';
import { form } from './blocks.ts';
import type { Page } from './page.ts';
import { taskHref } from './task-form.ts';

/** Closing and opening again: one page, one button. */
export const turns = [
  {
    verb: 'close',
    status: 'closed',
    /** For the audit log. */
    does: 'closed a task',
    /** In the address of the task's page. */
    was: 'closed',
    title: 'Close this task?',
    lead: 'will have the status Closed. It can be opened again at any time.',
    label: 'Close the task',
  },
  {
    verb: 'reopen',
    status: 'open',
    does: 'opened a task again',
    was: 'reopened',
    title: 'Open this task again?',
    lead: 'will have the status Open.',
    label: 'Open the task again',
  },
] as const;

export function turnPage(
  { verb, title, lead, label }: (typeof turns)[number],
  { task, told }: { readonly task: Task; readonly told?: Note },
): Page {
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
    notes: [told],
    blocks: [
      form({
        id: 'turn',
        action: `${path}/${verb}`,
        label,
        links: [{ href: path, label: 'Leave it as it is' }],
      }),
    ],
  };
}
