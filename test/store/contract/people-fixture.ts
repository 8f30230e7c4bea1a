import assert from 'node:assert/strict';
import type {
  ChangedEnd,
  Person,
  PersonChange,
  SubmissionChange,
  SubmissionNews,
} from '../../../src/core/consent/person.ts';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import type { SubmissionRequest } from '../../../src/core/model/submission/submission-request.ts';
import { recorded } from '../../../src/delivery/recording.ts';
import type { ClaimedPerson, People, Recorded, Written } from '../../../src/ports/people.ts';
import { openPeople } from '../../../src/store/people.ts';
import type { PersonNews } from '../../../src/store/people-write.ts';
import { type StoreParts, type Write, writing } from '../../../src/store/sql.ts';
import type { MakeTestStore } from './test-store.ts';

export type PeopleHandle = ReturnType<typeof aPeopleStore>;
export type MakePeople = MakeTestStore<PeopleHandle>;

let made = 0;

export function newReference(): string {
  made += 1;
  return `ref-${made}`;
}

const fails = writing`INSERT INTO written (one, at) VALUES (2, 0)`;

/** A store of people that notes its news. */
export function aPeopleStore({ sql, seal }: StoreParts) {
  /** News of all transactions, also of failed ones. */
  const told: PersonNews[] = [];
  /** People whose news the store rejects. */
  const refused = new Set<SubjectId>();
  function newsWrites(items: readonly PersonNews[]): readonly Write[] {
    told.push(...items);
    const isRefused = items.some(({ subject }) => refused.has(subject));
    return isRefused ? [{ name: 'fails', statement: fails, values: {} }] : [];
  }
  const people = openPeople({ sql, seal, random: { id: newReference }, newsWrites });
  return { ...people, sql, told, refused };
}

export const newsOf = ({ center, channel }: SubmissionRequest, reference: string): SubmissionNews => ({
  reference,
  center,
  channel,
  events: [],
  words: [{ purpose: 'a', isOff: true }],
});

/** The write by which the product records a submission, with these news instead of its own. */
export const saying =
  (request: SubmissionRequest, reference: string, now: number, news: readonly SubmissionNews[] = []) =>
  (person: Person | undefined): Written => {
    const { change, repeats } = recorded(person, { request, reference, now });
    return { repeats, change: { ...change, news } };
  };

export interface Put {
  readonly now?: number;
  readonly reference?: string;
  readonly news?: readonly SubmissionNews[];
}

export function put(
  people: People,
  request: SubmissionRequest,
  { now = 1_000, reference = newReference(), news }: Put = {},
): Promise<Recorded> {
  return people.record({ request, reference, now }, saying(request, reference, now, news));
}

export const lease = (now: number, owner = 'me') => ({ owner, now, until: now + 100 });

export async function claimed(people: People, now: number, owner = 'me') {
  const found = await people.claim(lease(now, owner));
  assert.ok(found?.person, 'a person is due');
  return { ...found, person: found.person };
}

export const failedAt = (reference: string, doneAt: number, undoesNoMore?: string): SubmissionChange => ({
  reference,
  doneAt,
  receipts: [],
  undoesNoMore,
  state: 'failed',
  ended: { state: 'failed', endedAt: doneAt, items: [], at: doneAt },
  progress: { lines: [], calls: [], events: 2 },
});

/** The same person, as they were claimed. */
export function unchanged(person: Person, dueAt: number | undefined): PersonChange {
  return { person, dueAt, withdraws: false, submissions: [], news: [], told: [] };
}

/** Ends every submission of a claimed person. */
export function ended(
  person: Person,
  at: number,
  { state = 'done', ...more }: Partial<SubmissionChange> = {},
): PersonChange {
  const submissions = person.open.map(({ reference, progress }) => ({
    reference,
    state,
    doneAt: at,
    receipts: ['r1'],
    undoesNoMore: undefined,
    progress: { ...progress, lines: linesOf(person, reference, at) },
    ended: state === 'pending' ? undefined : endOf(person, reference, { state, at }),
    ...more,
  }));
  const told = submissions.map(({ reference }) => reference);
  return { ...unchanged({ ...person, open: [] }, undefined), submissions, told };
}

function linesOf({ desired }: Person, by: string, at: number) {
  return desired.centers.flatMap(({ items }) =>
    items
      .filter((item) => item.by === by)
      .map(({ key, want }) => {
        const isOff = want === 'off';
        return { by, key, isOff, outcome: 'saved', row: 'seen', at } as const;
      }),
  );
}

function endOf(
  person: Person,
  by: string,
  { state, at }: { readonly state: 'done' | 'failed'; readonly at: number },
): ChangedEnd {
  const items = linesOf(person, by, at).map(({ key, isOff, outcome }) => {
    const change = isOff ? 'off' : 'on';
    return { what: 'purpose', id: key.split(' ')[1] ?? key, change, outcome, receipt: undefined } as const;
  });
  return { state, endedAt: at, items, at };
}

/** Claims the next person, and ends all their submissions. */
export async function finish(
  people: People,
  at: number,
  change: Partial<SubmissionChange> = {},
): Promise<ClaimedPerson> {
  const held = await claimed(people, at);
  assert.equal((await people.keep(held, ended(held.person, at, change), 'released')).kind, 'kept');
  return held;
}
