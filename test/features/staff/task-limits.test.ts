import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { times } from '../../chaos/dice.ts';
import { type ContractField, fieldsOf } from '../../contract/fields.ts';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { readForm, save } from '../../kit/form.ts';
import type { Answer } from '../../kit/visitor.ts';
import { enter, fillIn, guid, heldBy, saidOn, storedTask, taskIdOf } from './fixture.ts';

/** Something in every control, so that what is lost is seen. */
const filled: Readonly<Record<string, string | boolean>> = {
  taskName: 'A name to keep',
  description: 'Words to keep,\nin two lines',
  assigneeId: guid(1),
  assigneeEmail: 'robin@example.org',
  'collaborators.0.type': 'group',
  'collaborators.0.collaboratorId': guid(2),
  'collaborators.0.collaboratorEmail': 'kim@example.org',
  deadline: '2031-03-04',
  'deadline-time': '17:30',
  'deadline-zone': 'Europe/Paris',
  'parameters.0.name': 'case',
  'parameters.0.type': 'object',
  'parameters.0.value': '{"a": 1}',
  priority: 'low',
  isRequired: true,
  sourceType: 'RULES',
  sourceId: guid(3),
};

const filledAnew: Readonly<Record<string, string | boolean>> = {
  ...filled,
  parentEntityId: guid(4),
  orgGroupId: guid(5),
  taskTypeNameKey: 'Issue',
  resourceId: guid(6),
  resourceTypeNameKey: 'Record',
  moduleSource: 'AUDIT',
  isActive: false,
};

/** As long as an answer may be: an update takes less of it. */
const long = {
  id: guid(90),
  parentEntityId: guid(91),
  taskName: 'n'.repeat(255),
  description: 'A line\r\n'.repeat(500),
  sourceType: 's'.repeat(50),
  status: 'Open',
  priority: 'LOW',
  deadline: '2031-05-01T08:09:10Z',
  isActive: true,
};

let edited: string;

const files = { 'data/tasks/long.json': JSON.stringify(long) };
const product = productOf({ env: { SANDBOX_DATA: '{home}/data' }, files });
const staff = forSuite(() => enter(product));
before(async () => {
  edited = `/staff/tasks/${taskIdOf(await send('/staff/tasks/new', filledAnew))}/edit`;
});

/** Opens the form, fills it and saves it. What a select does not offer is sent all the same. */
async function send(path: string, fields: Readonly<Record<string, string | boolean>>): Promise<Answer> {
  const page = await staff.open(path);
  const form = readForm(page.text);
  const forged = new Map<string, string>();
  for (const [name, value] of Object.entries(fields)) {
    const select = form.controls.find((control) => control.name === name && control.tag === 'select');
    const isOffered = select?.options.some((option) => option.value === value) ?? true;
    if (isOffered) fillIn(form, name, value);
    else forged.set(name, String(value));
  }
  const posted = form
    .press(save)
    .fields.map(([name, value]): [string, string] => [name, forged.get(name) ?? value]);
  const answer = await staff.post(form.action, posted);
  return answer.location === undefined ? answer : staff.open(answer.location);
}

async function writes(): Promise<number> {
  const calls = await product.sandbox.calls();
  return calls.filter(({ operation }) => operation === 'create-task' || operation === 'update-task').length;
}

/** What is wrong is said at the field and at the top, with everything typed still there, and nothing is sent on. */
async function assertRefused(
  path: string,
  whole: Readonly<Record<string, string | boolean>>,
  [field, value, message]: readonly [field: string, value: string, message: RegExp],
): Promise<void> {
  const before = await writes();
  const page = await send(path, { ...whole, [field]: value });
  assert.equal(page.status, 422, `${field} was taken`);
  assert.equal(await writes(), before, 'the platform was asked');
  const form = readForm(page.text);
  for (const [name, typed] of Object.entries({ ...whole, [field]: value })) {
    // A choice that was never offered cannot be shown again.
    const control = form.controls.find((one) => one.name === name);
    if (name === field && control?.tag === 'select') continue;
    assert.equal(heldBy(form, name), typed, `${name} is lost`);
  }
  assert.match(saidOn(page.text, `${field}-mistake`).join(' '), message);
  assert.match(page.text, new RegExp(`<a href="#${field.replaceAll('.', '\\.')}"`));
  const described = new RegExp(`id="${field.replaceAll('.', '\\.')}"[^>]*aria-invalid="true"`);
  assert.match(page.text, described);
}

