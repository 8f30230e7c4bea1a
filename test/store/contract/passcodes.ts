import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { Passcodes } from '../../../src/ports/passcodes.ts';
import type { StoreParts } from '../../../src/store/sql.ts';
import { exchanged } from './exchanged.ts';
import {
  anna,
  atOnce,
  laterSecret,
  type MakeTestStore,
  minute,
  omar,
  secret,
  testsOf,
} from './test-store.ts';

const center = 'b00c5000-0000-4000-8000-000000000001';

export function passcodesContract(make: MakeTestStore<Passcodes & Pick<StoreParts, 'sql'>>): void {
  const test = testsOf(make, ({ store: passcodes, clock }) => {
    const send = (id: string, change: { code?: string; isShared?: boolean; subject?: typeof anna } = {}) =>
      passcodes.open({
        id,
        center,
        subject: anna,
        link: `link-${id}`,
        code: '123456',
        endsAt: clock.now() + 10 * minute,
        isShared: false,
        ...change,
      });
    return { passcodes, send };
  });

  suite('Passcodes', () => {
    test('A passcode signs in its person, once, also at the fifth try', async ({ passcodes, send }) => {
      await send('a');
      for (const code of ['1', '2', '3', '4']) await passcodes.tryCode('a', center, code);
      assert.equal(await passcodes.isTryable('a', center), true);
      assert.deepEqual(await passcodes.tryCode('a', center, '123456'), { kind: 'right', subject: anna });
      assert.equal(await passcodes.isTryable('a', center), false);
      assert.deepEqual(await passcodes.tryCode('a', center, '123456'), { kind: 'over' });
      assert.deepEqual(await passcodes.takeLink('link-a', center), { kind: 'over', subject: anna });
    });

    test('A passcode counts five of many wrong tries at once, each once, on two processes', async (used) => {
      const { passcodes, beside, send } = used;
      await send('a');
      const tried = await atOnce([passcodes, beside], 12, (one, index) =>
        one.tryCode('a', center, `00000${index}`),
      );
      const left = tried.flatMap((answer) => (answer.kind === 'wrong' ? [answer.left] : []));
      assert.deepEqual(left.toSorted(), [0, 1, 2, 3, 4]);
      assert.equal(await passcodes.isTryable('a', center), false);
      assert.equal((await passcodes.tryCode('a', center, '123456')).kind, 'over');
      const link = await passcodes.findLink('link-a', center);
      assert.equal(link.kind, 'right', 'wrong tries do not end the link');
    });

    test('Passcodes and links end after ten minutes', async ({ passcodes, clock, send }) => {
      await send('a');
      await send('b');
      clock.at += 10 * minute - 1;
      assert.equal((await passcodes.tryCode('a', center, '123456')).kind, 'right');
      clock.at += 1;
      assert.equal(await passcodes.isTryable('b', center), false);
      assert.equal((await passcodes.tryCode('b', center, '123456')).kind, 'over');
      assert.deepEqual(await passcodes.takeLink('link-b', center), { kind: 'over', subject: anna });
    });

    test('A passcode belongs to one center and one message', async ({ passcodes, send }) => {
      await send('a', { code: '111111' });
      await send('b', { code: '222222' });
      assert.equal((await passcodes.tryCode('a', center, '222222')).kind, 'wrong');
      assert.equal((await passcodes.tryCode('a', 'another', '111111')).kind, 'over');
      assert.equal(await passcodes.isTryable('a', 'another'), false);
      assert.equal((await passcodes.tryCode('never', center, '111111')).kind, 'over');
      assert.equal((await passcodes.takeLink('link-a', 'another')).kind, 'unknown');
      assert.equal((await passcodes.takeLink('link-never', center)).kind, 'unknown');
    });

    test('A shared message is found again by a visitor who asks for the same receiver, while it is valid', async (used) => {
      const { passcodes, beside, clock, send } = used;
      assert.equal(await beside.findShared(center, anna), undefined);
      await send('own');
      assert.equal(await beside.findShared(center, anna), undefined);
      await send('first', { isShared: true });
      clock.at += 1;
      await send('second', { isShared: true, code: '12345678' });
      assert.deepEqual(await beside.findShared(center, anna), { id: 'second', digits: 8 });
      assert.equal(await beside.findShared(center, omar), undefined);
      assert.equal(await beside.findShared('another', anna), undefined);
      await passcodes.tryCode('second', center, '12345678');
      assert.deepEqual(await beside.findShared(center, anna), { id: 'first', digits: 6 });
      clock.at += 10 * minute;
      assert.equal(await beside.findShared(center, anna), undefined);
    });

    test('One of many concurrent callers signs in by the right code, or by the link, on two processes', async (used) => {
      const { passcodes, beside, send } = used;
      await send('a');
      await send('b');
      const codes = await atOnce([passcodes, beside], 8, (one) => one.tryCode('a', center, '123456'));
      assert.equal((await beside.findLink('link-b', center)).kind, 'right', 'reading uses nothing up');
      const links = await atOnce([passcodes, beside], 8, (one) => one.takeLink('link-b', center));
      for (const answers of [codes, links])
        assert.deepEqual(answers.map(({ kind }) => kind).toSorted(), [...Array(7).fill('over'), 'right']);
    });

    test('The code or the link signs in, never both at once', async ({ passcodes, beside, send }) => {
      for (const id of ['a', 'b', 'c', 'd']) {
        await send(id);
        const answers = await Promise.all([
          passcodes.tryCode(id, center, '123456'),
          beside.takeLink(`link-${id}`, center),
        ]);
        assert.equal(answers.filter(({ kind }) => kind === 'right').length, 1);
      }
    });

    test('Passcodes stay valid after a restart, and across a rotation of keys', async (used) => {
      const { passcodes, beside, another, end, send } = used;
      await send('a');
      await end(passcodes, beside);
      const rotated = await another([laterSecret, secret]);
      assert.equal((await rotated.findLink('link-a', center)).kind, 'right');
      assert.deepEqual(await rotated.tryCode('a', center, '123456'), { kind: 'right', subject: anna });
    });

    test('All messages to a person end together; a link is then over, a passcode is only wrong', async (used) => {
      const { passcodes, beside, send } = used;
      await send('a');
      await send('b');
      await send('other', { subject: omar });
      await beside.endOf(anna);
      assert.deepEqual(await passcodes.findLink('link-a', center), { kind: 'over', subject: anna });
      assert.deepEqual(await passcodes.takeLink('link-a', center), { kind: 'over', subject: anna });
      assert.deepEqual(await passcodes.tryCode('b', center, '000000'), { kind: 'wrong', left: 4 });
      assert.deepEqual(await passcodes.tryCode('b', center, '123456'), { kind: 'wrong', left: 3 });
      assert.equal((await passcodes.tryCode('other', center, '123456')).kind, 'right');
      await send('c');
      const later = await passcodes.tryCode('c', center, '123456');
      assert.equal(later.kind, 'right', 'a message that was sent later is valid');
    });

    for (const column of ['subject', 'link'])
      test(`A row with the ${column} of another row signs no one in`, async ({ passcodes, send, sql }) => {
        await send('a');
        await send('b', { subject: omar });
        const kinds = async () =>
          (await Promise.all(['link-a', 'link-b'].map((link) => passcodes.findLink(link, center)))).map(
            ({ kind }) => kind,
          );
        assert.deepEqual(await kinds(), ['right', 'right']);
        await exchanged(sql, 'passcode', 'id', column);
        assert.ok(!(await kinds()).includes('right'));
      });

    test('Passcodes are deleted at their end', async ({ passcodes, clock, send }) => {
      await send('a');
      clock.at += 10 * minute;
      assert.equal(await passcodes.sweep(), 0);
      clock.at += 1;
      assert.equal(await passcodes.sweep(), 1);
      assert.equal((await passcodes.findLink('link-a', center)).kind, 'unknown');
      assert.equal((await passcodes.takeLink('link-a', center)).kind, 'unknown');
      assert.equal((await passcodes.tryCode('a', center, '123456')).kind, 'over');
    });
  });
}
