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

/** Calls of one act: readings of the person, PUTs and DELETEs, readings of the schema. */
interface Calls {
  readonly reads: number;
  readonly writes: number;
  readonly schemas: number;
}

/** Reads the table "Calls of the platform" of docs/speed.md. */
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

  /** Runs the act, and waits until its expected calls have arrived and a further call would have. */
  async function act<T>(name: string, identifier: string, does: () => Promise<T>): Promise<T> {
    await product.sandbox.clearCalls();
    const result = await does();
    const most = expected.get(name) ?? assert.fail(`docs/speed.md has no row for: ${name}`);
    for (let tries = 0; tries < 2_400; tries += 1) {
      const { reads, writes } = await callsFor(identifier);
      if (reads >= most.reads && writes >= most.writes) break;
      await pause(25);
    }
    // A further call would be made within this time.
    await pause(60);
    counted.set(name, await callsFor(identifier));
    return result;
  }

  const click = (identifier: string, purpose?: string) => oneClick(product, identifier, purpose, 'shop');

  /** Fills the form, presses "save" and does not follow the redirect. */
  async function press(visitor: Visitor, page: Answer, fill: (form: Form) => unknown): Promise<Answer> {
    const form = readForm(page.text);
    fill(form);
    const answer = await visitor.press(form, save);
    assert.equal(answer.status, 303, answer.text.slice(0, 500));
    return answer;
  }

  async function known(name: string): Promise<{ person: string; visitor: Visitor; link: string }> {
    const person = `${name}@example.org`;
    await makeKnown(product.sandbox, person);
    const link = await product.link({ center: books, identifier: person });
    return { person, visitor: createVisitor(product.url), link };
  }

  const home = '/centers/shop';

  test('every act makes as many calls as docs/speed.md says', async () => {
    {
      const { visitor, link } = await known('warm');
      await visitor.open(link);
    }
    {
      const { person, visitor, link } = await known('saves');
      const page = await act('open by link', person, () => visitor.open(link));
      await act('save without a change', person, () => press(visitor, page, () => undefined));
      const saved = await act('switch off and save', person, () =>
        press(visitor, page, (form) => form.untick('purpose', switches(form).on[0] ?? '')),
      );
      const shown = await act('its result', person, () => visitor.open(saved.location ?? ''));
      await act('back to the choices', person, () => visitor.open(home));
      await act('My record after a save', person, () => visitor.open(`${home}/record`));
      const undo = readForm(shown.text, /\/undo$/);
      await act('undo', person, async () => {
        assert.equal((await visitor.press(undo)).status, 303);
      });
    }
    {
      const { person, visitor, link } = await known('mixes');
      const page = await visitor.open(link);
      const saved = await act('switch on and off, and save', person, () =>
        press(visitor, page, (form) => {
          const { on, off } = switches(form);
          form.untick('purpose', on[0] ?? '').tick('purpose', off[0] ?? '');
        }),
      );
      await act('the result of that', person, () => visitor.open(saved.location ?? ''));
    }
    {
      const { person, visitor, link } = await known('assumed');
      const page = await visitor.open(link);
      await act('switch off what is only on by default', person, () =>
        press(visitor, page, (form) => form.untick('purpose', switches(form).on[1] ?? '')),
      );
    }
    {
      const { person, visitor, link } = await known('grants');
      const page = await visitor.open(link);
      const saved = await act('switch on and save', person, () =>
        press(visitor, page, (form) => form.tick('purpose', switches(form).off[0] ?? '')),
      );
      await visitor.open(saved.location ?? '');
      await act('the choices on another device', person, async () =>
        createVisitor(product.url).open(await product.link({ center: books, identifier: person })),
      );
    }
    {
      const { person, visitor, link } = await known('leaves');
      await visitor.open(link);
      await act('the choices again, in another language', person, () => visitor.open(`${home}?lang=de`));
      const page = await act('page for leaving everything', person, () =>
        visitor.open(`${home}/unsubscribe`),
      );
      const left = await act('leave everything', person, () => visitor.press(readForm(page.text)));
      await act('the result of leaving', person, () => visitor.open(left.location ?? ''));
      await act('My record', person, async () => {
        const other = createVisitor(product.url);
        const opened = await other.get(await product.link({ center: books, identifier: person }));
        assert.equal(opened.status, 303);
        return other.open(`${home}/record`);
      });
    }
    {
      const { person } = await known('clicks');
      await act('one click, everything', person, () => click(person));
      await act('the same click at once again', person, () => click(person));
    }
    {
      const { person } = await known('clicks.one');
      await act('one click, one purpose', person, () => click(person, newBooks));
    }
    {
      const { person } = await known('objects');
      const browser = createVisitor(product.url, { 'sec-gpc': '1' });
      const page = await browser.open(await product.link({ center: books, identifier: person }));
      const objection = readForms(page.text).find(({ action }) => /\/objection(\?|$)/.test(action));
      if (objection === undefined) assert.fail('no objection is offered');
      await act('objection of the browser', person, async () => {
        const answer = await browser.press(objection);
        assert.equal(answer.status, 303);
      });
    }
    {
      const { person, visitor } = await known('signs.in');
      await act('sign in by passcode', person, async () => {
        const asked = await ask(visitor, person, home);
        const { code } = await letterTo(visitor, person);
        assert.equal((await tryCode(visitor, asked, code)).status, 303);
      });
    }
    {
      const { person } = await known('framed');
      const visitor = createVisitor(product.url, { 'sec-fetch-dest': 'iframe' });
      const ticket = await signed(person);
      const page = await act('open in a frame', person, () => visitor.open(`/embed/shop?ticket=${ticket}`));
      const saved = await act('switch off and save in a frame', person, () =>
        press(visitor, page, (form) => form.untick('purpose', switches(form).on[0] ?? '')),
      );
      const result = await act('its result in a frame', person, () => visitor.open(saved.location ?? ''));
      const back = /href="([^"#]*\/embed\/shop\?[^"]*)"/.exec(result.text)?.[1] ?? assert.fail();
      await act('back to the choices in a frame', person, () => visitor.open(back.replaceAll('&amp;', '&')));
    }
    {
      const { person } = await known('by.staff');
      const staff = await enter(product);
      const search = await staff.open('/staff/people');
      const found = await act('staff find a person', person, () =>
        staff.submit(search, (form) => form.type('identifier', person)),
      );
      const choose = readForm(found.text, /\/choose$/);
      const page = await act('staff look what could be withdrawn', person, () => staff.press(choose));
      await act('staff withdraw', person, async () => {
        const form = readForm(page.text, 'reason');
        form.choose('what', 'everything').type('reason', 'Asked by telephone.');
        const answer = await staff.press(form);
        assert.equal(answer.status, 303, answer.text.slice(0, 3_000));
      });
    }
    const actual = [...counted].map(([name, calls]) => `${name}: ${JSON.stringify(calls)}`);
    assert.deepEqual(
      actual,
      [...expected].map(([name, calls]) => `${name}: ${JSON.stringify(calls)}`),
    );
  });

  suite('A page from an earlier reading', () => {
    /** Saves, runs `meanwhile`, opens the choices again, and counts the readings that this takes. */
    async function readingsFor(name: string, meanwhile: (person: string) => Promise<unknown>) {
      const { person, visitor, link } = await known(name);
      const page = await visitor.open(link);
      await press(visitor, page, (form) => form.untick('purpose', switches(form).on[0] ?? ''));
      await meanwhile(person);
      await product.sandbox.clearCalls();
      const back = await visitor.open(home);
      assert.equal(back.status, 200);
      return { reads: (await callsFor(person)).reads, person, visitor, back };
    }

    async function switchOffElsewhere(person: string): Promise<void> {
      const other = createVisitor(product.url);
      const page = await other.open(await product.link({ center: books, identifier: person }));
      await press(other, page, (form) => form.untick('purpose', switches(form).on[0] ?? ''));
    }

    test('an empty record is always read again', async () => {
      const unknown = 'again.nothing@example.org';
      const stranger = createVisitor(product.url);
      await stranger.open(await product.link({ center: books, identifier: unknown }));
      await product.sandbox.clearCalls();
      await stranger.open(home);
      assert.ok((await callsFor(unknown)).reads >= 1);
    });

    test('a record is read again after an act in another session or by one click', async () => {
      assert.equal((await readingsFor('again.elsewhere', switchOffElsewhere)).reads, 1);
      const clicked = await readingsFor('again.click', async (person) => {
        await product.sandbox.addFault({ kind: '500', operation: 'withdraw-subject' });
        await click(person);
      });
      await product.sandbox.clearFaults();
      assert.ok(clicked.reads >= 1);
      assert.deepEqual(switches(readForm(clicked.back.text)).on, [], 'a pending withdrawal is shown as off');
    });

    test('a stale page does not decide: a save finds a change made elsewhere', async () => {
      let changed = '';
      const { reads, person, visitor, back } = await readingsFor('again.merged', async (person) => {
        const { Purposes } = await product.sandbox.subject(books, person);
        changed = Purposes.findLast(({ TransactionStatus }) => TransactionStatus === 'ACTIVE')?.Id ?? '';
        const withdrawn = [{ Id: changed, TransactionStatus: 'WITHDRAWN' }];
        await product.sandbox.change({ center: books, identifier: person, Purposes: withdrawn });
      });
      assert.equal(reads, 0);
      assert.ok(readForm(back.text).isTicked('purpose', changed.toLowerCase()), 'an earlier reading');
      await press(visitor, back, (form) =>
        form.tick('purpose', switches(form).off.find((id) => id !== changed.toLowerCase()) ?? ''),
      );
      const { Purposes } = await product.sandbox.subject(books, person);
      assert.equal(Purposes.find(({ Id }) => Id === changed)?.TransactionStatus, 'WITHDRAWN');
    });
  });
});
