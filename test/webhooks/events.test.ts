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
/** That the receiver does not know yet. */
const newSecret = Buffer.from('another-secret-of-theirs-1').toString('base64');
const ben = subjectOf('ben@example.org');

/** The real store of events and the real calls, at a time that is told. */
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
  let onTheirWay = 0;
  const sender: WebhookSender = {
    close: calls.close,
    async send(message) {
      onTheirWay += 1;
      return calls.send(message).finally(() => {
        onTheirWay -= 1;
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
    const { reference, ...said } = withdrawal({ subject, off: [purpose], at: time.now() });
    await write(said);
    dispatcher.nudge();
    return `${reference}-0`;
  }

  /** Lets time pass in steps until it is so; fails when it never is. */
  async function until(isSo: () => boolean | Promise<boolean>, step = 0): Promise<void> {
    const last = performance.now() + 120_000;
    while (!(await isSo())) {
      assert.ok(performance.now() < last, 'it never was so');
      await new Promise((resolve) => setTimeout(resolve, onTheirWay > 0 ? 2 : 0));
      // A call takes none of this time.
      if (onTheirWay > 0) continue;
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
    /** Of so many others. */
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

suite('a receiver of events', () => {
  test('that fails is sent the same again, signed by every secret, in each person’s order, and nothing is lost', async (t) => {
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
    const of = (who: string) => receiver.taken.filter(({ body }) => body.data['identifier'] === who);
    assert.deepEqual([idsOf(of(anna)), idsOf(of(ben))], [expected.anna, expected.ben]);
  });

  test('that hangs, or refuses everything, holds up no other one', async (t) => {
    const [hanging, failing] = [await startReceiver(t, hangs), await startReceiver(t, answers(500))];
    const good = await startReceiver(t);
    const rig = await openRig(t, [hanging, failing, good], { timeoutMs: 60_000 });
    await rig.submitOfOthers(30);
    await rig.until(() => good.taken.length === 30);
    assert.ok(hanging.heard.length <= 8, `${hanging.heard.length} at once`);
    assert.equal((await rig.counts(hanging)).waiting, 30);
  });

  test('that comes back after an hour gets everything, once probed, in order', async (t) => {
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
    assert.ok(rig.time.now() - back < 5 * minute, 'what waited for a later retry goes as soon as it answers');
    assert.deepEqual(idsOf(receiver.taken.filter(({ body }) => body.data['identifier'] === anna)), ids);
  });

  test('that fails for three days has it held, until staff send it again', async (t) => {
    const receiver = await startReceiver(t, answers(500));
    const rig = await openRig(t, [receiver]);
    const id = await rig.submit('a');
    await rig.submitOfOthers(5);
    const start = rig.time.now();
    await rig.until(async () => (await rig.counts()).held === 6, 30 * minute);
    assert.ok(rig.time.now() - start >= 3 * day, 'not before');
    assert.ok(receiver.heard.length > 30, `${receiver.heard.length} times`);
    const tried = receiver.heard.length;
    await rig.pass(day);
    assert.equal(receiver.heard.length, tried);
    receiver.behave = takes;
    await rig.sendAgain(receiver);
    await rig.until(() => receiver.taken.length === 6, minute);
    assert.ok(idsOf(receiver.taken).includes(id));
  });

  test('that answers 410 is left alone, and staff can see it', async (t) => {
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

  test('that leads elsewhere is not followed', async (t) => {
    const other = await startReceiver(t);
    const receiver = await startReceiver(t, answers(307, { location: other.url }));
    const rig = await openRig(t, [receiver]);
    await rig.submit('a');
    await rig.until(() => receiver.heard.length === 3, 10_000);
    assert.deepEqual([other.heard.length, (await rig.counts()).waiting], [0, 1]);
  });

  test('that says when to come again is left alone until then, but for no longer than an hour', async (t) => {
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

  for (const [what, then] of [
    ['fails', answers(500)],
    ['goes well', takes],
  ] as const)
    test(`that says when to come again is left alone until then, though another call ${what} after it`, async (t) => {
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

  test('may answer whatever it likes, and as much: only its status counts', async (t) => {
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

suite('receivers of whom there is nothing to tell', () => {
  const idle = async (count: number, dueOf: (now: number) => readonly string[] = () => []) => {
    const time = new FakeTime();
    const asked = { dueOf: 0, claim: [] as string[] };
    const events = {
      async dueOf(_receivers: readonly string[], now: number) {
        asked.dueOf += 1;
        return dueOf(now);
      },
      async claim(receiver: string) {
        asked.claim.push(receiver);
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
    return asked;
  };

  test('cost one question a second, however many they are, and two more for all that is new meanwhile', async () => {
    const asked = await idle(50);
    assert.deepEqual(asked.claim, []);
    assert.ok(asked.dueOf >= 60 && asked.dueOf <= 64, `${asked.dueOf} questions`);
    assert.equal((await idle(0)).dueOf, 0, 'none where nobody is called');
  });

  test('are not asked for beside one of whom there is', async () => {
    const asked = await idle(50, (now) => (now === Date.UTC(2026, 0, 1, 0, 0, 30) ? ['r7'] : []));
    assert.deepEqual(asked.claim, ['r7']);
  });
});

suite('whoever answers as nobody should', () => {
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
  type Answered = readonly [problem: string, answer: (socket: Socket) => void, timeoutMs?: number];
  const answered: Readonly<Record<string, Answered>> = {
    'with nothing, and hangs up': ['unreachable', (socket) => socket.end()],
    'with a line of its head at a time, for ever': ['timeout', head('x: y\r\n'), 300],
    'with a head without end': ['unreachable', head(`x: ${'y'.repeat(50_000)}\r\n`)],
    'that it will answer, for ever': ['timeout', early, 300],
    'with 50 MB in 50 KB': [
      '',
      (socket) => {
        socket.write(`${ok}content-encoding: gzip\r\ncontent-length: ${zeros.length}\r\n\r\n`);
        socket.write(zeros);
      },
    ],
    'with a body without end': ['', (socket) => socket.write(`${ok}content-length: 9\r\n\r\nx`), 2_000],
    'with a body that breaks off': ['', (socket) => socket.end(`${ok}content-length: 9\r\n\r\nx`)],
  };
  for (const [what, [problem, answer, timeoutMs = 20_000]] of Object.entries(answered))
    test(`${what}: ${problem || 'it is taken'}`, async (t) => {
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

suite('nothing is sent', () => {
  /** What becomes of a message to an address. */
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

  test('to an address that is not of the public internet, in whatever form it is written', async (t) => {
    const receiver = await startReceiver(t);
    const send = senderOf(t, 'nothing-else');
    const ours = '127.0.0.1 2130706433 0x7f.1 0.0.0.0 [::1] [::ffff:127.0.0.1] [::ffff:7f00:1]';
    for (const host of ours.split(' '))
      assert.equal(await send(`http://${host}:${receiver.port}/`), 'address-refused', host);
    assert.equal(receiver.connections, 0);
  });

  test('to a name that leads there, be it only later, or beside a public address', async (t) => {
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

  test('to loopback of a name in the sandbox, where loopback itself may be', async (t) => {
    const receiver = await startReceiver(t);
    const send = senderOf(t, 'loopback', async () => ['127.0.0.1']);
    assert.notEqual(await send(`http://crm.example:${receiver.port}/`), 'taken');
    assert.equal(receiver.connections, 0);
    assert.equal(await send(`http://localhost:${receiver.port}/`), 'taken');
  });
});
