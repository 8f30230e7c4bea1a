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

/** A platform whose list and centers a test changes; counts what is asked for. */
function open({ hasFile = false }: { hasFile?: boolean } = {}) {
  const world = {
    at: 1_000_000_000,
    listed: [idOf(1), idOf(2)] as readonly string[],
    fault: undefined as Problem | undefined,
    /** What comes first, once each. */
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

suite('Centers for whoever has no right yet', () => {
  test('are those of the list, and no other id costs a call: a new one is found within a minute.', async () => {
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

  test('are kept as they are, and renewed once in 180 requests.', async () => {
    const { world, find } = open();
    for (let times = 0; times < 1_000; times += 1) assert.equal(await find(idOf(1)), idOf(1));
    assert.equal(world.lists, 1);
    assert.ok(world.reads <= 6, `${world.reads} reads`);
  });

  test('that were read for somebody with a right are there, listed or not.', async () => {
    const { world, kept, find } = open();
    kept.set(idOf(9), aCenter(idOf(9)));
    assert.equal(await find(idOf(9)), idOf(9));
    assert.equal(world.lists, 0);
  });

  test('stay when the list cannot be had, and for a day when they leave it.', async () => {
    const { world, kept, find } = open();
    await find(idOf(1));
    kept.clear();
    world.at += minute;
    world.fault = new Problem('platform-unreachable');
    assert.equal(await find(idOf(7)), undefined, 'what was not listed is not there, whatever is wrong');
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

  test('of an empty list once, and of it again, lose nobody.', async () => {
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

  test('cannot be had where the list is refused, which is said to everybody and asked once a minute.', async () => {
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
  for (const [what, once] of Object.entries(wrong)) {
    test(`are there although the first list ${what}: it is asked for twice.`, async () => {
      const { world, find } = open();
      world.once = [once];
      assert.equal(await find(idOf(1)), idOf(1));
      assert.equal(world.lists, 2);
      world.at += minute;
      world.once = [once];
      await find(idOf(7));
      assert.deepEqual([await find(idOf(1)), world.lists], [idOf(1), 3], 'what is known stays');
    });
  }

  test('come back within seconds after a platform that was away at the start.', async () => {
    const { world, find } = open();
    world.fault = new Problem('platform-unreachable');
    await assert.rejects(find(idOf(1)));
    world.fault = undefined;
    world.at += 5_000;
    assert.equal(await find(idOf(1)), idOf(1));
  });

  test('without a schema cost a reading a minute.', async () => {
    const { world, find } = open();
    world.empty = [idOf(1)];
    for (let times = 0; times < 100; times += 1) assert.equal(await find(idOf(1)), undefined);
    assert.equal(world.reads, 1);
    world.at += minute;
    await find(idOf(1));
    assert.equal(world.reads, 2);
  });

  test('of a centers file need no list.', async () => {
    const { world, find, look } = open({ hasFile: true });
    await look();
    assert.equal(await find(idOf(77)), idOf(77));
    assert.equal(world.lists, 0);
  });
});

test('All pages of the list are read.', async (t: TestContext) => {
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
  assert.equal(await findOpenCenter(idOf(200)), undefined, 'it is listed, and has no schema');
  assert.ok(schemas() > 0);
});
