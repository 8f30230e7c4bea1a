import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it, test } from 'node:test';
import { type Center, everyPurpose } from '../../src/core/model/center/center.ts';
import { recorded, singlePageId } from './recorded.ts';
import { codeOf, openPlatform, type Scripted, witness } from './scripted-platform.ts';

const single = recorded('01_v1_schema.json') as Record<string, unknown>;
const root = recorded('07_v2_root_schema.json') as Record<string, unknown>;
const page = recorded('08_v2_page_schema.json') as Record<string, unknown>;
const pageId = String(page['id']);
const otherPage = '497c4383-2c61-4906-aed0-660e3fd03e02';

const [v1, v2] = ['/v1/preferencecenters/', '/v2/preferencecenters/'];
const pagesOf = (center: Center | undefined) => center?.pages.map(({ id }) => id);

type Answers = Partial<Record<'single' | 'root' | 'page' | 'other', Scripted>>;

/** A tenant with a script for each address; any other address is 404. */
function tenant(answers: Answers) {
  return ({ path }: { path: string }): Scripted => {
    const parts = { [v1]: answers.single, [v2]: answers.root, [otherPage]: answers.other, '': answers.page };
    const [, answer] = Object.entries(parts).find(([part]) => path.includes(part)) ?? [];
    return answer ?? { status: 404, body: '' };
  };
}

/** A tenant that answers the first call of an address with `first`. */
function otherwiseOnce(answers: Answers, address: string, first: Scripted) {
  const answer = tenant(answers);
  let asked = 0;
  return {
    asked: () => asked,
    answer(call: { path: string }): Scripted {
      if (!call.path.includes(address)) return answer(call);
      asked += 1;
      return asked === 1 ? first : answer(call);
    },
  };
}

async function find(answers: Answers): Promise<Center | string | undefined> {
  // The time-outs are long, because the schemas are large and the machine may be busy.
  const options = { timeouts: { schema: 60_000, center: 60_000 } };
  await using parts = await openPlatform(undefined, { answer: tenant(answers), options });
  const finding = parts.platform.findCenter(singlePageId);
  const code = await codeOf(finding);
  return code === 'ok' ? finding : code;
}

const multi: Answers = {
  single: { body: { ...single, Template: 'MULTIPAGE' } },
  root: { body: root },
  page: { body: page },
};
const twoPages = {
  ...root,
  pages: [
    ...(root['pages'] as unknown[]),
    { id: otherPage, order: 1, languages: [{ name: 'Other', language: 'en-us' }] },
  ],
};

