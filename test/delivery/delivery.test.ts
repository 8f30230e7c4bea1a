import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ConsentAnswer } from '../../src/core/model/consent-update.ts';
import { noIntent } from '../../src/core/model/intent.ts';
import { Problem, type ProblemCode } from '../../src/core/model/problem.ts';
import { aCenter, anElement, aPurpose, purposeOf } from '../core/center-builder.ts';
import { settled } from './fake-time.ts';
import { record } from './scripted-platform.ts';
import {
  anna,
  anOrder,
  aSubject,
  ben,
  intentOf,
  leaveAll,
  off,
  on,
  openWorkbench,
  outcomes,
  type Workbench,
} from './workbench.ts';

function statuses(bench: Workbench): string {
  return bench.platform
    .subject(anna)
    .purposes.map(({ purpose, status }) => `${purpose}:${status}`)
    .join(' ');
}

function kinds(bench: Workbench): string {
  return bench.platform.calls.map((call) => call.kind).join(' ');
}

/** Submits and lets everything happen that needs no time. */
async function submit(bench: Workbench, ...[request]: Parameters<Workbench['delivery']['submit']>) {
  const { reference } = await bench.delivery.submit(request);
  await bench.delivery.settle();
  return () => bench.delivery.find(reference, request.subject);
}

const answering = (change: (items: ConsentAnswer['items']) => ConsentAnswer['items']) =>
  ({ kind: 'answers', change: (answer: ConsentAnswer) => ({ items: change(answer.items) }) }) as const;

suite('when all goes well', () => {
  test('what is switched on and off is saved with its receipt, and nothing else changes', async (t) => {
    const purposes = [record('a', 'active'), record('c', 'active', ['t1']), record('z', 'active', ['t9'])];
    const bench = openWorkbench({ subjects: [aSubject({ purposes })] });
    t.after(bench.close);
    const intent = intentOf(off('a'), on('b', ['t2']));
    const done = await bench.delivery.submit(anOrder({ intent }), { waitMs: 1000 });
    assert.equal(done.state, 'done');
    assert.equal(outcomes(done), 'a:saved b:saved');
    assert.deepEqual(done.receipts, ['receipt-1']);
    assert.deepEqual(
      done.items.map((item) => item.receipt),
      ['receipt-1', 'receipt-1'],
    );
    assert.deepEqual(
      bench.platform.subject(anna).purposes.map(({ purpose, status, topics }) => [purpose, status, topics]),
      [
        ['a', 'off', []],
        ['c', 'active', ['t1']],
        ['z', 'active', ['t9']],
        ['b', 'active', ['t2']],
      ],
    );
    assert.equal(kinds(bench), 'read put read');
  });

  test('what is already so needs no call', async (t) => {
    const bench = openWorkbench({ subjects: [aSubject({ purposes: [record('a', 'off')] })] });
    t.after(bench.close);
    const found = await submit(bench, anOrder({ intent: intentOf(off('a')) }));
    assert.equal(outcomes(found()), 'a:unchanged');
    assert.equal(kinds(bench), 'read');
  });

  test('a submission is found by the person it belongs to and by no one else', async (t) => {
    const bench = openWorkbench();
    t.after(bench.close);
    const done = await bench.delivery.submit(anOrder({ intent: intentOf(on('a')) }), { waitMs: 1000 });
    assert.equal(bench.delivery.find(done.reference, anna)?.reference, done.reference);
    assert.equal(bench.delivery.find(done.reference, ben), undefined);
    assert.equal(bench.delivery.history('center', anna, { limit: 9, offset: 0 }).total, 1);
    assert.equal(bench.delivery.history('center', ben, { limit: 9, offset: 0 }).total, 0);
    assert.equal(bench.delivery.history('other', anna, { limit: 9, offset: 0 }).total, 0);
    assert.equal(bench.delivery.undoIntent(done.reference, ben), undefined);
  });

  test('typed data and the language are saved when the record agrees', async (t) => {
    const bench = openWorkbench({
      center: aCenter([anElement('e'), anElement('f')]),
      subjects: [aSubject()],
    });
    t.after(bench.close);
    const dataElements = [{ element: 'e', label: 'E', value: 'x' }];
    const found = await submit(bench, anOrder({ intent: { ...noIntent, dataElements, language: 'fr' } }));
    assert.equal(outcomes(found()), 'e:saved fr:saved');
    assert.deepEqual(bench.platform.writes()[0]?.update, {
      purposes: [],
      dataElements: { E: 'x' },
      language: 'fr',
    });
  });
});

