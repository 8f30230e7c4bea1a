import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { request } from 'undici';
import { startProduct } from '../kit/product.ts';
import { cookieOf } from '../kit/visitor.ts';
import { rollDice, times } from './dice.ts';
import { books, makeKnown, type OpenForm, openForm } from './rig.ts';

suite('Many people at once', () => {
  test('each person sees only their own data, whatever the order of the answers', async () => {
    const dice = rollDice('mixing');
    await using product = await startProduct({ env: { LOG_LEVEL: 'warn' } });
    await product.sandbox.addFault({ kind: 'latency', operation: 'read-subject', milliseconds: 5 });
    const count = times(10, 200);
    const people: OpenForm[] = [];
    for (let index = 0; index < count; index += 1) {
      const identifier = `mark.${index}@example.org`;
      await makeKnown(product.sandbox, identifier, `Mark${index}Mark`);
      people.push(await openForm(product, books, identifier));
    }
    const total = times(120, 1_000_000);
    let asked = 0;
    let mixed = 0;
    const reader = async () => {
      while (asked < total) {
        asked += 1;
        const index = dice.whole(0, count - 1);
        const person = people[index];
        if (person === undefined) throw new Error('no person');
        const cookie = cookieOf(person.visitor);
        const { statusCode, body } = await request(person.page.url, { headers: { cookie } });
        const text = await body.text();
        assert.equal(statusCode, 200, text.slice(0, 300));
        const marks = new Set(text.match(/Mark\d+Mark/g));
        if (marks.size !== 1 || !marks.has(`Mark${index}Mark`)) mixed += 1;
      }
    };
    const began = performance.now();
    await Promise.all(Array.from({ length: 24 }, reader));
    const seconds = (performance.now() - began) / 1_000;
    assert.equal(mixed, 0, `${mixed} answers of another person`);
    process.stdout.write(
      `mixing: ${asked} pages of ${count} people, ${Math.round(asked / seconds)} a second, 0 of another\n`,
    );
  });
});