describe('the family of a center', () => {
  const missed = [{ status: 404, body: '' }, { status: 400 }, { body: { Status: 400 } }];
  const cases: readonly [name: string, answers: Answers, reads: string | undefined, lifeSpan?: number][] = [
    ['single page', { single: { body: single } }, 'enhanced', 7889238],
    ['MULTIPAGE, with purposes that v1 knows', multi, 'multipage', 7889238],
    ['multi page, unknown to v1', { ...multi, single: { status: 404, body: '' } }, 'multipage'],
    ['multi page, refused by v1', { ...multi, single: { status: 400 } }, 'multipage'],
    ['multi page, refused in v1', { ...multi, single: { body: { Status: 400 } } }, 'multipage'],
    ['unknown everywhere', {}, undefined],
    ['unknown by two 400s', { single: { status: 400 }, root: { status: 400 } }, undefined],
    ['unknown by its Status', { single: { body: { Status: 400 } } }, undefined],
    ['MULTIPAGE without a root', { single: multi.single ?? {} }, 'platform-unreadable'],
    ['unreachable', { ...multi, single: { status: 500 } }, 'platform-unreachable'],
    ['multi page with an unreachable root', { ...multi, root: { status: 500 } }, 'platform-unreachable'],
    ['multi page with a garbled root', { ...multi, root: { body: '<html>' } }, 'platform-unreadable'],
    ['forbidden', { single: { status: 403 } }, 'platform-denied'],
  ];
  for (const [name, answers, reads, lifeSpan] of cases) {
    it(`a center that is ${name} reads as ${reads ?? 'none'}`, async () => {
      const found = await find(answers);
      assert.equal(typeof found === 'object' ? found.template : found, reads);
      if (typeof found !== 'object') return;
      const item = found.pages[0]?.sections[0]?.items[0];
      assert.equal(item?.kind === 'purpose' ? item.purpose.lifeSpan : 'no purpose', lifeSpan);
    });
  }

  for (const missing of missed) {
    it(`a MULTIPAGE center is whole although v1 fails once: ${JSON.stringify(missing)}`, async (t) => {
      const { answer, asked } = otherwiseOnce(multi, v1, missing);
      const { platform } = await openPlatform(t, { answer });
      const found = await platform.findCenter(singlePageId);
      assert.equal(found?.template, 'multipage');
      assert.equal(asked(), 2);
      const known = new Set(found && everyPurpose(found).map(({ id }) => id));
      for (const { Id } of single['Purposes'] as { Id: string }[]) assert.ok(known.has(Id.toLowerCase()), Id);
    });
  }

  it('a page that one reading does not find is read again, so that half a center is never shown', async (t) => {
    const answers = { ...multi, root: { body: twoPages }, other: { body: { ...page, id: otherPage } } };
    const { answer } = otherwiseOnce(answers, otherPage, { status: 404 });
    const { platform } = await openPlatform(t, { answer });
    assert.deepEqual(pagesOf(await platform.findCenter(singlePageId)), [pageId, otherPage]);
  });

  const section = (page['sections'] as object[])[0];
  const bare = { ...section, purposes: null, elements: [], customDataElements: null };
  const emptied: readonly [answers: Answers, address: string, body: object][] = [
    ...[null, []].flatMap((nothing): [Answers, string, object][] => [
      [{ single: { body: single } }, v1, { ...single, Purposes: nothing }],
      [multi, v2, { ...root, pages: nothing }],
      [multi, pageId, { ...page, sections: nothing }],
    ]),
    [multi, pageId, { ...page, sections: [null, bare] }],
    [multi, v1, { Template: 'MULTIPAGE', Purposes: null }],
    ...[v1, v2, pageId].map((address): [Answers, string, object] => [multi, address, {}]),
  ];
  it('an empty schema is read again', async () => {
    for (const [answers, address, body] of emptied) {
      const whole = await find(answers);
      const { answer, asked } = otherwiseOnce(answers, address, { body });
      await using parts = await openPlatform(undefined, { answer });
      const found = await parts.platform.findCenter(singlePageId);
      assert.equal(asked(), 2, `${address} ${JSON.stringify(body).slice(0, 200)}`);
      assert.ok(found !== undefined && typeof whole === 'object');
      assert.deepEqual({ ...found, revision: '' }, { ...whole, revision: '' });
    }
  });

  it('a center that is empty in two readings exists without purposes', async () => {
    const found = await find({ single: { body: { ...single, Purposes: null } } });
    assert.ok(typeof found === 'object');
    assert.deepEqual(everyPurpose(found), []);
  });

  it('a page that cannot be read fails the whole center', async () => {
    const answers = { ...multi, root: { body: twoPages } };
    assert.equal(await find({ ...answers, other: { status: 500 } }), 'platform-unreachable');
    assert.equal(await find({ ...answers, other: { body: 'x' } }), 'platform-unreadable');
  });

  it('an unknown page is left out, and noted', async (t) => {
    const { metrics, drops } = witness();
    const { platform } = await openPlatform(t, {
      answer: tenant({ ...multi, root: { body: twoPages } }),
      options: { metrics, imageHosts: () => ['example.com'] },
    });
    const center = await platform.findCenter(singlePageId);
    assert.deepEqual(pagesOf(center), [pageId]);
    const words = 'A page that the platform does not know was left out';
    assert.deepEqual(center?.unread, [{ code: 'left-out', words }]);
    assert.deepEqual(drops, [{ center: singlePageId, count: 1 }]);
  });

  it('a center of more than 50 pages is refused, and none of its pages is read', async (t) => {
    const pages = Array.from({ length: 51 }, (_, at) => ({ id: pageId.slice(0, -2) + String(10 + at) }));
    const answer = tenant({ ...multi, root: { body: { ...root, pages } } });
    const { platform, server } = await openPlatform(t, { answer });
    await assert.rejects(platform.findCenter(singlePageId), { code: 'platform-unreadable' });
    assert.equal(server.calls.length, 2, 'v1 and the root');
  });

  it('a center is refused if its schemas have more than 8 MiB together', async () => {
    const sized = (bytes: number) => ({ body: { ...page, filling: 'x'.repeat(bytes) } });
    const answers = { ...multi, root: { body: twoPages }, page: sized(4_000_000) };
    assert.equal(typeof (await find({ ...answers, other: sized(3_900_000) })), 'object');
    const list = { body: { ...single, Template: 'MULTIPAGE', filling: 'x'.repeat(500_000) } };
    assert.equal(await find({ ...answers, other: sized(3_900_000), single: list }), 'platform-unreadable');
  });

  it('the revision is a hash of the whole center', async () => {
    const found = await find({ ...multi, root: { body: twoPages }, other: { body: page } });
    assert.ok(typeof found === 'object');
    // Told members are not shown to people, so they are not part of the revision.
    const { revision, told, ...center } = found;
    assert.ok(told.length > 0);
    assert.ok(center.pages.length > 1);
    const whole = createHash('sha256').update(JSON.stringify(center));
    assert.equal(revision, whole.digest('base64url').slice(0, 22));
  });

  it('a capture holds the schemas word for word', async (t) => {
    const { platform } = await openPlatform(t, { answer: tenant(multi) });
    const raw = await platform.captureCenter(singlePageId);
    assert.deepEqual(raw?.root, root);
    assert.deepEqual(raw?.pages, [{ id: pageId, schema: page }]);
  });
});

test('the revision changes exactly when a schema changes, even if only a Version does', async () => {
  const revision = async (answers: Answers) => String(Object(await find(answers)).revision);
  const raised = (schema: object) =>
    JSON.parse(JSON.stringify(schema).replaceAll(/("[Vv]ersion":)2/g, '$1 3')) as Record<string, unknown>;
  const first = await revision(multi);
  assert.match(first, /^[\w-]{22}$/);
  assert.equal(await revision(multi), first);
  const revisions = [
    first,
    await revision({ ...multi, page: { body: { ...page, displayUnsubscribeAll: false, isHidden: true } } }),
    await revision({ ...multi, page: { body: raised(page) } }),
    await revision({ ...multi, root: { body: { ...root, autoCheckTopics: true } } }),
    await revision({ single: { body: single } }),
    await revision({ single: { body: raised(single) } }),
  ];
  assert.equal(new Set(revisions).size, revisions.length);
});
