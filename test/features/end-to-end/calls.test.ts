import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { makeKnown } from '../../chaos/rig.ts';
import { productOf } from '../../kit/for-suite.ts';
import { type Form, readForm, readForms, save, switches } from '../../kit/form.ts';
import { oneClick } from '../../kit/one-click.ts';
import { books, newBooks } from '../../kit/sandbox-ids.ts';
import { shop, signed } from '../../kit/shop.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';
import { ask, letterTo, tryCode } from '../identity/mailbox.ts';
import { enter } from '../staff/fixture.ts';

/** What an act asks of the platform: readings of the person, PUTs and DELETEs, readings of the schema. */
interface Calls {
  readonly reads: number;
  readonly writes: number;
  readonly schemas: number;
}

/** docs/speed.md, Calls of the platform. */
function table(): ReadonlyMap<string, Calls> {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/speed.md'), 'utf8');
  const part = /## Calls of the platform\n([\s\S]*?)\n## /.exec(text)?.[1] ?? assert.fail('no table');
  const rows = [...part.matchAll(/^\| ([^|]+?) \| (\d+) \| (\d+) \| (\d+) \|/gm)];
  return new Map(
    rows.map(([, act = '', reads, writes, schemas]) => [
      act,
      { reads: Number(reads), writes: Number(writes), schemas: Number(schemas) },
    ]),
  );
}

const product = productOf({
  centers: [shop],
});

