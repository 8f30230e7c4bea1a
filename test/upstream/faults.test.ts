import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { Problem } from '../../src/core/model/problem.ts';
import type { TaskCreate } from '../../src/core/model/staff/task.ts';
import type { HttpPlatform } from '../../src/upstream/platform.ts';
import { singlePageId, subjectId } from './recorded.ts';
import { openPlatform, platformAt, type Scripted } from './scripted-platform.ts';

const anna = subjectId('anna@example.org');
const identifier = 'anna@example.org';
const start = `{"DataSubjectId":"${identifier}","Purposes":[`;

/** So long that none is reached, or, where the fault is that nothing comes, so short that the test is. */
function timeoutsFor(code: string, shortMs = 100) {
  const ms = code === 'platform-slow' ? shortMs : 60_000;
  return { subjectRead: ms, subjectWrite: ms, staff: ms, token: ms, breakerOpen: 1 };
}

async function faultOf(call: Promise<unknown>): Promise<Problem> {
  const fault = await call.then(
    () => assert.fail('it was answered'),
    (error: unknown) => error,
  );
  assert.ok(fault instanceof Problem, String(fault));
  const said = [fault.message, String(fault.cause), fault.stack ?? ''].join(' ');
  for (const canary of [identifier, 'token-1', 'canary']) assert.equal(said.includes(canary), false, said);
  return fault;
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(start);
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}

function cut(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': '1000' });
  response.write(start, () => response.socket?.destroy());
}

function halfClose(response: ServerResponse): void {
  response.writeHead(200, { 'transfer-encoding': 'chunked' });
  response.write(start, () => response.socket?.end());
}

const ills: readonly { name: string; answer: Scripted; code: string }[] = [
  { name: 'says nothing', answer: () => undefined, code: 'platform-slow' },
  { name: 'drips for ever', answer: drip, code: 'platform-slow' },
  { name: 'is cut off in its body', answer: cut, code: 'platform-unreachable' },
  { name: 'is half closed in its body', answer: halfClose, code: 'platform-unreachable' },
  {
    name: 'is cut off before it answers',
    answer: (response) => response.socket?.destroy(),
    code: 'platform-unreachable',
  },
  {
    name: 'has more than 2 MiB',
    answer: { body: `"${'x'.repeat(2 * 1024 * 1024)}"` },
    code: 'platform-unreadable',
  },
  { name: 'is garbage', answer: { body: '\u0000\u0001garbage canary' }, code: 'platform-unreadable' },
  { name: 'is empty', answer: { body: '' }, code: 'platform-unreadable' },
  { name: 'is half of it', answer: { body: start }, code: 'platform-unreadable' },
  { name: 'is a list', answer: { body: '[]' }, code: 'platform-unreadable' },
  { name: 'is nested a million deep', answer: { body: '['.repeat(1_000_000) }, code: 'platform-unreadable' },
  {
    name: 'is a redirect',
    answer: { status: 302, headers: { location: '/canary' } },
    code: 'platform-unreadable',
  },
  {
    name: 'is a 500 with a page',
    answer: { status: 500, body: '<h1>canary anna@example.org</h1>' },
    code: 'platform-unreachable',
  },
  { name: 'is a 503', answer: { status: 503, body: '' }, code: 'platform-unreachable' },
  {
    name: 'is a 409 with words',
    answer: { status: 409, body: { message: 'canary' } },
    code: 'platform-refused',
  },
  { name: 'is a 418', answer: { status: 418, body: 'canary' }, code: 'platform-refused' },
];

/** For what is asked of a write or a token: how the answer is wrong is asked of a read. */
const kinds = [
  'says nothing',
  'is cut off in its body',
  'is cut off before it answers',
  'is garbage',
  'is empty',
];
const oneOfEachKind = ills.filter(({ name }) =>
  [...kinds, 'is a redirect', 'is a 500 with a page', 'is a 418'].includes(name),
);

