import { isGuid } from '../../core/model/center/center-config.ts';
import { Problem, problems } from '../../core/model/problem.ts';
import { mayDo } from '../../core/model/staff/staff-member.ts';
import type { Task, TaskCreate, TaskUpdate } from '../../core/model/staff/task.ts';
import {
  draftOf,
  emptyCollaborator,
  emptyParameter,
  emptyTaskDraft,
  readTaskDraft,
  type TaskDraft,
} from '../../core/model/staff/task-draft.ts';
import {
  differences,
  type EditedTask,
  guidText,
  readTaskCreate,
  readTaskUpdate,
  statusUpdate,
} from '../../core/model/staff/task-form.ts';
import { note } from '../../pages/layout.ts';
import { cell, form, input, moment, shortId, table } from './blocks.ts';
import { type Call, found } from './guarded-router.ts';
import { withQuery } from './list.ts';
import type { Named } from './names.ts';
import { taskHref } from './page.ts';
import { faultNote, sentBefore, taskDiffers } from './plain.ts';
import { findTask, remember, type Turn, turnPage } from './task.ts';
import type { TaskChoices } from './task-fields.ts';
import { buildTaskFormPage, guidHint, type ShownTaskForm } from './task-form.ts';

/** Reads the choices of the form without a long wait: an id that is missing can still be typed. */
async function choicesFor(call: Call, isNew: boolean): Promise<TaskChoices> {
  const { log, notices, known, centerNames } = call;
  const recent = await log.recentTasks(call.member.id);
  const [centers, newest] = await Promise.all([
    isNew ? centerNames() : [],
    isNew ? notices.newest() : [],
    known.meet(recent),
  ]);
  return {
    people: withUnnamed(
      known.people(),
      newest.map(({ name, responsibleUserId: id }) => ({ id, name: `Responsible for “${name}”` })),
    ),
    organizations: withUnnamed(
      known.organizations(),
      newest.map(({ name, organizationId: id }) => ({ id, name: `Organization of “${name}”` })),
    ),
    parents: [
      { label: 'Preference centers', things: centers },
      { label: 'Privacy notices', things: newest },
      { label: 'Records of recent tasks', things: known.records() },
    ],
  };
}

async function showForm(call: Call, shown: ShownTaskForm): Promise<void> {
  const { task, trouble } = shown;
  const page = buildTaskFormPage(shown, await choicesFor(call, task === undefined));
  await call.show(page, trouble instanceof Problem ? answer(call, trouble) : trouble && 409);
}

/**
 * Redirects to the page of the task, which says what was done and where the platform's answer differs from
 * what was `sent`.
 */
async function goTo(
  call: Call,
  { task, was, sent }: { readonly task: Task; readonly was: string; readonly sent: TaskCreate | TaskUpdate },
): Promise<void> {
  await remember(call, task);
  const differs = differences(sent, task).join(',');
  call.response.redirect(303, withQuery(taskHref(task.id), { was, differs }));
}

export async function showTasks(call: Call): Promise<void> {
  const asked = call.query('id').trim();
  if (isGuid(asked)) return call.response.redirect(303, taskHref(asked.toLowerCase()));
  const mistakes = asked === '' ? [] : [{ field: 'id', text: guidText }];
  await call.show({
    title: 'Tasks',
    section: 'tasks',
    lead: ['The platform has no list of tasks: take one that you opened before, or open one by its id.'],
    links: mayDo(call.member, 'editor') ? [{ href: '/staff/tasks/new', label: 'New task' }] : [],
    mistakes,
    blocks: [
      table({
        id: 'recent',
        heading: 'Recently used by you',
        caption: 'Tasks that you used recently',
        columns: {
          Task: ({ id, name }) => cell(name || `Task ${shortId(id)}`, { href: taskHref(id) }),
          Used: ({ at }) => moment(at),
        },
        rows: await call.log.recentTasks(call.member.id),
        empty: 'You have not used a task yet. Each one that you open is listed here.',
      }),
      form({
        id: 'open',
        heading: 'Another one',
        method: 'get',
        action: '/staff/tasks',
        layout: 'line',
        fields: [
          input({
            id: 'id',
            label: 'Task id',
            value: asked,
            hint: guidHint,
          }),
        ],
        label: 'Open',
        tone: 'ordinary',
      }),
    ],
  });
}

export const showNewTask = (call: Call) => showForm(call, { draft: emptyTaskDraft });

