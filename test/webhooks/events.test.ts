import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { everyEventType } from '../../src/core/model/submission/center-event.ts';
import type { WebhookSender } from '../../src/ports/events.ts';
import { sqliteDialect } from '../../src/store/drivers/sqlite/dialect.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { eventTables } from '../../src/store/event-tables.ts';
import { sendEvents } from '../../src/webhooks/events.ts';
import { createWebhookSender, type SenderOptions } from '../../src/webhooks/sender.ts';
import { FakeTime, settled } from '../delivery/fake-time.ts';
import { newFolder } from '../kit/folder.ts';
import { openNode, withdrawal } from '../store/contract/event-fixture.ts';
import { anna, seal, subject as subjectOf } from '../store/contract/test-store.ts';
import { answers, hangs, receiverSecret, startReceiver, type TestReceiver, takes } from './receiver.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** A secret that the receiver does not know yet. */
const newSecret = Buffer.from('another-secret-of-theirs-1').toString('base64');
const ben = subjectOf('ben@example.org');

/** The real store of events and the real calls, with a clock that the test sets. */
async function openRig(
  t: TestContext,
  receivers: readonly { readonly url: string }[],
  options: Partial<SenderOptions> = {},
) {
  const time = new FakeTime();
  const file = join(newFolder(t), 'journal.sqlite');
  const routes = () => ({ receivers: receivers.map(({ url }) => ({ id: url, types: everyEventType })) });
  const sql = openSqlite({ file, layout: eventTables(sqliteDialect), clock: time });
  const { events, write } = await openNode({ sql, seal, routes });
  const calls = createWebhookSender({ clock: time, allows: 'loopback', timeoutMs: 300, ...options });
  let openCalls = 0;
  const sender: WebhookSender = {
    close: calls.close,
    async send(message) {
      openCalls += 1;
      return calls.send(message).finally(() => {
        openCalls -= 1;
      });
    },
  };
  const warnings: string[] = [];
  let made = 0;
  const dispatcher = sendEvents({
    receivers: receivers.map(({ url }) => ({
      id: url,
      center: 'center',
      host: 'receiver',
      url,
      secrets: [newSecret, receiverSecret],
    })),
    events,
    sender,
    clock: time,
    timer: time,
    jitter: () => 0.5,
    random: { id: () => `owner-${++made}` },
    log: {
      warn: (_fields, event) => warnings.push(event),
      error: (fields, event) => assert.fail(`${event} ${JSON.stringify(fields)}`),
    },
    observer: { sent: () => undefined },
  });
  t.after(async () => {
    await sender.close();
    await dispatcher.stop();
    await sql.close();
  });
  dispatcher.start();
  async function submit(purpose: string, subject = anna): Promise<string> {
    const { reference, ...event } = withdrawal({ subject, off: [purpose], at: time.now() });
    await write(event);
    dispatcher.nudge();
    return `${reference}-0`;
  }

  /** Lets time pass in steps until the condition is true; fails after two minutes of real time. */
  async function until(condition: () => boolean | Promise<boolean>, step = 0): Promise<void> {
    const last = performance.now() + 120_000;
    while (!(await condition())) {
      assert.ok(performance.now() < last, 'the condition never became true');
      await new Promise((resolve) => setTimeout(resolve, openCalls > 0 ? 2 : 0));
      // A call takes no time of this clock.
      if (openCalls > 0) continue;
      time.pass(step);
      dispatcher.nudge();
      await settled();
    }
  }

  return {
    time,
    warnings,
    submit,
    until,
    /** Submits a withdrawal of each of `count` other people. */
    async submitOfOthers(count: number) {
      for (let person = 0; person < count; person += 1)
        await submit('a', subjectOf(`p${person}@example.org`));
    },
    async counts(receiver = receivers[0]) {
      const [found] = await events.queuesOf([receiver?.url ?? ''], 100);
      const { waiting = 0, held = 0, stoppedAt } = found ?? {};
      return { waiting, held, stopped: stoppedAt !== undefined };
    },
    async pass(milliseconds: number) {
      const end = time.now() + milliseconds;
      await until(() => time.now() >= end, milliseconds / 10);
    },
    sendAgain: (receiver: TestReceiver) => events.sendAgain(receiver.url, time.now()),
  };
}

const idsOf = (messages: readonly { readonly id: string }[]) => messages.map(({ id }) => id);

