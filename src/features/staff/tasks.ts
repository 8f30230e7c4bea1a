import { isGuid } from '../../core/model/center/center-config.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Task } from '../../core/model/staff/task.ts';
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
  readTaskCreate,
  readTaskUpdate,
  statusUpdate,
} from '../../core/model/staff/task-form.ts';
import type { Note } from '../../pages/layout.ts';
import type { Platform } from '../../ports/platform.ts';
import type { StaffLog } from '../../ports/staff-log.ts';
import type { Call, GuardedRouter } from './guarded-router.ts';
import type { KnownThings } from './known-things.ts';
import type { NoticeReader } from './names.ts';
import { withQuery } from './pages/list.ts';
import type { CenterNames, Named } from './pages/names.ts';
import type { TaskChoices } from './pages/task-choices.ts';
import { buildTaskFormPage, taskHref } from './pages/task-form.ts';
import { faultNote, sentBefore } from './pages/task-notes.ts';
import { buildTurnPage } from './pages/task-status.ts';
import { buildTaskPage, buildTasksPage, type TaskPageInput } from './pages/tasks.ts';

export interface TaskParts {
  readonly platform: Pick<Platform, 'createTask' | 'findTask' | 'updateTask'>;
  readonly log: StaffLog;
}

/** What is chosen from, in place of typing ids. */
export interface TaskHelpers {
  readonly notices: NoticeReader;
  readonly known: KnownThings;
  readonly centerNames: () => Promise<CenterNames>;
}