const requests = [
  { what: 'A new task', schema: 'TaskCreateRequest', path: () => '/staff/tasks/new', whole: filledAnew },
  { what: 'A task that is edited', schema: 'TaskUpdateRequest', path: () => edited, whole: filled },
] as const;

const member = (of: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], of);

/** Names from the contract, so that a limit that is not tried cannot be forgotten. */
const bounded = ({ most }: ContractField) => most !== undefined;
const letters = (count: number) => 'abcdefghij'.repeat(Math.ceil(count / 10)).slice(0, count);

for (const { what, schema, path, whole } of requests) {
  const fields = fieldsOf('tasks', schema);

  describe(`${what}, at the edge of a limit`, () => {
    for (const { path: field, most = 0, least = 0 } of fields.filter(bounded)) {
      test(`has ${most} characters of ${field}, and not ${most + 1}`, async () => {
        const taken = await send(path(), { ...whole, [field]: letters(most) });
        assert.equal(taken.status, 200, saidOn(taken.text).join(' '));
        const { request } = await storedTask(product, taskIdOf(taken));
        assert.equal(member(request, field), letters(most));
        const message = new RegExp(`At most ${most} characters: these are ${most + 1}\\.`);
        await assertRefused(path(), whole, [field, letters(most + 1), message]);
      });

      test(`has one character of ${field}`, async () => {
        const taken = await send(path(), { ...whole, [field]: 'x' });
        const { request } = await storedTask(product, taskIdOf(taken));
        assert.equal(member(request, field), 'x');
      });

      // An answer has a name of 1 character at least, so a task without one could not be shown.
      if (least === 0 && field !== 'taskName') {
        test(`goes without ${field}`, async () => {
          const taken = await send(path(), { ...whole, [field]: '' });
          assert.equal(taken.status, 200);
          assert.ok(
            [undefined, ''].includes(
              member((await storedTask(product, taskIdOf(taken))).request, field) as '',
            ),
          );
        });
      }
    }

    test('counts a line break once, as the platform does', async () => {
      const taken = await send(path(), { ...whole, description: 'a\r\n'.repeat(1_000) });
      const { request } = await storedTask(product, taskIdOf(taken));
      assert.equal(String(request['description']).length, 2_000);
    });
  });

  describe(`${what}, without what it must have`, () => {
    test('is refused without a name, and with one of blanks', async () => {
      for (const name of ['', '   '])
        await assertRefused(path(), whole, ['taskName', name, /at least one character/]);
    });

    if (schema === 'TaskCreateRequest') {
      test('is refused without its type, parent record or organization', async () => {
        await assertRefused(path(), whole, ['taskTypeNameKey', '', /at least one character/]);
        await assertRefused(path(), whole, ['parentEntityId', '', /Enter an id/]);
        await assertRefused(path(), whole, ['orgGroupId', '', /Enter an id/]);
      });
    }
  });

  describe(`${what}, with what is none of its kind`, () => {
    const ids = fields.filter(({ format }) => format === 'uuid');
    for (const { path: field } of ids) {
      test(`has a UUID as ${field}, and nothing else`, async () => {
        const upper = 'ABCDEF00-0000-4000-8000-00000000000F';
        const taken = await send(path(), { ...whole, [field]: ` ${upper} ` });
        const { request } = await storedTask(product, taskIdOf(taken));
        assert.equal(member(request, field), upper.toLowerCase());
        for (const wrong of ['123', `${upper}0`, upper.slice(1), upper.replace('A', 'g'), 'no id'])
          await assertRefused(path(), whole, [field, wrong, /Enter an id/]);
      });
    }

    for (const { path: field, values = [] } of fields.filter(({ values }) => values !== undefined)) {
      if (field === 'status') continue;
      test(`has one of ${values.length} words as ${field}`, async () => {
        const form = readForm((await staff.open(path())).text);
        const offered = form.controls.find(({ name }) => name === field)?.options ?? [];
        const found = values.map(
          (value) => offered.find((one) => one.value.toUpperCase() === value) ?? assert.fail(value),
        );
        for (const { value: option } of times(found.slice(-2), found)) {
          const value = option.toUpperCase();
          const taken = await send(path(), { ...whole, [field]: option });
          assert.equal(member((await storedTask(product, taskIdOf(taken))).request, field), value);
        }
        await assertRefused(path(), whole, [field, 'OTHER', /Choose/]);
      });
    }

    test('has a deadline that is a day and a time', async () => {
      await assertRefused(path(), whole, ['deadline', '2031-02-29', /Enter a day as year/]);
      await assertRefused(path(), whole, ['deadline', 'soon', /Enter a day as year/]);
      await assertRefused(path(), whole, ['deadline', '', /Enter the day, too/]);
      await assertRefused(path(), whole, ['deadline-time', '24:00', /24 hours/]);
      await assertRefused(path(), whole, ['deadline-time', '', /Enter the time, too/]);
      await assertRefused(path(), whole, ['deadline-zone', 'Mars/Olympus', /Choose a time zone/]);
    });

    test('has parameters that are what they are said to be', async () => {
      const of = (type: string) => ({ ...whole, 'parameters.0.type': type });
      await assertRefused(path(), whole, ['parameters.0.name', '', /Name this parameter/]);
      await assertRefused(path(), of('number'), ['parameters.0.value', 'many', /Enter a number/]);
      await assertRefused(path(), of('flag'), ['parameters.0.value', 'perhaps', /true or false/]);
      for (const wrong of ['[1]', '{', '7'])
        await assertRefused(path(), of('object'), ['parameters.0.value', wrong, /an object in JSON/]);
    });
  });
}

