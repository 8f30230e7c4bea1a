import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { drawnByDefault } from '../../src/core/consent/form-snapshot.ts';
import { mergeIntent } from '../../src/core/consent/merge.ts';
import { readSubmission } from '../../src/core/consent/submission.ts';
import { type Center, itemsOf } from '../../src/core/model/center/center.ts';
import type { RecordedStatus, Subject } from '../../src/core/model/person/subject.ts';
import type { ConsentUpdate } from '../../src/core/model/submission/consent-update.ts';
import { times } from '../chaos/dice.ts';
import { aCenter, aPreference, aPurpose, record, topics } from './center-builder.ts';
import { aSubject, draw } from './page-builder.ts';

const allTopics = ['t1', 't2', 't3', 't4'];
const allOptions = ['o1', 'o2', 'o3', 'o4'];
const allPreferences = ['p1', 'p2', 'p3'];
const allPurposes = ['a', 'b', 'c', 'd', 'e', 'f'];
const some = (all: readonly string[]) => fc.subarray([...all]);
const rarely = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });

const status = fc.constantFrom<RecordedStatus[]>(
  'active',
  'always-active',
  'implicit',
  'pending',
  'expired',
  'hard-opt-out',
  'off',
);
/** The record of a purpose, whether or not a page shows the purpose. */
const recorded = rarely(
  fc.record({
    status,
    topics: some(allTopics),
    options: fc.array(some(allOptions), { minLength: 3, maxLength: 3 }),
  }),
);
/** The part of a purpose that a page shows; undefined if no page shows the purpose. */
const shownPart = rarely(
  fc.record({
    page: fc.constantFrom('page', 'elsewhere', 'none'),
    topics: some(allTopics),
    preferences: some(allPreferences),
    options: some(allOptions),
    choice: fc.constantFrom('single' as const, 'multiple' as const),
    onByDefault: fc.boolean(),
  }),
);
const person = fc.record({
  isTicked: fc.boolean(),
  topics: some(allTopics),
  option: fc.constantFrom(...allOptions),
  options: some(allOptions),
});
const world = fc.array(fc.record({ recorded, displayed: shownPart, person }), {
  minLength: allPurposes.length,
  maxLength: allPurposes.length,
});
type Line = Parameters<Parameters<typeof world.map>[0]>[0][number];

function centerOf(lines: readonly Line[], confirmsDefaults: boolean): Center {
  const drawnOn = (page: string) =>
    lines.flatMap(({ displayed }, index) => {
      if (displayed?.page !== page) return [];
      const { preferences, options, choice, onByDefault } = displayed;
      return aPurpose(allPurposes[index] ?? '', {
        onByDefault,
        topics: topics(...displayed.topics),
        preferences: preferences.map((id) => aPreference(id, options, { choice })),
      });
    });
  const pages = ['page', 'elsewhere'].flatMap((id) =>
    aCenter(drawnOn(id)).pages.map((page) => ({ ...page, id })),
  );
  const hidden = drawnOn('none').flatMap((item) => (item.kind === 'purpose' ? [item.purpose] : []));
  return aCenter([], { pages, hidden, confirmsDefaults });
}

function subjectOf(lines: readonly Line[]): Subject {
  const purposes = lines.flatMap(({ recorded }, index) => {
    if (recorded === undefined) return [];
    const preferences = allPreferences.map((id, at) => ({ id, options: recorded.options[at] ?? [] }));
    return record(allPurposes[index] ?? '', recorded.status, recorded.topics, preferences);
  });
  return aSubject({ purposes, dataElements: { E: 'kept' } });
}

/** Ticks some of the choices on the page; a browser posts no locked ones. */
function postOf(center: Center, lines: readonly Line[]) {
  const purposes: string[] = [];
  const topicsOf: Record<string, string[]> = {};
  const optionsOf: Record<string, string[]> = {};
  for (const item of itemsOf({ pages: center.pages.slice(0, 1) })) {
    if (item.kind !== 'purpose') continue;
    const { id } = item.purpose;
    const line = lines[allPurposes.indexOf(id)];
    const isLocked = line?.recorded?.status === 'always-active' || line?.recorded?.status === 'hard-opt-out';
    if (line === undefined || isLocked) continue;
    const { isTicked, ...wanted } = line.person;
    if (isTicked) purposes.push(id);
    const offered = (all: readonly { readonly id: string }[], wished: readonly string[]) =>
      all.flatMap((each) => (wished.includes(each.id) ? [each.id] : []));
    topicsOf[id] = offered(item.purpose.topics, wanted.topics);
    for (const { id: preference, choice, options } of item.purpose.preferences)
      optionsOf[`${id}.${preference}`] = offered(
        options,
        choice === 'single' ? [wanted.option] : wanted.options,
      );
  }
  return {
    purposes,
    topics: topicsOf,
    options: optionsOf,
    elements: {},
    subscribeAll: false,
    language: undefined,
  };
}

/** Applies docs/platform-api.md, Update: sent purposes become ACTIVE, absent ACTIVE ones WITHDRAWN. */
function applied(current: Subject, { purposes }: ConsentUpdate): Subject {
  const sent = purposes.map(({ id, topics, preferences }) => {
    const was = current.purposes.find(({ purpose }) => purpose === id)?.status;
    return record(id, was === 'always-active' ? was : 'active', topics, preferences);
  });
  const others = current.purposes
    .filter(({ purpose }) => !purposes.some(({ id }) => id === purpose))
    .map((each) => (each.status === 'active' ? { ...each, status: 'off' as const } : each));
  return { ...current, purposes: [...sent, ...others] };
}

function marksOf(subject: Subject, id: string) {
  const { status, topics = [], preferences = [] } = subject.purposes.find((of) => of.purpose === id) ?? {};
  const options = preferences.flatMap((of) => of.options.map((option) => `${of.id} ${option}`));
  return { status, marks: [...topics, ...options].sort() };
}

test('a purpose that a page does not show never changes, in random schemas', () => {
  fc.assert(
    fc.property(world, fc.boolean(), (lines, confirmsDefaults) => {
      const center = centerOf(lines, confirmsDefaults);
      const current = subjectOf(lines);
      const snapshot = { ...draw(center, { subject: current }).snapshot, nonce: 'n', at: 0, order: 0 };
      const posted = postOf(center, lines);
      const read = readSubmission({ center, page: 'page', snapshot, posted, now: 1, subject: current.id });
      assert.equal(read.kind, 'intent');
      if (read.kind !== 'intent') return;
      const confirmable = drawnByDefault(snapshot, { center });
      const call = mergeIntent({ center, current, intent: read.intent, confirmable });
      const after = call.kind === 'put' ? applied(current, call.update) : current;
      assert.deepEqual(call.kind === 'put' ? call.update.dataElements : {}, {});
      for (const [index, id] of allPurposes.entries()) {
        const drawn = lines[index]?.displayed;
        const [was, is] = [marksOf(current, id), marksOf(after, id)];
        if (drawn?.page !== 'page') {
          assert.deepEqual(is, was, `${id} is not on the page`);
          continue;
        }
        if (was.status !== 'active' || is.status !== 'active') continue;
        const isOutOfSight = (mark: string) => {
          const [preference = '', option] = mark.split(' ');
          if (option === undefined) return !drawn.topics.includes(mark);
          const isReplaced = drawn.choice === 'single' || drawn.options.includes(option);
          return !(drawn.preferences.includes(preference) && isReplaced);
        };
        assert.deepEqual(is.marks.filter(isOutOfSight), was.marks.filter(isOutOfSight), id);
      }
    }),
    { numRuns: times(1_000, 10_000) },
  );
});
