import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import { sealOneClick } from '../../../src/features/unsubscribe/token.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { books, makeKnown, openForm, send, switches } from '../../chaos/rig.ts';
import { productOf } from '../../kit/for-suite.ts';
import { postgres } from '../../kit/postgres.ts';
import { createVisitor } from '../../kit/visitor.ts';

suite('Statements that the database is asked', { skip: postgres.skip }, () => {
  const product = productOf({ store: 'postgres', env: { SANDBOX_REQUESTS_PER_MINUTE: '1000' } });
  /** Statements that a node sends by itself in a millisecond, and for one request of its metrics. */
  const own = { perMs: 0, perLook: 0 };
  before(async () => {
    const looks: number[] = [];
    for (let look = 0; look < 10; look += 1) looks.push(await sent());
    own.perLook = Math.min(...looks.slice(1).map((count, index) => count - (looks[index] ?? 0)));
    // A start sends some fifty more by itself; after that a node sends one a second.
    do {
      const { asked, ms } = await during(() => pause(2_000));
      own.perMs = asked / ms;
    } while (own.perMs > 0.01);
  });

  async function sent(): Promise<number> {
    const text = await (await fetch(product.metricsUrl)).text();
    return Number(/^sayso_database_statements_total (\d+)$/m.exec(text)?.[1]);
  }

  async function during(act: () => Promise<unknown>) {
    const [before, began] = [await sent(), performance.now()];
    await act();
    const ms = performance.now() - began;
    return { asked: (await sent()) - before - own.perLook, ms };
  }

  /** Statements for one of `times` actions, without those that a node sends by itself. */
  async function each(times: number, act: (index: number) => Promise<unknown>): Promise<number> {
    const { asked, ms } = await during(async () => {
      for (let index = 0; index < times; index += 1) await act(index);
    });
    return (asked - own.perMs * ms) / times;
  }

  test('A page takes 3 statements, again 2, a save 8, an unsubscribing click 5, one of each call for the quota', async () => {
    const identifierOf = (index: number) => `statements.${index}@example.org`;
    for (let index = 0; index < 10; index += 1) await makeKnown(product.sandbox, identifierOf(index));
    const visitors = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const visitor = createVisitor(product.url);
        await visitor.get(await product.link({ center: books, identifier: identifierOf(index) }));
        return visitor;
      }),
    );
    const page = await each(10, (index) => visitors[index]?.get(`/centers/${books}`) ?? assert.fail());
    const again = await each(10, (index) => visitors[index]?.get(`/centers/${books}`) ?? assert.fail());
    const forms = await Promise.all(
      Array.from({ length: 9 }, async (_, index) => {
        const opened = await openForm(product, books, identifierOf(index));
        opened.form.untick('purpose', switches(opened.form).on[0] ?? '');
        return opened;
      }),
    );
    const save = await each(forms.length, async (index) => {
      const opened = forms[index];
      assert.ok(opened);
      assert.equal((await send(opened)).status, 303);
    });
    const seal = createSeal([product.env['SECRET'] ?? '']);
    const click = await each(9, async (index) => {
      const subject = `click.${index}@example.org` as SubjectId;
      const made = { center: books, subject, purpose: undefined, madeAt: Date.now() };
      const answer = await fetch(`${product.url}/u/${sealOneClick(seal, made)}`, {
        method: 'POST',
        body: 'List-Unsubscribe=One-Click',
      });
      await answer.body?.cancel();
      assert.equal(answer.status, 200);
    });
    const told = [page, again, save, click].map((count) => count.toFixed(1)).join(', ');
    process.stdout.write(`statements for a page, the same again, a save and one click: ${told}\n`);
    // The statements that a node sends by itself vary a little.
    assert.ok(page < 4 && again < 3 && save < 9.5 && click < 6, told);
    assert.ok(page > 1.5 && again > 0.5 && save > 5 && click > 2.5, told);
  });
});