suite('A receiver of events', () => {
  test('a failing receiver gets each event again, signed by every secret, in the order of each person', async (t) => {
    let times = 0;
    const receiver = await startReceiver(t, (response, heard) => {
      times += 1;
      (times % 3 === 0 ? takes : answers(500))(response, heard);
    });
    const rig = await openRig(t, [receiver]);
    const expected = { anna: [] as string[], ben: [] as string[] };
    for (const purpose of ['a', 'b', 'c', 'd']) {
      expected.anna.push(await rig.submit(purpose));
      expected.ben.push(await rig.submit(purpose, ben));
    }
    await rig.until(() => receiver.taken.length === 8, minute);
    const of = (person: string) => receiver.taken.filter(({ body }) => body.data['identifier'] === person);
    assert.deepEqual([idsOf(of(anna)), idsOf(of(ben))], [expected.anna, expected.ben]);
  });

  test('a hanging or failing receiver does not delay another one', async (t) => {
    const [hanging, failing] = [await startReceiver(t, hangs), await startReceiver(t, answers(500))];
    const good = await startReceiver(t);
    const rig = await openRig(t, [hanging, failing, good], { timeoutMs: 60_000 });
    await rig.submitOfOthers(30);
    await rig.until(() => good.taken.length === 30);
    assert.ok(hanging.heard.length <= 8, `${hanging.heard.length} at once`);
    assert.equal((await rig.counts(hanging)).waiting, 30);
  });

  test('a receiver that answers after an hour gets all events in order', async (t) => {
    const receiver = await startReceiver(t);
    await receiver.close();
    const rig = await openRig(t, [receiver]);
    const ids: string[] = [];
    for (const purpose of ['a', 'b', 'c']) ids.push(await rig.submit(purpose));
    await rig.submitOfOthers(10);
    await rig.pass(hour);
    assert.deepEqual(rig.warnings, ['a receiver of events fails']);
    await receiver.open();
    const back = rig.time.now();
    await rig.until(() => receiver.taken.length === 13, 1_000);
    assert.ok(rig.time.now() - back < 5 * minute, 'waiting events are sent as soon as it answers');
    assert.deepEqual(idsOf(receiver.taken.filter(({ body }) => body.data['identifier'] === anna)), ids);
  });

  test('events are held after three days of failures, until staff send them again', async (t) => {
    const receiver = await startReceiver(t, answers(500));
    const rig = await openRig(t, [receiver]);
    const id = await rig.submit('a');
    await rig.submitOfOthers(5);
    const start = rig.time.now();
    await rig.until(async () => (await rig.counts()).held === 6, 30 * minute);
    assert.ok(rig.time.now() - start >= 3 * day, 'the events are not held earlier');
    assert.ok(receiver.heard.length > 30, `${receiver.heard.length} times`);
    const tried = receiver.heard.length;
    await rig.pass(day);
    assert.equal(receiver.heard.length, tried);
    receiver.behave = takes;
    await rig.sendAgain(receiver);
    await rig.until(() => receiver.taken.length === 6, minute);
    assert.ok(idsOf(receiver.taken).includes(id));
  });

  test('a receiver that answers 410 is stopped, and staff can see it', async (t) => {
    const receiver = await startReceiver(t, answers(410));
    const rig = await openRig(t, [receiver]);
    const id = await rig.submit('a');
    await rig.until(async () => (await rig.counts()).stopped);
    await rig.submit('b', ben);
    await rig.pass(hour);
    assert.equal(receiver.heard.length, 1);
    assert.deepEqual(rig.warnings, ['a receiver of events wants no more']);
    assert.deepEqual(await rig.counts(), { waiting: 2, held: 0, stopped: true });
    receiver.behave = takes;
    await rig.sendAgain(receiver);
    await rig.until(() => receiver.taken.length === 2, 1_000);
    assert.ok(idsOf(receiver.taken).includes(id));
  });

  test('a redirect is not followed', async (t) => {
    const other = await startReceiver(t);
    const receiver = await startReceiver(t, answers(307, { location: other.url }));
    const rig = await openRig(t, [receiver]);
    await rig.submit('a');
    await rig.until(() => receiver.heard.length === 3, 10_000);
    assert.deepEqual([other.heard.length, (await rig.counts()).waiting], [0, 1]);
  });

  test('Retry-After is followed for at most an hour', async (t) => {
    const receiver = await startReceiver(t, answers(429, { 'retry-after': '1800' }));
    const rig = await openRig(t, [receiver]);
    await rig.submit('a');
    await rig.until(() => receiver.heard.length === 1);
    await rig.pass(10);
    await rig.submit('a', ben);
    await rig.pass(29 * minute);
    assert.equal(receiver.heard.length, 1);
    await rig.until(() => receiver.heard.length >= 2, minute);
    assert.ok(rig.time.now() < Date.UTC(2026, 0, 1) + 40 * minute);
  });

  for (const [result, then] of [
    ['fails', answers(500)],
    ['succeeds', takes],
  ] as const)
    test(`Retry-After is followed although another call ${result} after it`, async (t) => {
      const receiver = await startReceiver(t);
      const held: (() => void)[] = [];
      receiver.behave = (response, heard) => {
        if (heard.body.data['identifier'] === anna) answers(503, { 'retry-after': '1800' })(response, heard);
        else held.push(() => then(response, heard));
      };
      const rig = await openRig(t, [receiver], { timeoutMs: 20_000 });
      await rig.submit('a', ben);
      await rig.until(() => held.length === 1, 0);
      await rig.submit('a');
      await rig.until(async () => (await rig.counts()).waiting === 2 && receiver.heard.length === 2);
      await new Promise((resolve) => setTimeout(resolve, 50));
      held[0]?.();
      await rig.pass(1_000);
      await rig.submit('a', subjectOf('carl@example.org'));
      await rig.pass(29 * minute);
      assert.equal(receiver.heard.length, 2);
      receiver.behave = takes;
      await rig.until(async () => (await rig.counts()).waiting === 0, minute);
    });

  test('only the status of an answer counts, whatever its body and length', async (t) => {
    let sent = 0;
    const receiver = await startReceiver(t, (response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const more = (fault?: Error | null) => {
        if (sent > 50_000_000 || fault) return;
        sent += 65_536;
        response.write(Buffer.alloc(65_536, 'x'), more);
      };
      more();
    });
    const rig = await openRig(t, [receiver], { timeoutMs: 15_000 });
    await rig.submit('a');
    await rig.until(async () => (await rig.counts()).waiting === 0);
    assert.ok(sent < 20_000_000, `${sent} bytes`);
  });
});