suite('the same nonce', () => {
  test('posted fifty times at once makes one PUT and shows the same submission fifty times', async (t) => {
    const bench = openWorkbench();
    t.after(bench.close);
    const request = anOrder({ intent: intentOf(on('a')) });
    const posts = Array.from({ length: 50 }, () => bench.delivery.submit(request, { waitMs: 1000 }));
    const shown = await Promise.all(posts);
    assert.equal(bench.platform.writes().length, 1);
    assert.equal(new Set(shown.map((each) => JSON.stringify(each))).size, 1);
    assert.equal(shown[0]?.state, 'done');
  });

  const others = [
    { what: 'another wish', change: { intent: intentOf(on('b')) } },
    { what: 'another person', change: { subject: ben } },
    { what: 'another center', change: { center: 'other' } },
  ];
  for (const { what, change } of others) {
    test(`with ${what} is refused`, async (t) => {
      const bench = openWorkbench();
      t.after(bench.close);
      const request = anOrder({ intent: intentOf(on('a')) });
      await submit(bench, request);
      await assert.rejects(
        bench.delivery.submit({ ...request, ...change }),
        (fault) => fault instanceof Problem && fault.code === 'nonce-reused',
      );
      assert.equal(bench.platform.writes().length, 1);
    });
  }

  test('after a restart shows the stored result and calls no one', async (t) => {
    const bench = openWorkbench();
    const request = anOrder({ intent: intentOf(on('a')) });
    await submit(bench, request);
    const restarted = bench.restart();
    t.after(restarted.close);
    const again = await restarted.delivery.submit(request, { waitMs: 1000 });
    assert.equal(again.state, 'done');
    assert.equal(bench.platform.writes().length, 1);
  });
});

