import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { type Form, readForm, save, switches } from '../../kit/form.ts';
import { books as center } from '../../kit/sandbox-ids.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { enter, findPerson, pressAbout } from './fixture.ts';

const identifier = 'jonas@example.org';

const product = productOf({ centers: [{ address: 'books', center }] });
const staff = forSuite(() => enter(product));

async function withdrawForm(): Promise<Form> {
  const found = await findPerson(staff, identifier, center);
  const page = await pressAbout(staff, found, { action: 'choose', center });
  return readForm(page.text, /^\/staff\/people\/withdraw$/);
}

async function active(): Promise<string[]> {
  const { Purposes } = await product.sandbox.subject(center, identifier);
  return Purposes.filter(({ TransactionStatus }) => TransactionStatus === 'ACTIVE').map(({ Id }) => Id);
}

describe('Withdrawing on behalf of a person', () => {
  test('a withdrawal is of all that was ticked, though a reading shows no more of it when it is sent', async () => {
    const { Purposes } = await product.sandbox.subject(center, identifier);
    const on = Purposes.slice(0, 2).map(({ Id }) => ({ Id, TransactionStatus: 'ACTIVE' }));
    await product.sandbox.change({ center, identifier, Purposes: on });
    assert.ok((await active()).length >= 2, 'too little is on');
    const form = await withdrawForm();
    form.choose('what', 'chosen').type('reason', 'Asked on the telephone');
    for (const id of await active()) form.tick('purpose', id.toLowerCase());
    await product.sandbox.addFault({ kind: 'unknown-subject', answer: '404', count: 1, identifier });
    const answer = await staff.press(form);
    assert.equal(answer.status, 303);
    assert.deepEqual(await active(), []);
  });

  test('the same page withdraws again when it is posted again, where the person opted in since', async () => {
    const form = await withdrawForm();
    form.choose('what', 'everything').type('reason', 'Called');
    const first = (await staff.press(form)).location;
    assert.equal((await staff.press(form)).location, first);
    const person = createVisitor(product.url);
    const preferences = readForm(
      (await person.open(await product.link({ center: 'books', identifier }))).text,
    );
    await person.press(preferences.tick('purpose', switches(preferences).off[0]), save);
    assert.equal((await active()).length, 1);
    assert.notEqual((await staff.press(form)).location, first);
    assert.deepEqual(await active(), []);
  });

  test('a withdrawal waits for no platform that is away from the start, where the file names the center', async () => {
    await product.stop();
    await product.start();
    await product.sandbox.addFault({ kind: '500' });
    const form = await withdrawForm();
    assert.equal((await staff.press(form.choose('what', 'everything').type('reason', 'Called'))).status, 303);
    await product.sandbox.clearFaults();
  });
});
