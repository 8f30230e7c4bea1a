import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import type { Problem } from '../../src/core/model/problem.ts';
import type { TaskCreate } from '../../src/core/model/staff/task.ts';
import { defaultTimeouts } from '../../src/upstream/limits.ts';
import { singlePageId } from './recorded.ts';
import { anna, emptyRecord, faultOf, openPlatform, platformAt, type Scripted } from './scripted-platform.ts';

const start = `{"DataSubjectId":"${anna}","Purposes":[`;

/** Time-outs that are never reached, except where the fault is a missing answer: there they are short. */
function timeoutsFor(code: string, shortMs = 100) {
  const ms = code === 'platform-slow' ? shortMs : 60_000;
  return { subjectRead: ms, subjectWrite: ms, staff: ms, token: ms, breakerOpen: 1 };
}

/** The fault of a call; asserts that it holds nothing of the person, the token or the answer. */
async function quietFaultOf(call: Promise<unknown>): Promise<Problem> {
  const fault = await faultOf(call);
  assert.doesNotMatch([fault.message, fault.cause, fault.stack].join(' '), /anna@|token-1|canary/);
  return fault;
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(start);
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}

function endsWithin(headers: Readonly<Record<string, string>>, how: 'destroy' | 'end') {
  return (response: ServerResponse) => {
    response.writeHead(200, headers);
    response.write(start, () => response.socket?.[how]());
  };
}

const [slow, unreachable, unreadable] = ['platform-slow', 'platform-unreachable', 'platform-unreadable'];
const refused = 'platform-refused';
const cutOff = (response: ServerResponse) => void response.socket?.destroy();
const badAnswers: readonly [name: string, answer: Scripted, code: string][] = [
  ['says nothing', () => undefined, slow],
  ['drips for ever', drip, slow],
  ['is cut off in its body', endsWithin({ 'content-length': '1000' }, 'destroy'), unreachable],
  ['is half closed in its body', endsWithin({ 'transfer-encoding': 'chunked' }, 'end'), unreachable],
  ['is cut off before it answers', cutOff, unreachable],
  ['has more than 2 MiB', { body: `"${'x'.repeat(2 * 1024 * 1024)}"` }, unreadable],
  ['is garbage', { body: '\u0000\u0001garbage canary' }, unreadable],
  ['is empty', { body: '' }, unreadable],
  ['is cut in half', { body: start }, unreadable],
  ['is a list', { body: '[]' }, unreadable],
  ['is nested a million deep', { body: '['.repeat(1_000_000) }, unreadable],
  ['is a redirect', { status: 302, headers: { location: '/canary' } }, unreadable],
  ['is a 500 with a page', { status: 500, body: `<h1>canary ${anna}</h1>` }, unreachable],
  ['is a 503', { status: 503, body: '' }, unreachable],
  ['is a 409 with words', { status: 409, body: { message: 'canary' } }, refused],
  ['is a 418', { status: 418, body: 'canary' }, refused],
];

/** One bad answer of each kind for writes and tokens; all bad answers are tried with a read. */
const kinds = [
  ...['says nothing', 'is cut off in its body', 'is cut off before it answers', 'is garbage', 'is empty'],
  ...['is a redirect', 'is a 500 with a page', 'is a 418'],
];
const oneOfEachKind = badAnswers.filter(([name]) => kinds.includes(name));