/** Tasks: opened by id, created, edited, closed and opened again. */
export function addTasks(guarded: GuardedRouter, parts: TaskParts & TaskHelpers): void {
  const { platform, log, notices, known, centerNames } = parts;

  async function findTask(call: Call): Promise<Task> {
    const task = await platform.findTask(call.parameter('id'));
    if (task === undefined) throw new Problem('not-found');
    known.note(task);
    return task;
  }

  /** None of it is waited for long: whatever is not there can still be typed. */
  async function choicesFor(call: Call, isNew: boolean): Promise<TaskChoices> {
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

  async function showForm(call: Call, shown: ShownForm, status = 200): Promise<void> {
    const { task, draft, mistakes = [], notes = [], mayExist = false } = shown;
    const choices = await choicesFor(call, task === undefined);
    const given = { task, draft, choices, mistakes, notes, mayExist, token: call.token() };
    await call.show(buildTaskFormPage(call.pageContext, given), status);
  }

  async function parentNameOf({ parentEntityId: id }: Task): Promise<string | undefined> {
    if (id === undefined) return undefined;
    const center = (await centerNames()).find((one) => one.id === id.toLowerCase());
    return center?.name ?? notices.lastNameOf(id.toLowerCase());
  }

  function remember({ member }: Call, { id, taskName }: Task): Promise<void> {
    return log.rememberTask(member.id, { id, name: taskName });
  }

  /** To the task's own page, which says what was done and what the platform has otherwise. */
  async function goTo(call: Call, task: Task, was: string, differs: readonly string[]): Promise<void> {
    await remember(call, task);
    call.response.redirect(303, withQuery(taskHref(task.id), { was, differs: differs.join(',') }));
  }

  guarded.get('/tasks', 'viewer', 'opened the tasks', async (call) => {
    const asked = call.query('id').trim();
    if (isGuid(asked)) return call.response.redirect(303, taskHref(asked.toLowerCase()));
    const text = 'Enter an id of the form 123e4567-e89b-12d3-a456-426614174000.';
    const mistakes = asked === '' ? [] : [{ field: 'id', text }];
    const recent = await log.recentTasks(call.member.id);
    const page = buildTasksPage(call.pageContext, { recent, asked, mistakes });
    await call.show(page, mistakes.length === 0 ? 200 : 422);
  });

  guarded.get('/tasks/new', 'editor', 'opened the form for a new task', (call) =>
    showForm(call, { task: undefined, draft: emptyTaskDraft }),
  );

  guarded.post('/tasks/new', 'editor', 'created a task', async (call) => {
    const draft = readTaskDraft(call.form);
    const more = withRow(call, draft);
    if (more !== undefined) return showForm(call, { task: undefined, draft: more });
    const read = readTaskCreate(draft);
    if (read.kind === 'mistakes')
      return showForm(call, { task: undefined, draft, mistakes: read.mistakes }, 422);
    if (!(await log.claimForm(call.nonce))) {
      const known = await log.formResult(call.nonce);
      if (known !== undefined) return call.response.redirect(303, taskHref(known));
      return showForm(call, { task: undefined, draft, notes: [sentBefore], mayExist: true }, 409);
    }
    const made = await attempt(() => platform.createTask(read.task));
    if (made instanceof Problem) {
      if (!made.answerLost) await log.releaseForm(call.nonce);
      const shown = { task: undefined, draft, notes: [faultNote(made, 'create')], mayExist: made.answerLost };
      return showFault(call, made, () => showForm(call, shown, statusOf(made)));
    }
    await log.finishForm(call.nonce, made.id);
    call.about(made.id);
    await goTo(call, made, 'created', differences(read.task, made));
  });

  guarded.get('/tasks/:id', 'viewer', 'opened a task', async (call) => {
    const task = await findTask(call);
    await remember(call, task);
    const differs = call
      .query('differs')
      .split(',')
      .filter((name) => /^[a-zA-Z]{1,30}$/.test(name));
    const parentName = await parentNameOf(task);
    const shown = { task, was: wasOf(call), differs, parentName, known: known.names };
    await call.show(buildTaskPage(call.pageContext, shown));
  });

  guarded.get('/tasks/:id/edit', 'editor', 'opened the form of a task', async (call) => {
    const task = await findTask(call);
    await showForm(call, { task, draft: draftOf(task) });
  });

  guarded.post('/tasks/:id/edit', 'editor', 'edited a task', async (call) => {
    const draft = readTaskDraft(call.form);
    const more = withRow(call, draft);
    const task = await attempt(() => findTask(call));
    if (task instanceof Problem) {
      if (task.code === 'not-found') throw task;
      // What was typed cannot be checked against the task, but all of it is shown again.
      const known = standIn(call.parameter('id'), draft);
      if (more !== undefined) return showForm(call, { task: known, draft: more });
      const notes = [faultNote(task, 'update')];
      return showFault(call, task, () => showForm(call, { task: known, draft, notes }, statusOf(task)));
    }
    if (more !== undefined) return showForm(call, { task, draft: more });
    const read = readTaskUpdate(draft, task);
    if (read.kind === 'mistakes') return showForm(call, { task, draft, mistakes: read.mistakes }, 422);
    const made = await attempt(() => platform.updateTask(task.id, read.task));
    if (made === undefined) throw new Problem('not-found');
    if (made instanceof Problem) {
      const notes = [faultNote(made, 'update')];
      return showFault(call, made, () => showForm(call, { task, draft, notes }, statusOf(made)));
    }
    await goTo(call, made, 'saved', differences(read.task, made));
  });

  addTurn('close', 'closed', 'closed a task');
  addTurn('reopen', 'open', 'opened a task again');

  function addTurn(turn: 'close' | 'reopen', status: 'closed' | 'open', does: string): void {
    const show = (call: Call, task: Task, notes: readonly Note[], code = 200) =>
      call.show(buildTurnPage(call.pageContext, { task, turn, token: call.token(), notes }), code);

    guarded.get(`/tasks/:id/${turn}`, 'editor', `asked whether to ${turn} a task`, async (call) =>
      show(call, await findTask(call), []),
    );
    guarded.post(`/tasks/:id/${turn}`, 'editor', does, async (call) => {
      const task = await findTask(call);
      const update = statusUpdate(task, turn === 'close' ? 'closed' : 'open');
      const made = await attempt(() => platform.updateTask(task.id, update));
      if (made === undefined) throw new Problem('not-found');
      if (made instanceof Problem) {
        return showFault(call, made, () => show(call, task, [faultNote(made, 'update')], statusOf(made)));
      }
      const differs = differences(update, made);
      if (made.status !== status) {
        const note: Note = {
          tone: 'problem',
          title: 'The status has not changed',
          lines: [`The platform answered, but the task is not ${status}.`],
          receipt: undefined,
        };
        return show(call, made, [note], 502);
      }
      await goTo(call, made, turn === 'close' ? 'closed' : 'reopened', differs);
    });
  }
}

/** What only a notice names: by that notice, until a task tells its own name. */
function withUnnamed<Thing extends Named>(
  named: readonly Thing[],
  others: readonly { readonly id: string | undefined; readonly name: string }[],
): readonly (Thing | Named)[] {
  const found = new Map<string, Thing | Named>(named.map((one) => [one.id, one]));
  for (const { id, name } of others) {
    const known = id?.toLowerCase();
    if (known !== undefined && !found.has(known)) found.set(known, { id: known, name });
  }
  return [...found.values()];
}

interface ShownForm {
  readonly task: EditedTask | undefined;
  readonly draft: TaskDraft;
  readonly mistakes?: readonly { readonly field: string; readonly text: string }[];
  readonly notes?: readonly Note[];
  readonly mayExist?: boolean;
}

/** The draft with one row more, when a button asked for it; undefined when the form was sent. */
function withRow({ form }: Call, draft: TaskDraft): TaskDraft | undefined {
  const action = form['action']?.at(-1);
  if (action === 'add-collaborator')
    return { ...draft, collaborators: [...draft.collaborators, emptyCollaborator] };
  if (action === 'add-parameter') return { ...draft, parameters: [...draft.parameters, emptyParameter] };
  return undefined;
}

/** The result, or the problem that the page itself can speak of. Any other fault goes on. */
async function attempt<T>(run: () => Promise<T>): Promise<T | Problem> {
  try {
    return await run();
  } catch (fault) {
    if (fault instanceof Problem && fault.code !== 'store-unavailable') return fault;
    throw fault;
  }
}

async function showFault(call: Call, problem: Problem, show: () => Promise<void>): Promise<void> {
  if (problem.retryAfter !== undefined)
    call.response.setHeader('Retry-After', Math.max(1, Math.ceil(problem.retryAfter)));
  await show();
}

function statusOf(problem: Problem): number {
  if (problem.code === 'platform-refused') return 422;
  return problem.code === 'platform-denied' || problem.code === 'platform-unreadable' ? 502 : 503;
}

/** Enough of a task to show its form again while the platform does not give it. */
function standIn(id: string, { taskName }: TaskDraft): EditedTask {
  return { id, taskName, description: undefined, sourceType: undefined, assignments: [] };
}

function wasOf(call: Call): TaskPageInput['was'] {
  const was = call.query('was');
  return was === 'created' || was === 'saved' || was === 'closed' || was === 'reopened' ? was : undefined;
}
