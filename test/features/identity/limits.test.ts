import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Request } from 'express';
import { readSubjectId, type SubjectId } from '../../../src/core/model/person/subject.ts';
import { Problem } from '../../../src/core/model/problem.ts';
import { createLimits } from '../../../src/features/identity/limits.ts';
import { openRateCounters } from '../../../src/store/rate-counters.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { reading } from '../../../src/store/sql.ts';
import { books as center } from '../../kit/sandbox-ids.ts';
import { inMemory } from '../../store/on-both.ts';

const minute = 60_000;

const countRows = reading`SELECT count(*) AS count FROM rate_counter`;

/** The limits with a real store and a clock to set. An address `known.…` asks from a known browser. */
function someLimits({ mostMessages = 2_000 } = {}) {
  const clock = { at: 1_800_000_000_000, now: () => clock.at };
  const sql = inMemory(clock);
  const rateCounters = openRateCounters({ sql, seal: createSeal(['x'.repeat(32)]) });
  const heard: string[] = [];
  const limits = createLimits({
    rateCounters,
    clock,
    mostMessages,
    known: { find: (_request, subject) => (subject.startsWith('known.') ? 'a browser' : undefined) },
    observer: {
      wrongPasscode: () => {},
      message: () => {},
      alert: (event) => heard.push(event),
    },
  });
  const from = (ip: string) => ({ ip }) as Request;
  const guarded = async <T>(use: () => Promise<T>): Promise<T | 'refused'> => {
    try {
      return await use();
    } catch (fault) {
      assert.ok(fault instanceof Problem && fault.code === 'too-many-requests');
      assert.ok((fault.retryAfter ?? 0) > 0);
      return 'refused';
    }
  };
  return {
    clock,
    heard,
    limits,
    rows: async () => Number((await sql.get(countRows))?.['count']),
    sweep: () => rateCounters.sweep(),
    ask: (ip: string, address: string, hasLink = false) =>
      guarded(() => limits.message(from(ip), { center, subject: someone(address), hasLink })),
    /** Tries one passcode, by default a wrong one; `taken` means that it was checked. */
    guess: (ip: string, digits: 6 | 8, { address = 'anna@example.org', outcome = 'wrong' }: Guess = {}) =>
      guarded(async () => {
        const attempt = await limits.attempt(from(ip), { subject: someone(address), digits });
        if (attempt === 'link-only') return attempt;
        await attempt.settle(outcome);
        return 'taken';
      }),
  };
}

interface Guess {
  readonly address?: string;
  readonly outcome?: 'right' | 'wrong' | 'over';
}

/** Calls `act` several times, each after the end of the one before. */
async function inTurn<T>(times: number, act: (n: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let n = 0; n < times; n += 1) answers.push(await act(n));
  return answers;
}

function someone(text: string): SubjectId {
  return readSubjectId(text) ?? assert.fail(text);
}

const hex = (number: number) => number.toString(16);
const four = (number: number) => `${10 + (number >> 16)}.${(number >> 8) & 0xff}.${number & 0xff}.7`;

suite('Messages and tries', () => {
  test('a client has 40 messages and 40 tries, and its neighbour has its own', async () => {
    const { ask, guess } = someLimits();
    const asked = await inTurn(50, (n) => ask('203.0.113.7', `x${n}@example.org`));
    assert.equal(asked.filter((answer) => answer !== 'refused').length, 40);
    const guessed = await inTurn(50, (n) => guess('203.0.113.7', n % 2 === 0 ? 6 : 8));
    assert.equal(guessed.filter((answer) => answer === 'taken').length, 40);
    assert.notEqual(await ask('203.0.113.8', 'anna@example.org'), 'refused');
  });

  test('the installation limits messages to strangers, apart from known browsers and holders of a link', async () => {
    const { ask, heard, clock } = someLimits({ mostMessages: 100 });
    const asked = await inTurn(300, (n) => ask(four(n * 300), `x${n}@example.org`));
    assert.equal(asked.filter((answer) => answer !== 'refused').length, 100);
    assert.deepEqual(heard, ['the bound of sign-in messages is reached']);
    assert.notEqual(await ask('203.0.113.7', 'known.anna@example.org'), 'refused');
    assert.notEqual(await ask('203.0.113.7', 'has.a.link@example.org', true), 'refused');
    clock.at += 61 * minute;
    assert.notEqual(await ask('203.0.113.7', 'anna@example.org'), 'refused');
  });
});