suite('an answer that is not what it should be', () => {
  const purposes = [record('b', 'active'), record('c', 'active')];
  const cases = [
    {
      what: 'an item with Status false is named, and is not said to be off where the record has it on',
      fault: answering((items) => items.map((item) => ({ ...item, accepted: item.purpose !== 'a' }))),
      after: 'a:unconfirmed b:saved',
    },
    {
      what: 'a missing item is named, and is not said to be off where the record has it on',
      fault: answering((items) => items.filter((item) => item.purpose !== 'a')),
      after: 'a:unconfirmed b:saved',
    },
    {
      what: 'a missing item of something switched off is being carried out until the record is read again',
      fault: answering((items) => items.filter((item) => item.purpose !== 'b')),
      after: 'a:saved b:being-carried-out',
      later: 'a:saved b:saved',
    },
    {
      what: 'of two items about one purpose the one that says no is believed',
      fault: answering((items) =>
        items.flatMap((item) => [item, { ...item, accepted: item.purpose !== 'a' }]),
      ),
      after: 'a:unconfirmed b:saved',
    },
    {
      what: 'a kept purpose that was refused, and is as it was, is not named',
      fault: answering((items) => items.map((item) => ({ ...item, accepted: item.purpose !== 'c' }))),
      after: 'a:saved b:saved',
    },
    {
      what: 'an extra refused item is named',
      fault: answering((items) => [
        ...items,
        { purpose: 'x', accepted: false, receipt: undefined, messages: ['no'] },
      ]),
      after: 'a:saved b:saved x:not-saved',
    },
    {
      what: 'a record that contradicts the answer is believed',
      fault: { kind: 'ignores' } as const,
      after: 'a:in-doubt b:being-carried-out',
      later: 'a:not-saved b:saved',
    },
  ];
  for (const { what, fault, after, later } of cases) {
    test(what, async (t) => {
      const bench = openWorkbench({ subjects: [aSubject({ purposes })], readBackDelaysMs: [] });
      t.after(bench.close);
      bench.platform.script = (call, writes) => (call.kind === 'put' && writes === 1 ? fault : undefined);
      const found = await submit(bench, anOrder({ intent: intentOf(on('a'), off('b')) }));
      assert.equal(outcomes(found()), after);
      bench.delivery.start();
      await bench.time.advance(900_000);
      assert.equal(outcomes(found()), later ?? after);
      await bench.delivery.stop();
    });
  }

  test('a record that agrees a moment later is saved without a second call', async (t) => {
    const bench = openWorkbench({ subjects: [aSubject()], readBackDelaysMs: [300, 1000] });
    t.after(bench.close);
    const stale = bench.platform.subject(anna);
    const fresh = bench.platform.readSubject.bind(bench.platform);
    let reads = 0;
    bench.platform.readSubject = async (center, id) => {
      const now = await fresh(center, id);
      reads += 1;
      return reads === 2 ? stale : now;
    };
    const { reference } = await bench.delivery.submit(anOrder({ intent: intentOf(on('a')) }));
    await bench.time.advance(300);
    assert.equal(outcomes(bench.delivery.find(reference, anna)), 'a:saved');
    assert.equal(bench.platform.writes().length, 1);
  });

  test('double opt-in: accepted and pending on record is waiting for the person, and is not sent again', async (t) => {
    const bench = openWorkbench({ subjects: [aSubject()] });
    t.after(bench.close);
    bench.platform.afterCall = (call) => {
      if (call.kind === 'put') bench.platform.put(aSubject({ purposes: [record('a', 'pending')] }));
    };
    bench.platform.script = (call, writes) =>
      call.kind === 'put' && writes === 1 ? { kind: 'lost', code: 'platform-slow' } : undefined;
    const found = await submit(bench, anOrder({ intent: intentOf(on('a')) }));
    bench.delivery.start();
    await bench.time.advance(120_000);
    assert.equal(outcomes(found()), 'a:waiting');
    assert.equal(bench.platform.writes().length, 1);
    await bench.delivery.stop();
  });
});

suite('a lost answer', () => {
  for (const code of ['platform-slow', 'platform-unreachable', 'platform-unreadable'] as const) {
    test(`(${code}) is found out by reading: no second PUT, and the receipt stays unknown`, async (t) => {
      const bench = openWorkbench({ subjects: [aSubject({ purposes: [record('b', 'active')] })] });
      t.after(bench.close);
      bench.platform.script = (call, writes) =>
        call.kind === 'put' && writes === 1 ? { kind: 'lost', code } : undefined;
      const found = await submit(bench, anOrder({ intent: intentOf(on('a'), off('b')) }));
      assert.equal(outcomes(found()), 'a:in-progress b:being-carried-out');
      bench.delivery.start();
      await bench.time.advance(10_000);
      assert.equal(outcomes(found()), 'a:saved b:saved');
      assert.deepEqual(found()?.receipts, []);
      assert.equal(bench.platform.writes().length, 1);
      await bench.delivery.stop();
    });
  }

  const late = { 'as it was sent': 'a:saved', 'without its topic': 'a:unconfirmed' };
  for (const [how, told] of Object.entries(late))
    test(`of an opt-in is told as it is, ${how}, even when the platform is only there again after its minute`, async (t) => {
      const bench = openWorkbench({ subjects: [aSubject()] });
      t.after(bench.close);
      let isAway = false;
      bench.platform.afterCall = (call) => {
        const topics = told === 'a:saved' ? ['t'] : [];
        if (call.kind === 'put') bench.platform.put(aSubject({ purposes: [record('a', 'active', topics)] }));
      };
      bench.platform.script = (call) => {
        if (isAway) return { kind: 'fails', code: 'platform-unreachable' };
        isAway = call.kind === 'put';
        return isAway ? { kind: 'lost', code: 'platform-slow' } : undefined;
      };
      const found = await submit(bench, anOrder({ intent: intentOf(on('a', ['t'])) }));
      bench.delivery.start();
      await bench.time.advance(600_000);
      assert.equal(outcomes(found()), 'a:in-doubt');
      isAway = false;
      bench.platform.script = () => undefined;
      await bench.time.advance(300_000);
      assert.equal(outcomes(found()), told);
      assert.equal(bench.platform.writes().length, 1);
      await bench.delivery.stop();
    });
});