suite('Calls of the platform', () => {
  const counted = new Map<string, Calls>();
  const expected = table();

  async function callsFor(identifier: string): Promise<Calls> {
    const calls = await product.sandbox.calls();
    const own = calls.filter((call) => call.identifier === identifier);
    const of = (...names: string[]) => own.filter(({ operation }) => names.includes(operation)).length;
    return {
      reads: of('read-subject'),
      writes: of('update-subject', 'withdraw-subject'),
      schemas: calls.filter(({ operation }) => /^read-(schema|root|page)$/.test(operation)).length,
    };
  }

  /** Does it, and waits until nothing more than was expected, or less, can be on its way. */
  async function act<T>(name: string, identifier: string, does: () => Promise<T>): Promise<T> {
    await product.sandbox.clearCalls();
    const result = await does();
    const most = expected.get(name) ?? assert.fail(`docs/speed.md says nothing of: ${name}`);
    for (let tries = 0; tries < 2_400; tries += 1) {
      const { reads, writes } = await callsFor(identifier);
      if (reads >= most.reads && writes >= most.writes) break;
      await pause(25);
    }
    // Whoever would call once more does so within this time.
    await pause(60);
    counted.set(name, await callsFor(identifier));
    return result;
  }

  const click = (identifier: string, purpose?: string) => oneClick(product, identifier, purpose, 'shop');

  /** Presses "save" with what `fill` does, and stays with the answer. */
  async function press(visitor: Visitor, page: Answer, fill: (form: Form) => unknown): Promise<Answer> {
    const form = readForm(page.text);
    fill(form);
    const answer = await visitor.press(form, save);
    assert.equal(answer.status, 303, answer.text.slice(0, 500));
    return answer;
  }

  async function known(name: string): Promise<{ who: string; visitor: Visitor; link: string }> {
    const who = `${name}@example.org`;
    await makeKnown(product.sandbox, who);
    const link = await product.link({ center: books, identifier: who });
    return { who, visitor: createVisitor(product.url), link };
  }

  const home = '/centers/shop';

  test('of every act are as many as docs/speed.md says.', async () => {
    {
      const { visitor, link } = await known('warm');
      await visitor.open(link);
    }
    {
      const { who, visitor, link } = await known('saves');
      const page = await act('open by link', who, () => visitor.open(link));
      await act('save without a change', who, () => press(visitor, page, () => undefined));
      const saved = await act('switch off and save', who, () =>
        press(visitor, page, (form) => form.untick('purpose', switches(form).on[0] ?? '')),
      );
      const shown = await act('its result', who, () => visitor.open(saved.location ?? ''));
      await act('back to the choices', who, () => visitor.open(home));
      await act('My record after a save', who, () => visitor.open(`${home}/record`));
      const undo = readForm(shown.text, /\/undo$/);
      await act('undo', who, async () => {
        assert.equal((await visitor.press(undo)).status, 303);
      });
    }
    {
      const { who, visitor, link } = await known('mixes');
      const page = await visitor.open(link);
      const saved = await act('switch on and off, and save', who, () =>
        press(visitor, page, (form) => {
          const { on, off } = switches(form);
          form.untick('purpose', on[0] ?? '').tick('purpose', off[0] ?? '');
        }),
      );
      await act('the result of that', who, () => visitor.open(saved.location ?? ''));
    }
    {
      const { who, visitor, link } = await known('assumed');
      const page = await visitor.open(link);
      await act('switch off what is only on by default', who, () =>
        press(visitor, page, (form) => form.untick('purpose', switches(form).on[1] ?? '')),
      );
    }
    {
      const { who, visitor, link } = await known('grants');
      const page = await visitor.open(link);
      const saved = await act('switch on and save', who, () =>
        press(visitor, page, (form) => form.tick('purpose', switches(form).off[0] ?? '')),
      );
      await visitor.open(saved.location ?? '');
      await act('the choices on another device', who, async () =>
        createVisitor(product.url).open(await product.link({ center: books, identifier: who })),
      );
    }
    {
      const { who, visitor, link } = await known('leaves');
      await visitor.open(link);
      await act('the choices again, in another language', who, () => visitor.open(`${home}?lang=de`));
      const page = await act('page for leaving everything', who, () => visitor.open(`${home}/unsubscribe`));
      const form = readForm(page.text);
      const left = await act('leave everything', who, () => visitor.press(form));
      await act('the result of leaving', who, () => visitor.open(left.location ?? ''));
      await act('My record', who, async () => {
        const other = createVisitor(product.url);
        const opened = await other.get(await product.link({ center: books, identifier: who }));
        assert.equal(opened.status, 303);
        return other.open(`${home}/record`);
      });
    }
    {
      const { who } = await known('clicks');
      await act('one click, everything', who, () => click(who));
      await act('the same click at once again', who, () => click(who));
    }
    {
      const { who } = await known('clicks.one');
      await act('one click, one purpose', who, () => click(who, newBooks));
    }
    {
      const { who } = await known('objects');
      const browser = createVisitor(product.url, { 'sec-gpc': '1' });
      const page = await browser.open(await product.link({ center: books, identifier: who }));
      const objection = readForms(page.text).find(({ action }) => /\/objection(\?|$)/.test(action));
      if (objection === undefined) assert.fail('no objection is offered');
      await act('objection of the browser', who, async () => {
        const answer = await browser.press(objection);
        assert.equal(answer.status, 303);
      });
    }
    {
      const { who, visitor } = await known('signs.in');
      await act('sign in by passcode', who, async () => {
        const asked = await ask(visitor, who, home);
        const { code } = await letterTo(visitor, who);
        assert.equal((await tryCode(visitor, asked, code)).status, 303);
      });
    }
    {
      const { who } = await known('framed');
      const visitor = createVisitor(product.url, { 'sec-fetch-dest': 'iframe' });
      const ticket = await signed(who);
      const page = await act('open in a frame', who, () => visitor.open(`/embed/shop?ticket=${ticket}`));
      const saved = await act('switch off and save in a frame', who, () =>
        press(visitor, page, (form) => form.untick('purpose', switches(form).on[0] ?? '')),
      );
      const result = await act('its result in a frame', who, () => visitor.open(saved.location ?? ''));
      const back = /href="([^"#]*\/embed\/shop\?[^"]*)"/.exec(result.text)?.[1] ?? assert.fail();
      await act('back to the choices in a frame', who, () => visitor.open(back.replaceAll('&amp;', '&')));
    }
    {
      const { who } = await known('by.staff');
      const staff = await enter(product);
      const search = await staff.open('/staff/people');
      const found = await act('staff find a person', who, () =>
        staff.submit(search, (form) => form.type('identifier', who)),
      );
      const choose = readForm(found.text, /\/choose$/);
      const page = await act('staff look what could be withdrawn', who, () => {
        return staff.press(choose);
      });
      await act('staff withdraw', who, async () => {
        const form = readForm(page.text, 'reason');
        form.choose('what', 'everything').type('reason', 'Asked by telephone.');
        const answer = await staff.press(form);
        assert.equal(answer.status, 303, answer.text.slice(0, 3_000));
      });
    }
    const told = [...counted].map(([name, calls]) => `${name}: ${JSON.stringify(calls)}`);
    assert.deepEqual(
      told,
      [...expected].map(([name, calls]) => `${name}: ${JSON.stringify(calls)}`),
    );
  });

  suite('A record is shown again', () => {
    /** Back to the choices after a save, once `meanwhile` has happened: how many readings that takes. */
    async function readingsFor(name: string, meanwhile: (who: string, visitor: Visitor) => Promise<unknown>) {
      const { who, visitor, link } = await known(name);
      const page = await visitor.open(link);
      await press(visitor, page, (form) => form.untick('purpose', switches(form).on[0] ?? ''));
      await meanwhile(who, visitor);
      await product.sandbox.clearCalls();
      const back = await visitor.open(home);
      assert.equal(back.status, 200);
      return { reads: (await callsFor(who)).reads, who, visitor, back };
    }

    async function switchOffElsewhere(who: string): Promise<void> {
      const other = createVisitor(product.url);
      const page = await other.open(await product.link({ center: books, identifier: who }));
      await press(other, page, (form) => form.untick('purpose', switches(form).on[0] ?? ''));
    }

    test('never when it shows nothing.', async () => {
      const nobody = 'again.nothing@example.org';
      const stranger = createVisitor(product.url);
      await stranger.open(await product.link({ center: books, identifier: nobody }));
      await product.sandbox.clearCalls();
      await stranger.open(home);
      assert.ok((await callsFor(nobody)).reads >= 1);
    });

    test('never when the person has done something since, in another session or with one click.', async () => {
      assert.equal((await readingsFor('again.elsewhere', switchOffElsewhere)).reads, 1);
      const clicked = await readingsFor('again.click', async (who) => {
        await product.sandbox.addFault({ kind: '500', operation: 'withdraw-subject' });
        await click(who);
      });
      await product.sandbox.clearFaults();
      assert.ok(clicked.reads >= 1);
      assert.deepEqual(switches(readForm(clicked.back.text)).on, [], 'what is being left is shown as off');
    });

    test('but never decides: what changed elsewhere is found when the form is sent.', async () => {
      let changed = '';
      const { reads, who, visitor, back } = await readingsFor('again.merged', async (who) => {
        const { Purposes } = await product.sandbox.subject(books, who);
        changed = Purposes.findLast(({ TransactionStatus }) => TransactionStatus === 'ACTIVE')?.Id ?? '';
        const withdrawn = [{ Id: changed, TransactionStatus: 'WITHDRAWN' }];
        await product.sandbox.change({ center: books, identifier: who, Purposes: withdrawn });
      });
      assert.equal(reads, 0);
      assert.ok(readForm(back.text).isTicked('purpose', changed.toLowerCase()), 'shown as it was read back');
      await press(visitor, back, (form) =>
        form.tick('purpose', switches(form).off.find((id) => id !== changed.toLowerCase()) ?? ''),
      );
      const { Purposes } = await product.sandbox.subject(books, who);
      assert.equal(Purposes.find(({ Id }) => Id === changed)?.TransactionStatus, 'WITHDRAWN');
    });
  });
});