suite('One address', () => {
  test('an address gets six messages an hour from strangers, at most seven in any, and one is always valid', async () => {
    const { ask, clock } = someLimits();
    const start = clock.at;
    const sentAt: number[] = [];
    let goodUntil = 0;
    for (let n = 0; n < 24 * 60; n += 1) {
      const allowance = await ask(four(n * 300), 'anna@example.org');
      assert.ok(allowance !== 'refused');
      if (allowance.kind === 'message') {
        assert.equal(allowance.isShared, true);
        sentAt.push(clock.at);
        goodUntil = clock.at + allowance.minutes * minute;
      }
      assert.ok(goodUntil - clock.at >= 10 * minute, `${goodUntil - clock.at} ms are left at ${clock.at}`);
      clock.at += minute;
    }
    const inHourFrom = (from: number) => sentAt.filter((at) => at >= from && at < from + 60 * minute).length;
    assert.equal(inHourFrom(start), 6);
    assert.ok(sentAt.length <= 24 * 6 + 2, `${sentAt.length}`);
    const worst = Math.max(...sentAt.map(inHourFrom));
    assert.ok(worst <= 7, `${worst} in one hour`);
  });

  test('a known browser and a link have messages of their own, which strangers do not touch', async () => {
    const { ask } = someLimits();
    const known = 'known.anna@example.org';
    const own = await inTurn(6, () => ask('203.0.113.7', known));
    for (const allowance of own)
      assert.deepEqual(allowance, { kind: 'message', minutes: 10, isShared: false });
    const after = await ask('203.0.113.7', known);
    assert.ok(after !== 'refused' && after.kind === 'message' && after.isShared, 'then as a stranger');
    const linked = await inTurn(7, () => ask('203.0.113.8', 'anna@example.org', true));
    const ofLink = linked.filter((each) => each !== 'refused' && each.kind === 'message' && !each.isShared);
    assert.equal(ofLink.length, 6);
  });
});

suite('Wrong passcodes', () => {
  test('wrong passcodes make new ones longer in that hour and the next, and no more two hours later', async () => {
    const { guess, limits, heard, clock } = someLimits();
    for (let n = 0; n < 49; n += 1) await guess(four(n * 300), n % 2 === 0 ? 6 : 8);
    assert.equal(await limits.digits(), 6);
    await guess(four(999_999), 6);
    assert.equal(await limits.digits(), 8);
    assert.deepEqual(heard, ['passcodes have 8 digits now']);
    clock.at += 60 * minute;
    assert.equal(await limits.digits(), 8);
    clock.at += 61 * minute;
    assert.equal(await limits.digits(), 6);
    assert.equal(heard.at(-1), 'passcodes have 6 digits now');
  });

  for (const [digits, most] of [
    [6, 200],
    [8, 5_000],
  ] as const) {
    test(`after ${most} wrong passcodes of ${digits} digits in an hour only known browsers may try one`, async () => {
      const { guess, heard, clock } = someLimits();
      const answers = await inTurn(most + 200, (n) => guess(four(n * 300), digits));
      assert.equal(answers.filter((answer) => answer === 'taken').length, most);
      assert.ok(answers.slice(most).every((answer) => answer === 'link-only'));
      assert.equal(await guess('203.0.113.7', digits, { address: 'known.anna@example.org' }), 'taken');
      assert.equal(await guess('203.0.113.7', digits === 6 ? 8 : 6), 'taken', 'the other length is taken');
      assert.ok(heard.includes(`passcodes of ${digits} digits are not taken for the rest of the hour`));
      clock.at += 60 * minute;
      assert.equal(await guess('203.0.113.7', digits), 'taken');
    });
  }
});