suite('when the platform is away', () => {
  const away = (code: ProblemCode) => () => ({ kind: 'fails', code }) as const;

  test('a withdrawal is accepted, shown as being carried out, and delivered soon after its return', async (t) => {
    const bench = openWorkbench({ subjects: [aSubject({ purposes: [record('a', 'active')] })] });
    t.after(bench.close);
    bench.platform.script = away('platform-unreachable');
    bench.delivery.start();
    const shown = bench.delivery.submit(anOrder({ intent: intentOf(off('a')) }), { waitMs: 5000 });
    await settled();
    const told = await shown;
    assert.equal(told.state, 'pending');
    assert.equal(outcomes(told), 'a:being-carried-out');
    assert.deepEqual(bench.delivery.withdrawing('center', anna), [off('a')]);
    assert.deepEqual(bench.delivery.withdrawing('center', ben), []);

    await bench.time.advance(600_000);
    assert.equal(bench.platform.statusOf(anna, 'a'), 'active');
    bench.platform.script = () => undefined;
    await bench.time.advance(60_000);
    assert.equal(bench.platform.statusOf(anna, 'a'), 'off');
    assert.equal(outcomes(bench.delivery.find(told.reference, anna)), 'a:saved');
    assert.deepEqual(bench.delivery.withdrawing('center', anna), []);
    await bench.delivery.stop();
  });

  test('forty people’s withdrawals are all delivered within a minute of its return', async (t) => {
    const people = Array.from({ length: 40 }, (_, index) => `p${index}@example.org` as typeof anna);
    const subjects = people.map((id) => aSubject({ id, purposes: [record('a', 'active')] }));
    const bench = openWorkbench({ subjects });
    t.after(bench.close);
    bench.platform.script = away('platform-slow');
    bench.delivery.start();
    for (const subject of people)
      await bench.delivery.submit(anOrder({ subject, intent: intentOf(off('a')) }));
    await bench.time.advance(600_000);
    bench.platform.script = () => undefined;
    await bench.time.advance(60_000);
    assert.deepEqual(
      people.filter((id) => bench.platform.statusOf(id, 'a') !== 'off'),
      [],
    );
    await bench.delivery.stop();
  });

  test('an opt-in and what was typed end as not saved after 60 seconds and are never applied', async (t) => {
    const bench = openWorkbench({ center: aCenter([aPurpose('a'), anElement('e')]), subjects: [aSubject()] });
    t.after(bench.close);
    bench.platform.script = away('platform-unreachable');
    bench.delivery.start();
    const dataElements = [{ element: 'e', label: 'E', value: 'x' }];
    const found = await submit(
      bench,
      anOrder({ intent: { ...intentOf(on('a')), dataElements, language: 'fr' } }),
    );
    assert.equal(outcomes(found()), 'a:in-progress e:in-progress fr:in-progress');
    await bench.time.advance(61_000);
    assert.equal(found()?.state, 'failed');
    assert.equal(outcomes(found()), 'a:not-saved e:not-saved fr:not-saved');
    bench.platform.script = () => undefined;
    await bench.time.advance(3_600_000);
    assert.equal(statuses(bench), '');
    assert.equal(bench.platform.writes().length, 0);
    await bench.delivery.stop();
  });

  test('of a mixed submission only the withdrawal goes on after the minute', async (t) => {
    const bench = openWorkbench({ subjects: [aSubject({ purposes: [record('b', 'active')] })] });
    t.after(bench.close);
    bench.platform.script = away('platform-slow');
    bench.delivery.start();
    const found = await submit(bench, anOrder({ intent: intentOf(on('a'), off('b')) }));
    await bench.time.advance(120_000);
    assert.equal(outcomes(found()), 'a:not-saved b:being-carried-out');
    bench.platform.script = () => undefined;
    await bench.time.advance(60_000);
    assert.equal(outcomes(found()), 'a:not-saved b:saved');
    assert.equal(statuses(bench), 'b:off');
    await bench.delivery.stop();
  });

  test('the minute is looked at immediately before the call: a slow read makes an opt-in too late', async (t) => {
    const bench = openWorkbench({ subjects: [aSubject({ purposes: [record('b', 'active')] })] });
    t.after(bench.close);
    bench.platform.afterCall = (call) => {
      if (call.kind === 'read') bench.time.pass(60_000);
    };
    const found = await submit(bench, anOrder({ intent: intentOf(on('a'), off('b')) }));
    assert.equal(outcomes(found()), 'a:not-saved b:saved');
    assert.equal(statuses(bench), 'b:off');
  });

  for (const seconds of [1, 60, 3600]) {
    test(`Retry-After ${seconds} s is obeyed in full`, async (t) => {
      const bench = openWorkbench({ subjects: [aSubject({ purposes: [record('a', 'active')] })] });
      t.after(bench.close);
      bench.platform.script = () => ({ kind: 'fails', code: 'platform-busy', retryAfter: seconds });
      bench.delivery.start();
      const found = await submit(bench, anOrder({ intent: intentOf(off('a')) }));
      const calls = bench.platform.calls.length;
      bench.platform.script = () => undefined;
      await bench.delivery.submit(anOrder({ intent: intentOf(off('b')) }));
      await bench.time.advance(seconds * 1000 - 1);
      assert.equal(bench.platform.calls.length, calls);
      await bench.time.advance(5000);
      assert.equal(outcomes(found()), 'a:saved');
      await bench.delivery.stop();
    });
  }
});

