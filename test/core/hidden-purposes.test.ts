import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { drawnByDefault, type FormSnapshot } from '../../src/core/consent/form-snapshot.ts';
import { objectionIntent } from '../../src/core/consent/global-privacy-control.ts';
import { mergeIntent } from '../../src/core/consent/merge.ts';
import { readSubmission } from '../../src/core/consent/submission.ts';
import type { Center, Item } from '../../src/core/model/center/center.ts';
import type {
  ConsentRecord,
  RecordedStatus,
  Subject,
  SubjectId,
} from '../../src/core/model/person/subject.ts';
import type { ConsentUpdate } from '../../src/core/model/submission/consent-update.ts';
import { times } from '../chaos/dice.ts';
import { aCenter, aPreference, aPurpose, topics } from './center-builder.ts';
import { intentOf, off } from './changes.ts';
import { draw } from './page-builder.ts';

const anna = 'anna@example.org' as SubjectId;
const allTopics = ['t1', 't2', 't3', 't4'];
const allOptions = ['o1', 'o2', 'o3', 'o4'];
const allPreferences = ['p1', 'p2', 'p3'];
const allPurposes = ['a', 'b', 'c', 'd', 'e', 'f'];

const some = (all: readonly string[]) => fc.subarray([...all]);
const status = fc.constantFrom<RecordedStatus[]>(
  'active',
  'always-active',
  'implicit',
  'pending',
  'expired',
  'hard-opt-out',
  'off',
);

/** What the platform could hold of a purpose, whether any page draws it or not. */
const recorded = fc.option(
  fc.record({
    status,
    topics: some(allTopics),
    options: fc.array(some(allOptions), { minLength: 3, maxLength: 3 }),
  }),
  { nil: undefined },
);