suite('Many requests at once', () => {
  test('requests at once get no more tries and no more wrong passcodes than the limits allow', async () => {
    const { guess } = someLimits();
    const taken = async (count: number, from: (n: number) => string) => {
      const answers = await Promise.all(Array.from({ length: count }, (_, n) => guess(from(n), 6)));
      return answers.filter((answer) => answer === 'taken').length;
    };
    assert.equal(await taken(60, () => '203.0.113.7'), 40);
    assert.equal(await taken(400, (n) => four(n * 300)), 200 - 40);
    assert.equal(await guess('203.0.113.9', 6), 'link-only');
  });

  test('a right passcode counts only as a try, and a passcode of an ended message does not count', async () => {
    const { guess } = someLimits();
    await inTurn(300, (n) => guess(four(n * 300), 6, { outcome: 'right' }));
    assert.equal(await guess('203.0.113.7', 6), 'taken');
    await inTurn(100, () => guess('203.0.113.8', 6, { outcome: 'over' }));
    await inTurn(40, () => guess('203.0.113.8', 6, { outcome: 'right' }));
    assert.equal(await guess('203.0.113.8', 6), 'refused');
  });
});

suite('The limit of the whole installation', () => {
  test('a refusal by the installation uses up no message of an address, also in requests at once', async () => {
    const { ask, clock } = someLimits({ mostMessages: 20 });
    await inTurn(19, (n) => ask(four(n * 300), `x${n}@example.org`));
    clock.at += 59 * minute;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => ask(four(n * 300), `anna${n % 4}@example.org`)),
    );
    assert.equal(answers.filter((answer) => answer !== 'refused').length, 1);
    clock.at += 2 * minute;
    for (const name of ['anna0', 'anna1', 'anna2', 'anna3']) {
      const own = await ask('203.0.113.7', `${name}@example.org`);
      assert.ok(own !== 'refused' && own.kind === 'message', `${name} has a message`);
    }
  });

  test('a refusal by the installation uses up no message of a known browser or a link', async () => {
    const { ask, clock } = someLimits({ mostMessages: 5 });
    await inTurn(5, (n) => ask(four(n * 300), `known.x${n}@example.org`));
    clock.at += 59 * minute;
    const proven = [
      ['known.anna@example.org', false],
      ['jonas@example.org', true],
    ] as const;
    for (const [address, hasLink] of proven) await inTurn(8, (n) => ask(four(n * 300), address, hasLink));
    clock.at += 2 * minute;
    for (const [address, hasLink] of proven) {
      const own = await ask('203.0.113.7', address, hasLink);
      assert.ok(own !== 'refused' && own.kind === 'message' && !own.isShared, `${address} has a message`);
    }
  });
});

suite('A refused request', () => {
  test('a refused request writes no row, and written rows go soon after their time', async () => {
    const { ask, guess, rows, sweep, clock } = someLimits({ mostMessages: 50 });
    for (let n = 0; n < 200; n += 1) await ask(four(n * 300), `x${n}@example.org`);
    for (let n = 0; n < 250; n += 1) await guess(four(n * 300), 6);
    const written = await rows();
    for (let n = 1_000; n < 3_000; n += 1) {
      assert.equal(await ask(four(n * 300), `x${n}@example.org`), 'refused');
      assert.equal(await guess(four(n * 300), 6), 'link-only');
      assert.equal(await ask(`2001:db8:${hex(n)}::1`, 'x0@example.org'), 'refused');
    }
    assert.equal(await rows(), written);
    clock.at += 121 * minute;
    while ((await sweep()) > 0);
    assert.equal(await rows(), 0);
  });
});
