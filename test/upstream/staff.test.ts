import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { readTask } from '../../src/upstream/wire-tasks.ts';
import { codeOf, openPlatform } from './scripted-platform.ts';

const guid = '625ba071-61b0-485f-81a0-a2245777b431';
const missing = '00000000-0000-4000-8000-00000000000f';

describe('notices', () => {
  it('notices are read by page and size', async (t) => {
    const { platform, server } = await openPlatform(t, { answer: () => ({ body: { content: [] } }) });
    const { paging } = await platform.listNotices({ page: 3, size: 50 });
    await platform.listNoticeVersions(guid.toUpperCase(), { page: 1, size: 10 });
    const paths = ['?page=3&size=50', `/${guid}/versions?page=1&size=10`];
    for (const [place, { path }] of server.calls.entries())
      assert.equal(path, `/api/privacynotice/v2/privacynotices${paths[place]}`);
    assert.equal(server.calls.length, 2);
    assert.deepEqual([paging.page, paging.size], [3, 50], 'the query replaces what the envelope lacks');
  });

  it('a notice has no version at a date if the platform answers so, even with an empty 500', async () => {
    for (const [status, body, reads] of [
      [404, '', 'ok'],
      [404, { message: 'x' }, 'ok'],
      [500, '', 'ok'],
      [200, { id: guid }, 'ok'],
      [500, { message: 'x' }, 'platform-unreachable'],
      [502, '', 'platform-unreachable'],
      [400, '', 'platform-refused'],
    ] as const) {
      await using parts = await openPlatform(undefined, { answer: () => ({ status, body }) });
      const finding = parts.platform.findNoticeVersion(guid, '2026-01-01T00:00:00');
      assert.equal(await codeOf(finding), reads, `${status} ${JSON.stringify(body)}`);
      if (reads === 'ok') assert.equal(await finding, undefined);
      const path = `/api/privacynotice/v2/privacynotices/${guid}?date=2026-01-01T00%3A00%3A00`;
      assert.equal(parts.server.calls[0]?.path, path);
    }
  });

  it('repeated empty 500 answers for notices do not open the breaker', async (t) => {
    const { platform, server } = await openPlatform(t, { answer: () => ({ status: 500, body: '' }) });
    for (let call = 0; call < 30; call += 1)
      assert.equal(await platform.findNoticeVersion(guid, '2026-01-01'), undefined);
    assert.equal(server.calls.length, 30);
  });

  it('an id that is no GUID finds nothing and causes no call', async (t) => {
    const { platform, server } = await openPlatform(t, { answer: () => ({}) });
    assert.equal(await platform.findNoticeVersion('../x', '2026-01-01'), undefined);
    assert.equal(await platform.listNoticeVersions('x', { page: 0, size: 20 }), undefined);
    assert.equal(await platform.findTask('x?y'), undefined);
    assert.equal(server.calls.length, 0);
  });
});

describe('tasks', () => {
  it('unknown tasks and notices are undefined', async (t) => {
    const { platform } = await openPlatform(t, { answer: () => ({ status: 404, body: '' }) });
    assert.equal(await platform.findTask(missing), undefined);
    assert.equal(await platform.listNoticeVersions(missing, { page: 0, size: 20 }), undefined);
  });

  it('a task needs no member but its id', () => {
    const odd = { status: 'Paused', priority: null, dueDateInfo: 'x', 'Permissions Metadata': { a: 'b' } };
    const unknown = { status: undefined, priority: undefined, dueDate: undefined };
    const read = { ...unknown, id: guid, taskName: '', permissions: {}, assignments: [] };
    assert.partialDeepStrictEqual(readTask({ id: guid, ...odd }), read);
    assert.throws(() => readTask({ taskName: 'x' }), { code: 'platform-unreadable' });
  });
});

test('a list of centers that never ends is read for 50 pages only', async (t) => {
  const content = [{ id: guid, name: 'C' }, null];
  const { platform, server } = await openPlatform(t, { answer: () => ({ body: { content, last: false } }) });
  assert.equal((await platform.listCenters()).length, 1);
  assert.equal(server.calls.length, 50);
});