suite('when the platform refuses', () => {
  test('an opt-in is not saved, and the withdrawal beside it is carried out at once', async (t) => {
    const bench = openWorkbench({ subjects: [aSubject({ purposes: [record('b', 'active')] })] });
    t.after(bench.close);
    bench.platform.script = (call) =>
      call.update?.purposes.some((purpose) => purpose.id === 'a')
        ? { kind: 'fails', code: 'platform-refused' }
        : undefined;
    const found = await submit(bench, anOrder({ intent: intentOf(on('a'), off('b')) }));
    assert.equal(outcomes(found()), 'a:not-saved b:saved');
  });

  test('a withdrawal goes on slowly, and what the person wants later need not wait for it', async (t) => {
    const bench = openWorkbench({ subjects: [aSubject({ purposes: [record('a', 'active')] })] });
    t.after(bench.close);
    bench.delivery.start();
    bench.platform.script = (call, writes) =>
      call.kind === 'put' && writes === 1 ? { kind: 'fails', code: 'platform-refused' } : undefined;
    const left = await submit(bench, anOrder({ intent: intentOf(off('a')) }));
    assert.equal(outcomes(left()), 'a:being-carried-out');
    const joined = await submit(bench, anOrder({ intent: intentOf(on('b')) }));
    assert.equal(outcomes(joined()), 'b:saved');
    assert.equal(statuses(bench), 'a:off b:active', 'what is being switched off is in no set that is sent');
    bench.platform.script = () => undefined;
    await bench.time.advance(301_000);
    assert.equal(outcomes(left()), 'a:saved');
    assert.equal(statuses(bench), 'a:off b:active');
    await bench.delivery.stop();
  });

  for (const [what, intent] of [
    ['one purpose', intentOf(off('a'))],
    ['everything', leaveAll],
  ] as const) {
    test(`a refused withdrawal of ${what} does not take back what the person switched on since`, async (t) => {
      const bench = openWorkbench({
        subjects: [aSubject({ purposes: [record('a', 'active'), record('b', 'active')] })],
      });
      t.after(bench.close);
      bench.delivery.start();
      bench.platform.script = (call) =>
        call.kind === 'delete' ||
        (call.kind === 'put' && !call.update?.purposes.some((each) => each.id === 'a'))
          ? { kind: 'fails', code: 'platform-refused' }
          : undefined;
      await submit(bench, anOrder({ intent }));
      const back = await submit(bench, anOrder({ intent: intentOf(on('a')) }));
      assert.equal(outcomes(back()), 'a:saved');
      bench.platform.script = () => undefined;
      await bench.time.advance(700_000);
      assert.equal(bench.platform.statusOf(anna, 'a'), 'active');
      assert.equal(bench.platform.statusOf(anna, 'b'), intent === leaveAll ? 'off' : 'active');
      assert.deepEqual(bench.delivery.withdrawing('center', anna), []);
      await bench.delivery.stop();
    });
  }

  test('a center that is gone ends an opt-in, and holds up no withdrawal', async (t) => {
    const bench = openWorkbench({ subjects: [aSubject({ purposes: [record('a', 'active')] })] });
    t.after(bench.close);
    bench.platform.findCenter = async () => undefined;
    const found = await submit(bench, anOrder({ intent: intentOf(off('a'), on('b')) }));
    assert.equal(outcomes(found()), 'a:saved b:not-saved');
  });
});