describe('A task of which the platform has more than it takes', () => {
  const home = `/staff/tasks/${long.id}`;

  test('says in its form that it may stay', async () => {
    const { text } = await staff.open(`${home}/edit`);
    for (const field of ['description', 'sourceType'])
      assert.match(saidOn(text, `${field}-hint`).join(' '), /left as it is, it is not sent and stays/);
  });

  test('keeps it, when it is edited, closed and opened again', async () => {
    await send(`${home}/edit`, { taskName: 'Another name' });
    for (const turn of ['close', 'reopen'])
      await staff.submit(await staff.open(`${home}/${turn}`), () => undefined);
    const { task, request } = await storedTask(product, long.id);
    assert.equal(task['taskName'], 'Another name');
    assert.equal(task['description'], long.description);
    assert.equal(task['sourceType'], long.sourceType);
    assert.equal('description' in request || 'sourceType' in request, false);
  });

  test('has what is typed instead of it, and is refused when that is too long as well', async () => {
    const typed = { description: 'Shorter', sourceType: '' };
    await assertRefused(`${home}/edit`, typed, ['sourceType', 's'.repeat(49), /these are 49/]);
    await send(`${home}/edit`, typed);
    const { task } = await storedTask(product, long.id);
    assert.equal(task['description'], 'Shorter');
    assert.equal(task['sourceType'], '');
  });
});

test('No collaborator is forgotten, however many there are.', async () => {
  const page = await staff.open('/staff/tasks/new');
  const { fields } = readForm(page.text).press(save);
  const needed: Readonly<Record<string, string>> = {
    taskName: 'x',
    parentEntityId: guid(4),
    orgGroupId: guid(5),
  };
  const rows = Array.from({ length: 500 }, (_, at): [string, string][] => [
    [`collaborators.${at}.type`, 'user'],
    [`collaborators.${at}.collaboratorId`, guid(at)],
  ]);
  const posted = fields
    .filter(([name]) => !name.startsWith('collaborators'))
    .map(([name, value]): [string, string] => [name, needed[name] ?? value]);
  const { location = '' } = await staff.post('/staff/tasks/new', [...posted, ...rows.flat()]);
  const { request } = await storedTask(product, taskIdOf(await staff.open(location)));
  assert.equal(Object.keys(request['collaborators'] ?? {}).length, 500);
});