suite('Receivers without due events', () => {
  const idle = async (count: number, dueOf: (now: number) => readonly string[] = () => []) => {
    const time = new FakeTime();
    const counts = { dueOf: 0, claim: [] as string[] };
    const events = {
      async dueOf(_receivers: readonly string[], now: number) {
        counts.dueOf += 1;
        return dueOf(now);
      },
      async claim(receiver: string) {
        counts.claim.push(receiver);
        return undefined;
      },
    };
    const unused = () => assert.fail('nothing is to be sent');
    const dispatcher = sendEvents({
      receivers: Array.from({ length: count }, (_, index) => ({
        id: `r${index}`,
        center: 'center',
        host: 'receiver',
        url: '',
        secrets: [],
      })),
      events: { ...events, sent: unused, postpone: unused, stop: unused, makeDue: unused, hold: unused },
      sender: { send: unused, close: async () => undefined },
      clock: time,
      timer: time,
      random: { id: () => 'x' },
      log: { warn: unused, error: unused },
      observer: { sent: unused },
    });
    dispatcher.start();
    await time.advance(60_000);
    for (let times = 0; times < 100; times += 1) dispatcher.nudge();
    await settled();
    await dispatcher.stop();
    return counts;
  };

  test('fifty receivers cost one query a second, and two for all new events in between', async () => {
    const counts = await idle(50);
    assert.deepEqual(counts.claim, []);
    assert.ok(counts.dueOf >= 60 && counts.dueOf <= 64, `${counts.dueOf} queries`);
    assert.equal((await idle(0)).dueOf, 0, 'no query without receivers');
  });

  test('an idle receiver is not queried beside one with due events', async () => {
    const counts = await idle(50, (now) => (now === Date.UTC(2026, 0, 1, 0, 0, 30) ? ['r7'] : []));
    assert.deepEqual(counts.claim, ['r7']);
  });
});