suite('leaving what is only on by default', () => {
  const undrawn = [purposeOf('d', { onByDefault: true })];
  const center = aCenter([aPurpose('a', { onByDefault: true }), aPurpose('b')], { undrawn });
  const purposes = [record('b', 'active', ['t'])];

  test('puts a refusal on record: without it, then with it and at once without it', async (t) => {
    const bench = openWorkbench({ center, subjects: [aSubject({ purposes })] });
    t.after(bench.close);
    const found = await submit(bench, anOrder({ intent: intentOf(off('a')) }));
    assert.equal(outcomes(found()), 'a:saved');
    assert.equal(statuses(bench), 'b:active a:off');
    assert.equal(kinds(bench), 'read put read put put read');
    assert.deepEqual(
      bench.platform.writes().map((call) => call.update?.purposes.map((purpose) => purpose.id)),
      [['b'], ['b', 'a'], ['b']],
    );
  });

  for (const [whose, on, told, left, made] of [
    ['somebody', purposes, 'b:saved a:saved d:saved', 'b:off a:off d:off', 'read delete read put read'],
    [
      'somebody with nothing on record',
      [],
      'a:saved d:saved',
      'a:off d:off',
      'read read delete read read put read read',
    ],
  ] as const) {
    test(`of everything of ${whose} is carried out by PUT where the DELETE is refused`, async (t) => {
      const bench = openWorkbench({ center, subjects: [aSubject({ purposes: on })] });
      t.after(bench.close);
      bench.platform.script = (call) =>
        call.kind === 'delete' ? { kind: 'fails', code: 'platform-refused' } : undefined;
      const found = await submit(bench, anOrder({ intent: leaveAll }));
      assert.equal(outcomes(found()), told);
      assert.equal(statuses(bench), left);
      assert.equal(kinds(bench), `${made} put put read`);
    });
  }

  test('of everything puts refusals on record after the DELETE', async (t) => {
    const bench = openWorkbench({ center, subjects: [aSubject({ purposes })] });
    t.after(bench.close);
    const found = await submit(bench, anOrder({ intent: leaveAll }));
    assert.equal(outcomes(found()), 'b:saved a:saved d:saved');
    assert.equal(statuses(bench), 'b:off a:off d:off');
    assert.equal(kinds(bench), 'read delete read put put read');
  });

  for (const lost of [1, 2, 3]) {
    for (const kind of ['lost', 'fails'] as const) {
      test(`ends with a refusal on record when call ${lost} ${kind === 'lost' ? 'loses its answer' : 'fails'}`, async (t) => {
        const bench = openWorkbench({ center, subjects: [aSubject({ purposes })] });
        t.after(bench.close);
        bench.platform.script = (call, writes) =>
          call.kind === 'put' && writes === lost ? { kind, code: 'platform-slow' } : undefined;
        bench.delivery.start();
        const found = await submit(bench, anOrder({ intent: intentOf(off('a')) }));
        await bench.time.advance(60_000);
        assert.equal(outcomes(found()), 'a:saved');
        assert.equal(statuses(bench), 'b:active a:off');
        await bench.delivery.stop();
      });
    }
  }

  test('is kept on when the platform never records it, and still being carried out', async (t) => {
    const bench = openWorkbench({ center, subjects: [aSubject({ purposes })] });
    t.after(bench.close);
    bench.platform.script = (call) => (call.kind === 'put' ? { kind: 'ignores' } : undefined);
    const found = await submit(bench, anOrder({ intent: intentOf(off('a')) }));
    assert.equal(outcomes(found()), 'a:being-carried-out');
    assert.equal(bench.platform.writes().length, 3);
  });
});

