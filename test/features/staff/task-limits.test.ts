import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { draftOf, readTaskDraft, type TaskDraft } from '../../../src/core/model/staff/task-draft.ts';
import {
  type Read,
  readTaskCreate,
  readTaskUpdate,
  statusUpdate,
} from '../../../src/core/model/staff/task-form.ts';
import { buildTaskFormPage } from '../../../src/features/staff/task-form.ts';
import { readTask, taskBody, taskUpdateBody } from '../../../src/upstream/wire-tasks.ts';
import { fieldsOf } from '../../contract/fields.ts';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import {
  assertKept,
  enter,
  filled,
  filledAnew,
  filledTask,
  guid,
  saidOn,
  storedTask,
  type Typed,
  taskIdOf,
} from './fixture.ts';

type Body = Readonly<Record<string, unknown>>;

const letters = (count: number) => 'abcdefghij'.repeat(Math.ceil(count / 10)).slice(0, count);

/** A task with texts as long as in an answer; an update takes shorter ones. */
const long = readTask({
  id: guid(90),
  taskName: 'n'.repeat(255),
  description: 'A line\n'.repeat(500),
  sourceType: 's'.repeat(50),
  status: 'Open',
});

const posted = (typed: Typed): TaskDraft => {
  const sent = Object.entries(typed).filter(([, value]) => value !== false);
  return readTaskDraft(Object.fromEntries(sent.map(([name, value]) => [name, [String(value)]])));
};

/** The body that is sent, or each field with its mistake. */
function outcome<T>(read: Read<T>, bodyOf: (task: T) => object) {
  if (read.kind === 'task') return { body: bodyOf(read.task) as Body, mistakes: [] };
  return { body: undefined, mistakes: read.mistakes.map(({ field, text }) => `${field}: ${text}`) };
}

const created = (typed: Typed) => outcome(readTaskCreate(posted(typed)), taskBody);
const updated = (typed: Typed) =>
  outcome(readTaskUpdate(posted(typed), readTask({ id: guid(90) })), taskUpdateBody);
const requests = [
  ['A new task', 'TaskCreateRequest', filledAnew, created],
  ['A task that is edited', 'TaskUpdateRequest', filledTask, updated],
] as const;

const member = (of: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Body | undefined)?.[name], of);

const upper = 'ABCDEF00-0000-4000-8000-00000000000F';
const noId = ['123', `${upper}0`, upper.slice(1), upper.replace('A', 'g'), 'no id'];
const needed = ['taskName', 'taskTypeNameKey', 'parentEntityId', 'orgGroupId'];

for (const [thing, schema, whole, send] of requests) {
  // Names, limits and values are the contract's, so that none is forgotten.
  const fields = fieldsOf('tasks', schema).filter(({ path }) => path !== 'status');
  const taken = (field: string, value: string) =>
    member(send({ ...whole, [field]: value }).body ?? assert.fail(`${field} is refused`), field);
  const refused = (field: string, value: string, message: string | RegExp) => {
    const { mistakes } = send({ ...whole, [field]: value });
    assert.equal(mistakes.length, 1, `${field}: ${mistakes.join()}`);
    assert.match(mistakes[0] ?? '', new RegExp(`^${field}: .*${RegExp(message).source}`));
  };

  describe(thing, () => {
    for (const { path, most, format, values } of fields) {
      if (most === undefined && format !== 'uuid' && values === undefined) continue;
      test(`the field ${path} takes what the contract takes, and nothing else`, () => {
        if (most !== undefined) {
          for (const text of [letters(most), 'x']) assert.equal(taken(path, text), text);
          refused(path, letters(most + 1), `At most ${most} characters: these are ${most + 1}\\.`);
          if (needed.includes(path)) refused(path, '   ', 'at least one character');
        }
        if (format === 'uuid') {
          assert.equal(taken(path, ` ${upper} `), upper.toLowerCase());
          for (const wrong of noId) refused(path, wrong, 'Enter an id');
        }
        for (const value of values ?? [])
          assert.equal(taken(path, path === 'moduleSource' ? value : value.toLowerCase()), value);
        if (values !== undefined) refused(path, 'OTHER', 'Choose');
        else if (needed.includes(path)) refused(path, '', 'Enter');
        else assert.equal(taken(path, ''), undefined);
      });
    }

    test('a line break counts once, as on the platform', () => {
      assert.equal(String(taken('description', 'a\r\n'.repeat(1_000))).length, 2_000);
    });

    test('a deadline needs a day and a time, and a parameter a value of its type', () => {
      refused('deadline', '2031-02-29', 'Enter a day as year');
      refused('deadline', 'soon', 'Enter a day as year');
      refused('deadline', '', 'Enter the day, too');
      refused('deadline-time', '24:00', '24 hours');
      refused('deadline-time', '', 'Enter the time, too');
      refused('deadline-zone', 'Mars/Olympus', 'Choose a time zone');
      refused('parameters.0.name', '', 'Name this parameter');
      for (const wrong of ['[1]', '{', '7']) refused('parameters.0.value', wrong, 'an object in JSON');
      for (const [kind, message] of [
        ['number', 'Enter a number'],
        ['flag', 'true or false'],
      ] as const) {
        const { mistakes } = send({ ...whole, 'parameters.0.type': kind, 'parameters.0.value': 'perhaps' });
        assert.match(mistakes.join(), new RegExp(`^parameters.0.value: .*${message}`));
      }
    });
  });
}