export async function createTask(call: Call): Promise<void> {
  const { log, platform } = call;
  const draft = readTaskDraft(call.form);
  const show = (shown: Partial<ShownTaskForm>) => showForm(call, { draft, ...shown });
  const more = withRow(call, draft);
  if (more !== undefined) return show({ draft: more });
  const read = readTaskCreate(draft);
  if (read.kind === 'mistakes') return show({ mistakes: read.mistakes });
  if (!(await log.claimForm(call.nonce))) {
    const known = await log.formResult(call.nonce);
    if (known === undefined) return show({ trouble: sentBefore });
    const task = await attempt(() => platform.findTask(known));
    if (!(task instanceof Problem) && differences(read.task, task).length > 0)
      return show({ trouble: taskDiffers });
    return call.response.redirect(303, taskHref(known));
  }
  const made = await attempt(() => platform.createTask(read.task));
  if (made instanceof Problem) {
    if (!made.answerLost) await log.releaseForm(call.nonce);
    return show({ trouble: made });
  }
  await log.finishForm(call.nonce, made.id);
  call.about(made.id);
  await goTo(call, { task: made, was: 'created', sent: read.task });
}

export async function showTaskForm(call: Call): Promise<void> {
  const task = await findTask(call);
  await showForm(call, { task, draft: draftOf(task) });
}

export async function editTask(call: Call): Promise<void> {
  const draft = readTaskDraft(call.form);
  const before = await attempt(() => findTask(call));
  const task = before instanceof Problem ? standIn(call.parameter('id'), draft) : before;
  const show = (shown: Partial<ShownTaskForm>) => showForm(call, { task, draft, ...shown });
  const more = withRow(call, draft);
  if (more !== undefined) return show({ draft: more });
  // The draft cannot be checked against the task, but the form shows all of it again.
  if (before instanceof Problem) return show({ trouble: before });
  const read = readTaskUpdate(draft, task);
  if (read.kind === 'mistakes') return show({ mistakes: read.mistakes });
  const made = await attempt(() => call.platform.updateTask(task.id, read.task));
  if (made instanceof Problem) return show({ trouble: made });
  await goTo(call, { task: made, was: 'saved', sent: read.task });
}

export const askTurn = (turn: Turn) => async (call: Call) =>
  call.show(turnPage(turn, { task: await findTask(call) }));

export const takeTurn = (turn: Turn) => async (call: Call) => {
  const { status, was } = turn;
  const task = await findTask(call);
  const sent = statusUpdate(task, status);
  const made = await attempt(() => call.platform.updateTask(task.id, sent));
  if (made instanceof Problem)
    return call.show(turnPage(turn, { task, told: faultNote(made, 'update') }), answer(call, made));
  if (made.status === status) return goTo(call, { task: made, was, sent });
  const line = `The platform answered, but the task is not ${status}.`;
  const told = note('problem', 'The status has not changed', line);
  await call.show(turnPage(turn, { task: made, told }), 502);
};

/** Adds things that only a notice mentions, named after that notice until a task gives their own name. */
function withUnnamed<Thing extends Named>(
  named: readonly Thing[],
  others: readonly { readonly id: string | undefined; readonly name: string }[],
): readonly (Thing | Named)[] {
  const unnamed = others.flatMap(({ id, name }) => (id === undefined ? [] : { id: id.toLowerCase(), name }));
  const byId = Map.groupBy([...named, ...unnamed], ({ id }) => id);
  return [...byId.values()].flatMap(([first]) => first ?? []);
}

/** The draft with one more row if a button asked for it; undefined if the form was sent. */
function withRow({ form }: Call, draft: TaskDraft): TaskDraft | undefined {
  const action = form['action']?.at(-1);
  if (action === 'add-collaborator')
    return { ...draft, collaborators: [...draft.collaborators, emptyCollaborator] };
  if (action === 'add-parameter') return { ...draft, parameters: [...draft.parameters, emptyParameter] };
  return undefined;
}

/** The result, or the problem if the page itself can explain it. Any other fault is thrown. */
async function attempt<T>(run: () => Promise<T | undefined>): Promise<T | Problem> {
  try {
    return found(await run());
  } catch (fault) {
    if (fault instanceof Problem && !['not-found', 'store-unavailable'].includes(fault.code)) return fault;
    throw fault;
  }
}

/** The status for the problem. Also sets the header Retry-After. */
function answer({ response }: Call, { code, retryAfter }: Problem): number {
  if (retryAfter !== undefined) response.setHeader('Retry-After', Math.max(1, Math.ceil(retryAfter)));
  return code === 'platform-refused' ? 422 : problems[code].status;
}

/** The parts of a task that its form needs, while the platform does not give the task. */
function standIn(id: string, { taskName }: TaskDraft): EditedTask {
  return { id, taskName, description: undefined, sourceType: undefined, assignments: [] };
}