suite('leaving everything', () => {
  const purposes = [
    record('a', 'active'),
    record('z', 'active'),
    record('l', 'always-active'),
    record('o', 'off'),
  ];

  test('withdraws all, drawn or not, and what is always active where the record says so', async (t) => {
    const bench = openWorkbench({ subjects: [aSubject({ purposes })] });
    t.after(bench.close);
    const found = await submit(bench, anOrder({ intent: leaveAll }));
    assert.equal(outcomes(found()), 'a:saved z:saved l:saved');
    assert.deepEqual(new Set(found()?.items.map((item) => item.receipt)), new Set(['receipt-1']));
    assert.equal(found()?.everything, true);
  });

  test('names as locked what is always active and stays so', async (t) => {
    const bench = openWorkbench({ subjects: [aSubject({ purposes })] });
    t.after(bench.close);
    bench.platform.afterCall = (call) => {
      const left = bench.platform.subject(anna).purposes;
      const kept = left.map((each) => (each.purpose === 'l' ? record('l', 'always-active') : each));
      if (call.kind === 'delete') bench.platform.put(aSubject({ purposes: kept }));
    };
    const found = await submit(bench, anOrder({ intent: leaveAll }));
    assert.equal(outcomes(found()), 'a:saved z:saved l:locked');
  });

  for (const kind of ['lost', 'fails'] as const) {
    test(`tells of what is always active by the record when the DELETE ${kind === 'lost' ? 'loses its answer' : 'fails'}`, async (t) => {
      const bench = openWorkbench({ subjects: [aSubject({ purposes })] });
      t.after(bench.close);
      bench.platform.script = (call, writes) =>
        call.kind === 'delete' && writes === 1 ? { kind, code: 'platform-slow' } : undefined;
      bench.delivery.start();
      const found = await submit(bench, anOrder({ intent: leaveAll }));
      assert.match(outcomes(found()), /l:locked/);
      await bench.time.advance(10_000);
      assert.equal(outcomes(found()), 'a:saved z:saved l:saved');
      await bench.delivery.stop();
    });
  }

  test('withdraws by a PUT what the DELETE left alone', async (t) => {
    const bench = openWorkbench({
      subjects: [aSubject({ purposes: [record('a', 'active'), record('n', 'active')] })],
      readBackDelaysMs: [],
    });
    t.after(bench.close);
    bench.platform.afterCall = (call) => {
      if (call.kind !== 'delete') return;
      bench.platform.put(aSubject({ purposes: [record('a', 'off'), record('n', 'active')] }));
    };
    bench.delivery.start();
    const found = await submit(bench, anOrder({ intent: leaveAll }));
    assert.equal(outcomes(found()), 'a:saved n:being-carried-out');
    assert.equal(bench.delivery.withdrawing('center', anna), 'all');
    await bench.time.advance(10_000);
    assert.equal(outcomes(found()), 'a:saved n:saved');
    assert.deepEqual(
      bench.platform.writes().map((call) => call.kind),
      ['delete', 'put'],
    );
    await bench.delivery.stop();
  });

  test('of nothing is sent all the same, for a reading may have passed over what is on', async (t) => {
    const bench = openWorkbench({ subjects: [aSubject({ purposes: [record('a', 'off')] })] });
    t.after(bench.close);
    const found = await submit(bench, anOrder({ intent: leaveAll }));
    assert.equal(found()?.state, 'done');
    assert.equal(kinds(bench), 'read delete');
  });
});