describe('a subject read', () => {
  for (const { name, answer, code } of ills) {
    it(`whose answer ${name} is ${code}, in time`, async (t) => {
      const timeouts = { ...timeoutsFor(code), token: 60_000 };
      const { platform } = await openPlatform(t, { answer: () => answer, options: { timeouts } });
      await platform.signIn();
      assert.equal((await faultOf(platform.readSubject(singlePageId, anna))).code, code);
    });
  }

  it('has a deadline that GET pages can keep: 5 seconds with everything in it; writes 8', async () => {
    const { defaultTimeouts } = await import('../../src/upstream/limits.ts');
    assert.ok(defaultTimeouts.subjectRead <= 5_000 && defaultTimeouts.center <= 5_000);
    assert.ok(defaultTimeouts.subjectWrite <= 8_000);
  });

  it('waits for a slow token no longer than for itself', async (t) => {
    const { platform, server } = await openPlatform(t, {
      answer: () => ({ body: {} }),
      token: () => () => undefined,
      options: { timeouts: { ...timeoutsFor('platform-slow'), token: 60_000 } },
    });
    assert.equal((await faultOf(platform.readSubject(singlePageId, anna))).code, 'platform-slow');
    assert.equal(server.calls.length, 0);
  });

  it('ends when its caller leaves, which is held against nobody', async (t) => {
    let isSilent = true;
    const { platform } = await openPlatform(t, {
      answer: () => (isSilent ? () => undefined : { body: { DataSubjectId: identifier } }),
    });
    for (let call = 0; call < 10; call += 1) {
      await faultOf(platform.readSubject(singlePageId, anna, { signal: AbortSignal.timeout(10) }));
    }
    isSilent = false;
    assert.deepEqual((await platform.readSubject(singlePageId, anna)).purposes, []);
  });

  it('is repeated once when the connection breaks; a write never is', async (t) => {
    const answer = (_seen: unknown, place: number): Scripted =>
      place === 1
        ? (response) => response.socket?.destroy()
        : { body: { DataSubjectId: identifier, Purposes: [] } };
    const { platform, server } = await openPlatform(t, { answer });
    await platform.readSubject(singlePageId, anna);
    assert.equal(server.calls.length, 2);
    const other = await openPlatform(t, { answer });
    assert.equal(
      (await faultOf(other.platform.withdrawAll(singlePageId, anna))).code,
      'platform-unreachable',
    );
    assert.equal(other.server.calls.length, 1);
  });
});

describe('a task', () => {
  const guid = '123e4567-e89b-12d3-a456-426614174000';
  const required = { parentEntityId: guid, taskName: 'x', orgGroupId: guid, taskTypeNameKey: 'Issue' };
  const task = required as TaskCreate;
  it('is created by one call, and the fault says whether it may have happened', async () => {
    for (const { name, answer, code } of oneOfEachKind) {
      await using parts = await openPlatform(undefined, {
        answer: () => answer,
        options: { timeouts: { ...timeoutsFor(code, 1_000), token: 60_000 } },
      });
      const { platform, server } = parts;
      const fault = await faultOf(platform.createTask(task));
      assert.equal(fault.answerLost, code !== 'platform-refused' && !name.includes('redirect'), name);
      assert.equal(server.calls.length, 1, name);
    }
  });
});

describe('a token that cannot be had', () => {
  it('loses no write, for none was asked for', async () => {
    for (const { name, answer, code } of oneOfEachKind) {
      await using parts = await openPlatform(undefined, {
        token: () => answer,
        answer: () => ({}),
        options: { timeouts: timeoutsFor(code) },
      });
      const fault = await faultOf(parts.platform.withdrawAll(singlePageId, anna));
      assert.equal(fault.answerLost, false, name);
      assert.equal(parts.server.calls.length, 0, name);
    }
  });
});

describe('a platform', () => {
  async function listen(server: Server): Promise<HttpPlatform> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return platformAt(`http://127.0.0.1:${port}`, { timeouts: { token: 1_000 } });
  }
  const lines: readonly { name: string; talk: (socket: Socket) => void; code: string }[] = [
    {
      name: 'speaks no HTTP',
      talk: (socket) => socket.end('SSH-2.0-canary\r\n'),
      code: 'platform-unreadable',
    },
    { name: 'hangs up at once', talk: (socket) => socket.destroy(), code: 'platform-unreachable' },
    {
      name: 'sends headers without end',
      talk: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write(`x-filler: ${'y'.repeat(4_096)}\r\n`), 1);
        socket.on('close', () => clearInterval(timer));
      },
      code: 'platform-unreadable',
    },
  ];
  for (const { name, talk, code } of lines) {
    it(`that ${name} is ${code}`, async () => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => talk(socket));
      });
      const platform = await listen(server);
      assert.equal((await faultOf(platform.readSubject(singlePageId, anna))).code, code);
      await platform.close();
      await new Promise((resolve) => server.close(resolve));
    });
  }

  it('that is not there is platform-unreachable', async () => {
    const server = createServer();
    const platform = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const fault = await faultOf(platform.withdrawAll(singlePageId, anna));
    assert.deepEqual([fault.code, fault.answerLost], ['platform-unreachable', false]);
    await platform.close();
  });
});
