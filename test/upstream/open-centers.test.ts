import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { Center } from '../../src/core/model/center/center.ts';
import { Problem } from '../../src/core/model/problem.ts';
import { createOpenCenters } from '../../src/upstream/open-centers.ts';
import { codeOf, platformAt, startScripted } from './scripted-platform.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const aCenter = (id: string) => ({ id }) as Center;

/** A platform whose list and centers a test changes; it counts the calls. */
function open({ hasFile = false }: { hasFile?: boolean } = {}) {
  const world = {
    at: 1_000_000_000,
    listed: [idOf(1), idOf(2)] as readonly string[],
    fault: undefined as Problem | undefined,
    /** Results that come first, once each. */
    once: [] as (Problem | readonly string[])[],
    empty: [] as readonly string[],
    lists: 0,
    reads: 0,
  };
  const list = async () => {
    world.lists += 1;
    const once = world.once.shift() ?? world.fault ?? world.listed;
    if (once instanceof Problem) throw once;
    return once.map((id) => ({ id }));
  };
  const kept = new Map<string, Center>();
  const centers = createOpenCenters({
    cache: {
      kept: (id) => kept.get(id),
      find(id) {
        world.reads += 1;
        if (!world.empty.includes(id)) kept.set(id, aCenter(id));
        return Promise.resolve(kept.get(id));
      },
    },
    list: hasFile ? undefined : list,
    clock: { now: () => world.at },
    log: undefined,
  });
  return { world, kept, find: async (id: string) => (await centers.find(id))?.id, look: centers.look };
}

suite('Centers for visitors who are not signed in', () => {
  test('only listed centers are open, unlisted ids cost no calls, and a new center is found within a minute', async () => {
    const { world, find } = open();
    assert.equal(await find(idOf(1)), idOf(1));
    for (let number = 1_000; number < 1_210; number += 1) assert.equal(await find(idOf(number)), undefined);
    assert.deepEqual([world.lists, world.reads], [1, 1]);
    world.listed = [...world.listed, idOf(3)];
    assert.equal(await find(idOf(3)), undefined);
    world.at += minute;
    const found = await Promise.all([idOf(3), idOf(4), idOf(5)].map(find));
    assert.deepEqual(found, [idOf(3), undefined, undefined]);
    assert.deepEqual([world.lists, world.reads], [2, 2]);
  });

  test('a cached center is renewed once in 180 requests', async () => {
    const { world, find } = open();
    for (let times = 0; times < 1_000; times += 1) assert.equal(await find(idOf(1)), idOf(1));
    assert.equal(world.lists, 1);
    assert.ok(world.reads <= 6, `${world.reads} reads`);
  });

  test('a center that was read for a signed-in person is open, listed or not', async () => {
    const { world, kept, find } = open();
    kept.set(idOf(9), aCenter(idOf(9)));
    assert.equal(await find(idOf(9)), idOf(9));
    assert.equal(world.lists, 0);
  });

  test('a center stays open while the list cannot be read, and for a day after it leaves the list', async () => {
    const { world, kept, find } = open();
    await find(idOf(1));
    kept.clear();
    world.at += minute;
    world.fault = new Problem('platform-unreachable');
    assert.equal(await find(idOf(7)), undefined, 'an unlisted center is not open during a failure');
    assert.equal(await find(idOf(2)), idOf(2));
    world.fault = undefined;
    world.listed = [idOf(1)];
    world.at += minute;
    assert.equal(await find(idOf(8)), undefined);
    for (const later of [0, day - minute]) {
      world.at += later;
      kept.clear();
      assert.equal(await find(idOf(2)), idOf(2), `${later} ms later`);
    }
    world.at += 2 * minute;
    kept.clear();
    assert.equal(await find(idOf(2)), undefined);
    assert.equal(await find(idOf(1)), idOf(1));
  });

  test('a center that is missing from one list keeps its place', async () => {
    const { world, kept, find } = open();
    await find(idOf(1));
    world.listed = [];
    world.at += minute;
    await find(idOf(7));
    kept.clear();
    assert.equal(await find(idOf(1)), idOf(1));
    world.listed = [idOf(1)];
    world.at += minute;
    await find(idOf(7));
    world.at += 2 * day;
    kept.clear();
    assert.equal(await find(idOf(1)), idOf(1), 'its absence is forgotten');
  });

  test('a refused list fails every request, and is read once a minute', async () => {
    const { world, find, look } = open();
    world.fault = new Problem('platform-denied');
    for (let times = 0; times < 100; times += 1) assert.equal(await codeOf(find(idOf(1))), 'platform-denied');
    await assert.rejects(look());
    assert.equal(world.lists, 1);
    world.fault = undefined;
    world.at += minute;
    assert.equal(await find(idOf(1)), idOf(1));
  });

  const [refused, unreadable] = [new Problem('platform-refused'), new Problem('platform-unreadable')];
  const wrong = { 'has nothing in it': [], 'is refused': refused, 'cannot be read': unreadable };
  for (const [fault, wrongList] of Object.entries(wrong)) {
    test(`centers are open although the first list ${fault}, because it is read twice`, async () => {
      const { world, find } = open();
      world.once = [wrongList];
      assert.equal(await find(idOf(1)), idOf(1));
      assert.equal(world.lists, 2);
      world.at += minute;
      world.once = [wrongList];
      await find(idOf(7));
      assert.deepEqual([await find(idOf(1)), world.lists], [idOf(1), 3], 'known centers stay');
    });
  }

  test('centers open within seconds after the platform comes back from a failure at the start', async () => {
    const { world, find } = open();
    world.fault = new Problem('platform-unreachable');
    await assert.rejects(find(idOf(1)));
    world.fault = undefined;
    world.at += 5_000;
    assert.equal(await find(idOf(1)), idOf(1));
  });

  test('a listed center without a schema costs one reading a minute', async () => {
    const { world, find } = open();
    world.empty = [idOf(1)];
    for (let times = 0; times < 100; times += 1) assert.equal(await find(idOf(1)), undefined);
    assert.equal(world.reads, 1);
    world.at += minute;
    await find(idOf(1));
    assert.equal(world.reads, 2);
  });

  test('centers of a centers file need no list', async () => {
    const { world, find, look } = open({ hasFile: true });
    await look();
    assert.equal(await find(idOf(77)), idOf(77));
    assert.equal(world.lists, 0);
  });
});

test('all pages of the list are read', async (t: TestContext) => {
  const platform = await startScripted(({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://platform.example');
    if (!pathname.endsWith('/preferencecenters')) return { status: 404 };
    const page = Number(searchParams.get('page'));
    const content = Array.from({ length: page === 2 ? 1 : 100 }, (_, at) => ({ id: idOf(page * 100 + at) }));
    return { body: { content, last: page === 2, totalPages: 3 } };
  });
  const { findOpenCenter, close } = platformAt(platform.url);
  t.after(() => Promise.all([close(), platform.close()]));
  const schemas = () => platform.calls.filter(({ path }) => !path.includes('page=')).length;
  assert.equal(await findOpenCenter(idOf(201)), undefined);
  assert.deepEqual([platform.calls.length, schemas()], [3, 0]);
  assert.equal(await findOpenCenter(idOf(200)), undefined, 'the center is listed, but has no schema');
  assert.ok(schemas() > 0);
});
