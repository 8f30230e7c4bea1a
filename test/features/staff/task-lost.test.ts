import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, beforeEach, describe, test } from 'node:test';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { save } from '../../kit/form.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import type { Answer } from '../../kit/visitor.ts';
import {
  assertKept,
  enter,
  filled,
  filledAnew,
  filledTask,
  saidOn,
  storedTask,
  type Typed,
  taskIdOf,
} from './fixture.ts';

const product = productOf();
const staff = forSuite(() => enter(product));

beforeEach(async () => {
  await product.sandbox.clearFaults();
  await product.sandbox.clearCalls();
});

const fill = (path: string, typed: Typed) => filled(staff, path, typed);
const post = async (sent: Awaited<ReturnType<typeof fill>>): Promise<Answer> => {
  const answer = await staff.post(...sent);
  return answer.location === undefined ? answer : staff.open(answer.location);
};

/** The platform creates a task, and answers once it is released. */
const late = { kind: 'late', operation: 'create-task', milliseconds: 600_000, answer: 'late', count: 1 };

const count = async (operation: string) => (await product.sandbox.calls({ operation })).length;

const notesOn = ({ text }: Answer) => saidOn(text, 'notes').join(' ');

describe('A new task whose answer is lost', () => {
  test('a new task is sent once when its answer is lost, is called neither done nor failed, and keeps all fields', async () => {
    const sent = await fill('/staff/tasks/new', filledAnew);
    await product.sandbox.addFault({ kind: 'drop', when: 'after', operation: 'create-task', count: 1 });

    const lost = await post(sent);
    assert.equal(lost.status, 503);
    assert.match(notesOn(lost), /It is not known whether the task was created/);
    assert.match(notesOn(lost), /before you create it again/);
    assertKept(lost, filledAnew);
    assert.ok(saidOn(lost.text).includes('Create it anyway'));

    // Reloading that page sends the very same again.
    const again = await post(sent);
    assert.equal(again.status, 409);
    assert.match(notesOn(again), /was sent before/);
    assertKept(again, filledAnew);
    assert.equal(await count('create-task'), 1);

    // The button of the page that was shown is pressed on purpose.
    const wanted = await staff.submit(lost, () => undefined, save);
    assert.equal((await storedTask(product, taskIdOf(wanted))).task['taskName'], filledAnew['taskName']);
    assert.equal(await count('create-task'), 2);
  });

  test('a second press creates no task while the first is on its way', async () => {
    const sent = await fill('/staff/tasks/new', { ...filledAnew, taskName: 'Pressed twice' });
    await product.sandbox.addFault(late);
    const first = post(sent);
    await until(async () => (await product.sandbox.waiting()) === 1);
    assert.equal((await post(sent)).status, 409);
    await product.sandbox.release();
    const made = taskIdOf(await first);
    // Once the result of the first press is known, the same form leads to the task.
    assert.equal(taskIdOf(await post(sent)), made);
    assert.equal(await count('create-task'), 1);

    // With another name, the form neither leads to the task as if saved, nor creates one unasked.
    const [path, fields] = sent;
    const others = fields.filter(([name]) => name !== 'taskName');
    const other = await post([path, [...others, ['taskName', 'Renamed']]]);
    assert.equal(other.status, 409);
    assert.match(notesOn(other), /a task, which differs from the fields below/);
    assertKept(other, { ...filledAnew, taskName: 'Renamed' });
    assert.equal(await count('create-task'), 1);
  });
});

describe('A new task that surely was not made', () => {
  test('a task that was not made is said to be so, and the very same form goes through later', async () => {
    // After this start there is no token yet: with a centers file, the start reads no list of centers.
    const centers = join(product.home, 'centers.json');
    writeFileSync(centers, JSON.stringify([{ address: 'books', center: books }]));
    const fields = { ...filledAnew, taskName: 'Not sent at all' };
    const sent = await fill('/staff/tasks/new', fields);
    await product.stop();
    Object.assign(product.env, { CENTERS_FILE: centers });
    await product.start();
    await product.sandbox.addFault({ kind: '500', operation: 'token', count: 1 });
    const refused = await post(sent);
    assert.equal(refused.status, 503);
    assert.match(notesOn(refused), /Nothing was done/);
    assert.doesNotMatch(notesOn(refused), /not known/);
    assert.ok(saidOn(refused.text).includes('Create the task'));
    assertKept(refused, fields);
    assert.equal(await count('create-task'), 0);

    // No token is asked for before a pause is over.
    const again = await until(async () => {
      const answer = await post(sent);
      return answer.status !== 503 && answer;
    });
    assert.equal((await storedTask(product, taskIdOf(again))).task['taskName'], 'Not sent at all');
    assert.equal(await count('create-task'), 1);
  });
});

describe('A change whose answer is lost', () => {
  let home: string;

  before(async () => {
    home = `/staff/tasks/${taskIdOf(await post(await fill('/staff/tasks/new', filledAnew)))}`;
  });

  test('a change whose answer is lost is sent once, and may be sent again', async () => {
    const fields = { ...filledTask, taskName: 'Changed, cut off' };
    const sent = await fill(`${home}/edit`, fields);
    await product.sandbox.addFault({ kind: 'drop', operation: 'update-task', count: 1, when: 'after' });
    const lost = await post(sent);
    assert.equal(lost.status, 503);
    assert.match(notesOn(lost), /It is not known whether this was saved/);
    assertKept(lost, fields);
    assert.equal(await count('update-task'), 1);
    const saved = await staff.submit(lost, () => undefined, save);
    assert.equal(saved.status, 200);
    assert.equal((await storedTask(product, taskIdOf(saved))).task['taskName'], fields.taskName);
  });

  test('a change of the status whose answer is lost asks again on the same page', async () => {
    const question = await staff.open(`${home}/close`);
    await product.sandbox.addFault({ kind: 'drop', operation: 'update-task', count: 1 });
    const lost = await staff.submit(question, () => undefined);
    assert.equal(lost.status, 503);
    assert.match(notesOn(lost), /It is not known whether this was saved/);
    assert.equal(await count('update-task'), 1);
    const closed = await staff.submit(lost, () => undefined);
    assert.equal((await storedTask(product, taskIdOf(closed))).task['status'], 'Closed');
  });

  test('a change is not made when the task cannot be read, and nothing typed is lost', async () => {
    const fields = { ...filledTask, taskName: 'Typed in vain' };
    const sent = await fill(`${home}/edit`, fields);
    await product.sandbox.addFault({ kind: 'drop', operation: 'read-task', count: 2 });
    const unread = await post(sent);
    assert.equal(unread.status, 503);
    assert.match(notesOn(unread), /Nothing was done/);
    assertKept(unread, fields);
    assert.equal(await count('update-task'), 0);
  });
});