/** What a page draws of a purpose; undefined where it does not draw it at all. */
const shownPart = fc.option(
  fc.record({
    page: fc.constantFrom('page', 'elsewhere', 'none'),
    topics: some(allTopics),
    preferences: some(allPreferences),
    options: some(allOptions),
    single: fc.boolean(),
    onByDefault: fc.boolean(),
  }),
  { nil: undefined },
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

function centerOf(lines: readonly Line[], confirmsDefaults = false): Center {
  const itemsOf = (page: string): Item[] =>
    lines.flatMap((line, index) => {
      if (line.displayed?.page !== page) return [];
      const { preferences, options, single, onByDefault } = line.displayed;
      return aPurpose(allPurposes[index] ?? '', {
        onByDefault,
        topics: topics(...line.displayed.topics),
        preferences: preferences.map((id) =>
          aPreference(id, options, { choice: single ? 'single' : 'multiple' }),
        ),
      });
    });
  const hidden = itemsOf('none').flatMap((item) => (item.kind === 'purpose' ? [item.purpose] : []));
  const center = aCenter(itemsOf('page'), { hidden, confirmsDefaults });
  const [page] = center.pages;
  const [section] = page?.sections ?? [];
  if (page === undefined || section === undefined) return center;
  const elsewhere = { ...page, id: 'elsewhere', sections: [{ ...section, items: itemsOf('elsewhere') }] };
  return { ...center, pages: [page, elsewhere] };
}

function subjectOf(lines: readonly Line[]): Subject {
  const purposes = lines.flatMap((line, index): ConsentRecord[] => {
    if (line.recorded === undefined) return [];
    const preferences = allPreferences.map((id, each) => ({
      id,
      options: line.recorded?.options[each] ?? [],
    }));
    const { status, topics } = line.recorded;
    return [{ purpose: allPurposes[index] ?? '', label: undefined, status, topics, preferences }];
  });
  return { id: anna, language: undefined, purposes, dataElements: { E: 'kept' } };
}

function shownOf(center: Center, subject: Subject): FormSnapshot {
  return { ...draw(center, { subject }).snapshot, nonce: 'n', at: 0, order: 0 };
}

function postOf(center: Center, lines: readonly Line[]) {
  const purposes: string[] = [];
  const topicsOf: Record<string, string[]> = {};
  const optionsOf: Record<string, string[]> = {};
  for (const item of center.pages[0]?.sections[0]?.items ?? []) {
    if (item.kind !== 'purpose') continue;
    const { id } = item.purpose;
    const line = lines[allPurposes.indexOf(id)];
    const isLocked = line?.recorded?.status === 'always-active' || line?.recorded?.status === 'hard-opt-out';
    if (line === undefined || isLocked) continue;
    if (line.person.isTicked) purposes.push(id);
    topicsOf[id] = line.person.topics.filter((topic) =>
      item.purpose.topics.some((each) => each.id === topic),
    );
    for (const preference of item.purpose.preferences) {
      const wanted = preference.choice === 'single' ? [line.person.option] : line.person.options;
      optionsOf[`${id}.${preference.id}`] = wanted.filter((option) =>
        preference.options.some((each) => each.id === option),
      );
    }
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

/** docs/platform-api.md, Update: present is ACTIVE with what was sent, ACTIVE and absent is WITHDRAWN. */
function applied(current: Subject, { purposes }: ConsentUpdate): Subject {
  const sent = purposes.map((purpose): ConsentRecord => {
    const isLocked = current.purposes.some(
      (each) => each.purpose === purpose.id && each.status === 'always-active',
    );
    const status = isLocked ? 'always-active' : 'active';
    return {
      purpose: purpose.id,
      label: undefined,
      status,
      topics: purpose.topics,
      preferences: purpose.preferences,
    };
  });
  const others = current.purposes
    .filter((record) => !purposes.some((purpose) => purpose.id === record.purpose))
    .map((record): ConsentRecord => (record.status === 'active' ? { ...record, status: 'off' } : record));
  return { ...current, purposes: [...sent, ...others] };
}

function marksOf(subject: Subject, purpose: string) {
  const record = subject.purposes.find((each) => each.purpose === purpose);
  const options =
    record?.preferences.flatMap(({ id, options }) => options.map((option) => `${id} ${option}`)) ?? [];
  return { status: record?.status, topics: new Set(record?.topics), options: new Set(options) };
}

test('what a page does not draw never changes, in random schemas', () => {
  fc.assert(
    fc.property(world, fc.boolean(), (lines, confirmsDefaults) => {
      const center = centerOf(lines, confirmsDefaults);
      const current = subjectOf(lines);
      const snapshot = shownOf(center, current);
      const posted = postOf(center, lines);
      const read = readSubmission({ center, page: 'page', snapshot, posted, now: 1, subject: anna });
      assert.equal(read.kind, 'intent');
      if (read.kind !== 'intent') return;
      const call = mergeIntent({
        center,
        current,
        intent: read.intent,
        confirmable: drawnByDefault(snapshot, { center }),
      });
      const after = call.kind === 'put' ? applied(current, call.update) : current;
      assert.deepEqual(call.kind === 'put' ? call.update.dataElements : {}, {});

      for (const [index, id] of allPurposes.entries()) {
        const line = lines[index];
        const [was, is] = [marksOf(current, id), marksOf(after, id)];
        if (line?.displayed?.page !== 'page') {
          assert.deepEqual(is, was, `${id} is not on the page`);
          continue;
        }
        if (was.status !== 'active' || is.status !== 'active') continue;
        const { displayed: part } = line;
        const isShown = (mark: string) => {
          const [preference = '', option = ''] = mark.split(' ');
          return part.preferences.includes(preference) && (part.options.includes(option) || part.single);
        };
        for (const topic of was.topics)
          if (!part.topics.includes(topic)) assert.ok(is.topics.has(topic), `${topic} of ${id} went`);
        for (const topic of is.topics)
          if (!part.topics.includes(topic)) assert.ok(was.topics.has(topic), `${topic} of ${id} came`);
        for (const mark of was.options)
          if (!isShown(mark)) assert.ok(is.options.has(mark), `${mark} of ${id} went`);
        for (const mark of is.options)
          if (!isShown(mark)) assert.ok(was.options.has(mark), `${mark} of ${id} came`);
      }
    }),
    { numRuns: times(1_000, 10_000) },
  );
});

test('whatever is on by default is left one by one and by an objection, rendered or not, in random schemas', () => {
  fc.assert(
    fc.property(world, fc.boolean(), (lines, confirmsDefaults) => {
      const center = centerOf(lines, confirmsDefaults);
      const current = subjectOf(lines);
      const objection = objectionIntent(center, current);
      assert.ok(objection.purposes.every(({ kind }) => kind === 'off'));
      for (const [index, id] of allPurposes.entries()) {
        const { recorded: on, displayed: part } = lines[index] ?? {};
        const isAssumed = on === undefined && part !== undefined && part.onByDefault;
        if (!isAssumed) continue;
        const call = mergeIntent({ center, current, intent: intentOf(off(id)), confirmable: [] });
        assert.equal(call.kind, 'put', `${id} cannot be left`);
        assert.ok(
          objection.purposes.some(({ purpose }) => purpose === id),
          `${id} cannot be objected to`,
        );
      }
    }),
    { numRuns: times(300, 2_000) },
  );
});

test('a page that comes back as it was shown asks for nothing, in random schemas', () => {
  fc.assert(
    fc.property(world, (lines) => {
      const center = centerOf(lines);
      const current = subjectOf(lines);
      const snapshot = shownOf(center, current);
      const posted = {
        ...postOf(center, []),
        purposes: snapshot.purposes
          .filter((each) => ['on', 'on-by-default', 'locked-on'].includes(each.status))
          .map((each) => each.id),
        topics: Object.fromEntries(snapshot.purposes.map((each) => [each.id, [...each.topics]])),
        options: Object.fromEntries(
          snapshot.purposes.flatMap((each) =>
            each.options.map(({ preference }) => [
              `${each.id}.${preference}`,
              each.options.filter((option) => option.preference === preference).map(({ option }) => option),
            ]),
          ),
        ),
      };
      const read = readSubmission({ center, page: 'page', snapshot, posted, now: 1, subject: anna });
      assert.deepEqual(read.kind === 'intent' ? read.intent.purposes : read.kind, []);
    }),
    { numRuns: times(300, 2_000) },
  );
});
