import type { Task } from '../../../core/model/staff/task.ts';
import type { Note } from '../../../pages/layout.ts';
import type { StaffPage } from '../../../pages/staff-page.ts';
import { form, staffPage } from './blocks.ts';
import type { StaffPageContext } from './layout.ts';
import { taskHref } from './task-form.ts';

/** Closing and opening again: one page, one button. */
export function buildTurnPage(
  pageContext: StaffPageContext,
  given: {
    readonly task: Task;
    readonly turn: 'close' | 'reopen';
    readonly token: string;
    readonly notes: readonly Note[];
  },
): StaffPage {
  const { task, turn, token } = given;
  const path = taskHref(task.id);
  const cut =
    task.taskName.length >= 255
      ? [
          'An update must carry the name, and the platform gives out 255 characters of it: a longer name would be cut to these.',
        ]
      : [];
  return staffPage(pageContext, {
    title: turn === 'close' ? 'Close this task?' : 'Open this task again?',
    section: 'tasks',
    crumbs: [{ href: path, label: task.taskName || task.id }],
    lead: [
      turn === 'close'
        ? `“${task.taskName}” will have the status Closed. It can be opened again at any time.`
        : `“${task.taskName}” will have the status Open.`,
      ...cut,
    ],
    notes: given.notes,
    blocks: [
      form({
        id: 'turn',
        action: `${path}/${turn}`,
        token,
        label: turn === 'close' ? 'Close the task' : 'Open the task again',
        links: [{ href: path, label: 'Leave it as it is' }],
      }),
    ],
  });
}