suite('A broken answer of a receiver', () => {
  const zeros = gzipSync(Buffer.alloc(50_000_000));
  const again = (socket: Socket, text: string) => {
    const timer = setInterval(() => socket.write(text), 5);
    socket.on('close', () => clearInterval(timer));
  };
  const ok = 'HTTP/1.1 200 OK\r\n';
  const head = (line: string) => (socket: Socket) => {
    socket.write(ok);
    again(socket, line);
  };
  const early = (socket: Socket) => again(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n');
  type BrokenAnswer = readonly [problem: string, answer: (socket: Socket) => void, timeoutMs?: number];
  const broken: Readonly<Record<string, BrokenAnswer>> = {
    'a closed connection': ['unreachable', (socket) => socket.end()],
    'a head that never ends, line by line': ['timeout', head('x: y\r\n'), 300],
    'a head line that never ends': ['unreachable', head(`x: ${'y'.repeat(50_000)}\r\n`)],
    'early hints that never end': ['timeout', early, 300],
    '50 MB packed in 50 KB': [
      '',
      (socket) => {
        socket.write(`${ok}content-encoding: gzip\r\ncontent-length: ${zeros.length}\r\n\r\n`);
        socket.write(zeros);
      },
    ],
    'a body that never ends': ['', (socket) => socket.write(`${ok}content-length: 9\r\n\r\nx`), 2_000],
    'a body that breaks off': ['', (socket) => socket.end(`${ok}content-length: 9\r\n\r\nx`)],
  };
  for (const [title, [problem, answer, timeoutMs = 20_000]] of Object.entries(broken))
    test(`${title}: ${problem || 'the event counts as taken'}`, async (t) => {
      const server = createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => answer(socket));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const sender = createWebhookSender({ clock: { now: () => 0 }, allows: 'loopback', timeoutMs });
      t.after(async () => {
        await sender.close();
        server.close();
      });
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const result = await sender.send({ url, secrets: [receiverSecret], id: 'x', body: '{}' });
      assert.equal(result.kind === 'not-taken' ? result.problem : '', problem);
    });
});

suite('A refused address', () => {
  /** Returns a function that sends a message and resolves with its result. */
  function senderOf(t: TestContext, allows: SenderOptions['allows'], resolve?: SenderOptions['resolve']) {
    const clock = { now: () => 0 };
    const sender = createWebhookSender({ clock, timeoutMs: 2_000, allows, ...(resolve && { resolve }) });
    t.after(() => sender.close());
    return async (url: string) => {
      const result = await sender.send({ url, secrets: [receiverSecret], id: 'x', body: '{}' });
      if (result.kind === 'taken') return 'taken';
      if (result.kind === 'not-taken') assert.equal(result.retryAfterMs, 0);
      return result.problem;
    };
  }

  test('no form of a private address is called', async (t) => {
    const receiver = await startReceiver(t);
    const send = senderOf(t, 'nothing-else');
    const ours = '127.0.0.1 2130706433 0x7f.1 0.0.0.0 [::1] [::ffff:127.0.0.1] [::ffff:7f00:1]';
    for (const host of ours.split(' '))
      assert.equal(await send(`http://${host}:${receiver.port}/`), 'address-refused', host);
    assert.equal(receiver.connections, 0);
  });

  test('no name that resolves to a refused address is called, now or later', async (t) => {
    const receiver = await startReceiver(t);
    let answer = ['127.0.0.1'];
    const resolve = async () => answer;
    const url = `http://crm.example:${receiver.port}/`;
    const strict = senderOf(t, 'nothing-else', resolve);
    const allowing = senderOf(t, 'private-networks', resolve);
    for (const [send, refused] of [
      [strict, [['127.0.0.1'], ['::ffff:127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['fd00::1']]],
      [allowing, [['169.254.169.254'], ['127.0.0.1', '::ffff:a9fe:a9fe'], ['0.0.0.0']]],
    ] as const)
      for (const addresses of refused) {
        answer = [...addresses];
        assert.equal(await send(url), 'address-refused', String(addresses));
      }
    answer = [];
    for (const send of [strict, allowing]) assert.notEqual(await send(url), 'taken');
    assert.equal(receiver.connections, 0);
    answer = ['127.0.0.1'];
    assert.equal(await allowing(url), 'taken');
  });

  test('no name that resolves to loopback is called in the sandbox, where loopback itself is allowed', async (t) => {
    const receiver = await startReceiver(t);
    const send = senderOf(t, 'loopback', async () => ['127.0.0.1']);
    assert.notEqual(await send(`http://crm.example:${receiver.port}/`), 'taken');
    assert.equal(receiver.connections, 0);
    assert.equal(await send(`http://localhost:${receiver.port}/`), 'taken');
  });
});