describe('a subject read', () => {
  for (const [name, answer, code] of badAnswers) {
    it(`a read whose answer ${name} is ${code}, in time`, async (t) => {
      const timeouts = { ...timeoutsFor(code), token: 60_000 };
      const { platform, read } = await openPlatform(t, { answer: () => answer, options: { timeouts } });
      await platform.signIn();
      assert.equal((await quietFaultOf(read())).code, code);
    });
  }

  it('a read ends within 5 seconds, and a write within 8', () => {
    assert.ok(defaultTimeouts.subjectRead <= 5_000 && defaultTimeouts.center <= 5_000);
    assert.ok(defaultTimeouts.subjectWrite <= 8_000);
  });

  it('a read waits for a slow token no longer than for its own answer', async (t) => {
    const options = { timeouts: { ...timeoutsFor(slow), token: 60_000 } };
    const { server, read } = await openPlatform(t, { token: () => () => undefined, options });
    assert.equal((await quietFaultOf(read())).code, 'platform-slow');
    assert.equal(server.calls.length, 0);
  });

  it('a read that its caller aborts ends, and does not open the breaker', async (t) => {
    let isSilent = true;
    const { read } = await openPlatform(t, { answer: () => (isSilent ? () => undefined : emptyRecord) });
    for (let call = 0; call < 10; call += 1) await quietFaultOf(read({ signal: AbortSignal.timeout(10) }));
    isSilent = false;
    assert.deepEqual((await read()).purposes, []);
  });

  it('a read is repeated once when the connection breaks, and a write never', async (t) => {
    const answer = (_seen: unknown, place: number) => (place === 1 ? cutOff : emptyRecord);
    const { server, read } = await openPlatform(t, { answer });
    await read();
    assert.equal(server.calls.length, 2);
    const other = await openPlatform(t, { answer });
    assert.equal((await quietFaultOf(other.withdraw())).code, 'platform-unreachable');
    assert.equal(other.server.calls.length, 1);
  });
});

describe('a task', () => {
  it('a task is created by one call, and the fault says whether the task may exist', async () => {
    for (const [name, answer, code] of oneOfEachKind) {
      const options = { timeouts: { ...timeoutsFor(code, 1_000), token: 60_000 } };
      await using parts = await openPlatform(undefined, { answer: () => answer, options });
      const fault = await quietFaultOf(parts.platform.createTask({ taskName: 'x' } as TaskCreate));
      assert.equal(fault.answerLost, code !== refused && !name.includes('redirect'), name);
      assert.equal(parts.server.calls.length, 1, name);
    }
  });
});

describe('a failing token endpoint', () => {
  it('a write that gets no token is not sent, so its answer is not lost', async () => {
    for (const [name, answer, code] of oneOfEachKind) {
      const options = { timeouts: timeoutsFor(code) };
      await using parts = await openPlatform(undefined, { token: () => answer, options });
      const fault = await quietFaultOf(parts.withdraw());
      assert.equal(fault.answerLost, false, name);
      assert.equal(parts.server.calls.length, 0, name);
    }
  });
});

describe('a platform', () => {
  async function listen(server: Server) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const platform = platformAt(`http://127.0.0.1:${port}`, { timeouts: { token: 1_000 } });
    return { platform, end: () => new Promise((resolve) => server.close(resolve)) };
  }
  const lines: Readonly<Record<string, [talk: (socket: Socket) => void, code: string]>> = {
    'speaks no HTTP': [(socket) => socket.end('SSH-2.0-canary\r\n'), unreadable],
    'hangs up at once': [(socket) => socket.destroy(), unreachable],
    'sends headers without end': [
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write(`x-filler: ${'y'.repeat(4_096)}\r\n`), 1);
        socket.on('close', () => clearInterval(timer));
      },
      unreadable,
    ],
  };
  for (const [name, [talk, code]] of Object.entries(lines)) {
    it(`a platform that ${name} is ${code}`, async () => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => talk(socket));
      });
      const { platform, end } = await listen(server);
      assert.equal((await quietFaultOf(platform.readSubject(singlePageId, anna))).code, code);
      await Promise.all([platform.close(), end()]);
    });
  }

  it('a platform that does not listen is platform-unreachable', async () => {
    const { platform, end } = await listen(createServer());
    await end();
    const { code, answerLost } = await quietFaultOf(platform.withdrawAll(singlePageId, anna));
    assert.deepEqual([code, answerLost], [unreachable, false]);
    await platform.close();
  });
});
