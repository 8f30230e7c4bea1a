import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { HttpPlatform, PlatformOptions } from '../../src/upstream/platform.ts';
import { platformAt } from './scripted-platform.ts';

describe('against the stand-in platform', () => {
  let folder: string;
  let sandbox: Sandbox;
  const platforms: HttpPlatform[] = [];
  const open = (options: Partial<PlatformOptions> = {}): HttpPlatform => {
    const platform = platformAt(sandbox.url, options);
    platforms.push(platform);
    return platform;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sayso-upstream-'));
    sandbox = await startSandbox({
      port: 0,
      dataDir: folder,
      clientId: 'client-7',
      clientSecret: 'canary-client-secret',
      log: () => undefined,
    });
  });
  after(async () => {
    await Promise.all(platforms.map((platform) => platform.close()));
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('every center of the list is found whole', async () => {
    const platform = open();
    const listed = await platform.listCenters();
    assert.ok(listed.length >= 3);
    const templates = new Set<string>();
    for (const { id, template } of listed) {
      const center = await platform.findCenter(id);
      assert.ok(center);
      templates.add(center.template);
      assert.equal(center.template, template.toLowerCase());
      assert.deepEqual(center.unread, []);
      assert.ok(center.pages.some(({ sections }) => sections.some(({ items }) => items.length > 0)));
    }
    assert.deepEqual([...templates].sort(), ['enhanced', 'multipage', 'original']);
    assert.equal(await platform.findCenter('00000000-0000-4000-8000-00000000000f'), undefined);
  });

  it('tokens are had in all three ways', async () => {
    for (const tokenStyle of ['multipart', 'urlencoded', 'basic'] as const)
      await open({ tokenStyle }).signIn();
  });

  for (const tokenPerScope of [false, true]) {
    it(`notices and tasks are read and written${tokenPerScope ? ', each with a token of its own scope' : ''}`, async () => {
      const platform = open({ tokenPerScope });
      const { notices } = await platform.listNotices({ page: 0, size: 5 });
      const [notice] = notices;
      assert.ok(notice);
      assert.ok((await platform.listNoticeVersions(notice.id, { page: 0, size: 5 }))?.versions.length);
      assert.equal(await platform.findNoticeVersion(notice.id, '1999-01-01'), undefined);
      const guid = '123e4567-e89b-12d3-a456-426614174000';
      const task = await platform.createTask({
        parentEntityId: guid,
        taskName: 'Check',
        orgGroupId: guid,
        taskTypeNameKey: 'Issue',
        description: undefined,
        assigneeId: undefined,
        assigneeEmail: undefined,
        collaborators: [{ id: guid, email: undefined, type: 'group' }],
        deadline: undefined,
        context: undefined,
        isActive: undefined,
        sourceType: undefined,
        sourceId: undefined,
        resourceId: undefined,
        resourceTypeNameKey: undefined,
        moduleSource: undefined,
        priority: 'high',
        isRequired: undefined,
      });
      assert.deepEqual([task.status, task.priority, task.assignments[0]?.type], ['open', 'high', 'group']);
      assert.equal((await platform.findTask(task.id))?.taskName, 'Check');
    });
  }
});