describe('A task with longer texts than an update takes', () => {
  const texts = (change: Partial<TaskDraft>) => {
    const { body, mistakes } = outcome(readTaskUpdate({ ...draftOf(long), ...change }, long), taskUpdateBody);
    return [body?.['description'], body?.['sourceType'], ...mistakes];
  };

  test('a long text stays when the task is edited, closed and opened again', () => {
    assert.deepEqual(texts({ taskName: 'Another name' }), [undefined, undefined]);
    const { description, sourceType, taskName } = statusUpdate(long, 'closed');
    assert.deepEqual([description, sourceType, taskName], [undefined, undefined, long.taskName]);
  });

  test('a typed text replaces the long one, and is refused when it is too long as well', () => {
    assert.deepEqual(texts({ description: 'Shorter', sourceType: '' }), ['Shorter', '']);
    assert.match(texts({ sourceType: 's'.repeat(49) }).join(), /sourceType: .*these are 49/);
  });

  test('the form says that a long text may stay', () => {
    const choices = { people: [], organizations: [], parents: [] };
    const page = JSON.stringify(buildTaskFormPage({ task: long, draft: draftOf(long) }, choices));
    assert.equal(page.match(/left as it is, it is not sent and stays/g)?.length, 2);
  });
});

describe('The form of a task', () => {
  const product = productOf();
  const staff = forSuite(() => enter(product));
  /** Fills in and posts the form. `forged` replaces values, also by those that a select does not offer. */
  async function send(path: string, typed: Typed, forged: Readonly<Record<string, string>> = {}) {
    const [action, fields] = await filled(staff, path, typed);
    const sent = fields.map(([name, value]) => [name, forged[name] ?? value] as const);
    return staff.post(action, sent);
  }

  test('the form says each mistake at its field and at the top, keeps what was typed, and sends nothing', async () => {
    const mistakes = {
      taskName: '   ',
      description: letters(2_001),
      assigneeId: 'no id',
      assigneeEmail: letters(256),
      'collaborators.0.collaboratorId': '123',
      'collaborators.0.collaboratorEmail': letters(256),
      deadline: '2031-02-29',
      'parameters.0.value': '[1]',
      sourceType: letters(17),
      sourceId: '7',
      parentEntityId: 'no id',
      orgGroupId: '',
      taskTypeNameKey: '',
      resourceId: '1',
      resourceTypeNameKey: letters(101),
    };
    const forged = { priority: 'OTHER', moduleSource: 'OTHER', 'collaborators.0.type': 'OTHER' };
    const typed = { ...filledAnew, isActive: false, ...mistakes };
    const page = await send('/staff/tasks/new', typed, forged);
    assert.equal(page.status, 422);
    // A choice that was never offered cannot be shown again.
    const shown = Object.entries(typed).filter(([name]) => !Object.hasOwn(forged, name));
    assertKept(page, Object.fromEntries(shown));
    for (const name of Object.keys({ ...mistakes, ...forged })) {
      const id = name.replaceAll('.', '\\.');
      assert.notDeepEqual(saidOn(page.text, `${name}-mistake`), [], name);
      assert.match(page.text, new RegExp(`<a href="#${id}"`));
      assert.match(page.text, new RegExp(`id="${id}"[^>]*aria-invalid="true"`));
    }
    assert.deepEqual(await product.sandbox.calls({ operation: 'create-task' }), []);
  });

  test('the form of an edited task keeps what was typed, too', async () => {
    const made = await send('/staff/tasks/new', filledAnew);
    const typed = { ...filledTask, taskName: 'Renamed', sourceId: '7' };
    const page = await send(`${new URL(made.location ?? '', product.url).pathname}/edit`, typed);
    assert.equal(page.status, 422);
    assertKept(page, typed);
    assert.deepEqual(await product.sandbox.calls({ operation: 'update-task' }), []);
  });

  test('the form forgets no collaborator, however many there are', async () => {
    const task = { taskName: 'x', parentEntityId: guid(4), orgGroupId: guid(5) };
    const [action, fields] = await filled(staff, '/staff/tasks/new', task);
    const rows = Array.from({ length: 500 }, (_, at): [string, string][] => [
      [`collaborators.${at}.type`, 'user'],
      [`collaborators.${at}.collaboratorId`, guid(at)],
    ]);
    const others = fields.filter(([name]) => !name.startsWith('collaborators'));
    const { location = '' } = await staff.post(action, [...others, ...rows.flat()]);
    const { request } = await storedTask(product, taskIdOf(await staff.open(location)));
    assert.equal(Object.keys(request['collaborators'] ?? {}).length, 500);
  });
});
