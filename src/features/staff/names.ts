import type { Notice, NoticeVersion } from '../../core/model/staff/notice.ts';
import type { Task } from '../../core/model/staff/task.ts';
import type { JournalEntry } from '../../core/model/submission/journal-entry.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Platform } from '../../ports/platform.ts';
import { shortId } from './blocks.ts';
import { weightOf } from './finding-words.ts';
import { createKept, inOneGo, put } from './kept.ts';
import { lintCenter } from './lint.ts';
import type { StaffParts } from './parts.ts';
import { type Naming, wordsAskedBy } from './submission-words.ts';

/** A thing of the platform whose name is known. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** The known centers; the name of an unknown center is its id. */
export type CenterNames = readonly Named[];

export function centerName(centers: CenterNames, id: string): string {
  return centers.find((center) => center.id === id)?.name ?? id;
}

/** Names by lower-case id: of notices, or of organizations, people and groups that tasks have named. */
export type KnownNames = ReadonlyMap<string, string>;

/** The name of the thing if it is known; otherwise its short id. */
export function byName(id: string | undefined, names: KnownNames): string | undefined {
  return id === undefined ? undefined : (nameIn(names, id) ?? shortId(id));
}

export function nameIn(names: KnownNames, id: string | undefined): string | undefined {
  return id === undefined ? undefined : names.get(id.toLowerCase());
}

/** The names of centers; until the platform has answered, the names in the centers file. */
function createCenterNames({ platform, registry, clock }: StaffParts): () => Promise<CenterNames> {
  const read = async () => (await platform.listCenters()).map(({ id, name }) => ({ id, name }));
  const kept = createKept<{ readonly id: string }, CenterNames>({ clock, freshMs: 60_000, read });
  const addresses = registry.listed?.map(({ center, name }) => ({ id: center, name })) ?? [];
  return async () => {
    await kept.refresh([all]);
    return kept.last(all.id) ?? addresses;
  };
}

/** The only entry of a cache that holds a whole list. */
const all = { id: 'all' } as const;

/**
 * The names of notices. The platform's list of notices has no names, so each notice is read by itself, once
 * in ten minutes, and again as soon as it has another version.
 */
export function createNoticeNames(parts: {
  readonly platform: Pick<Platform, 'listNotices' | 'listNoticeVersions'>;
  readonly clock: Clock;
}) {
  const { platform, clock } = parts;
  const freshMs = 10 * 60_000;
  const names = createKept<Notice, string | undefined>({
    clock,
    freshMs,
    stampOf: ({ lastPublishedDate, versions }) => JSON.stringify([lastPublishedDate, versions]),
    read: async ({ id }) =>
      chooseNoticeName((await platform.listNoticeVersions(id, { page: 0, size: 10 }))?.versions ?? []),
  });
  const lists = createKept<{ readonly id: string }, readonly Notice[]>({
    clock,
    freshMs,
    read: async () => (await platform.listNotices({ page: 0, size: 20 })).notices,
  });

  async function namesOf(notices: readonly Notice[]): Promise<KnownNames> {
    await names.refresh(notices);
    const named = notices.map(({ id }) => [id, names.last(id)] as const);
    return new Map(named.filter((one): one is [string, string] => one[1] !== undefined));
  }

  return {
    namesOf,
    lastNameOf: names.last,
    /** The newest notices with names, for a menu; none while the platform does not answer. */
    async newest() {
      await lists.refresh([all]);
      const newest = lists.last(all.id) ?? [];
      const found = await namesOf(newest);
      return newest.flatMap(({ id, organizationId, responsibleUserId }) => {
        const name = found.get(id);
        return name === undefined ? [] : [{ id, name, organizationId, responsibleUserId }];
      });
    },
  };
}

/**
 * The name of a notice: that of its active version, otherwise of its newest version with a name. `versions`:
 * newest first.
 */
export function chooseNoticeName(versions: readonly Pick<NoticeVersion, 'name' | 'status'>[]) {
  const named = versions.filter(({ name }) => name.trim() !== '');
  return (named.find(({ status }) => status === 'active') ?? named[0])?.name;
}

/**
 * Reads the centers of some submissions, as far as possible in a moment, and the words that people were
 * shown, to name the changes.
 */
function createSchemas({ platform, wordings }: StaffParts) {
  return async (entries: readonly JournalEntry[]) => {
    const ids = new Set(entries.map(({ center }) => center));
    const found = await inOneGo([...ids], (id) => platform.findCenter(id));
    const words = await wordings.read(wordsAskedBy(entries));
    return ({ center }: JournalEntry): Naming => ({ center: found.get(center), words });
  };
}

/** A person or group that a task can be assigned to. */
export interface KnownThing extends Named {
  readonly type?: 'user' | 'group' | undefined;
}

/** Number of known things of each kind; the latest stay. */
const mostOfKind = 200;
/** Number of tasks that are read to fill a menu. */
const mostRead = 8;

/**
 * Organizations, people and groups that were named by tasks. The platform has no list of them, so the names
 * in opened tasks are kept, only in memory, so that staff need not type ids.
 */
export function createKnownThings({ platform }: { readonly platform: Pick<Platform, 'findTask'> }) {
  const organizations = new Map<string, string>();
  const people = new Map<string, string>();
  const groups = new Set<string>();
  const records = new Map<string, string>();
  const met = new Map<string, string>();

  function keep(kind: Map<string, string>, id: string | undefined, name: string | undefined): void {
    if (id === undefined || name === undefined || name.trim() === '') return;
    put(kind, id.toLowerCase(), name, mostOfKind);
  }

  /** Learns the names in a task. */
  function note(task: Task): void {
    put(met, task.id.toLowerCase(), task.id, mostOfKind);
    keep(organizations, task.orgGroupAttribute?.valueKey ?? task.orgGroupId, task.orgGroupAttribute?.value);
    for (const one of task.assignments) {
      keep(people, one.assigneeId, one.userName);
      if (one.type === 'group' && one.assigneeId !== undefined) groups.add(one.assigneeId.toLowerCase());
    }
    keep(people, task.createdByAttribute?.valueKey, task.createdByAttribute?.value);
    keep(people, task.modifiedByAttribute?.valueKey, task.modifiedByAttribute?.value);
    keep(records, task.parentEntityId, task.taskName);
  }

  const things = (kind: ReadonlyMap<string, string>) => (): readonly Named[] =>
    [...kind].map(([id, name]) => ({ id, name })).toReversed();

  return {
    note,
    /** Names of organizations, people and groups. */
    names: (): KnownNames => new Map([...organizations, ...people]),
    organizations: things(organizations),
    /** Known people and groups, sorted by name. */
    people: (): readonly KnownThing[] =>
      [...people]
        .map(([id, name]) => ({ id, name, type: groups.has(id) ? ('group' as const) : ('user' as const) }))
        .sort((one, other) => one.name.localeCompare(other.name)),
    /** Records to which tasks belong, each named after the latest known task of it. */
    records: things(records),
    /** Reads some of these tasks, unless they are known already. */
    async meet(tasks: readonly { readonly id: string }[]): Promise<void> {
      const strange = tasks.filter(({ id }) => !met.has(id.toLowerCase())).slice(0, mostRead);
      await inOneGo(strange, async ({ id }) => {
        const task = await platform.findTask(id);
        if (task !== undefined) note(task);
      });
    },
  };
}

/** Number of centers in which the first page looks for findings. */
const mostCenters = 20;

/**
 * Counts the findings in the first centers. Each center is read again after ten minutes; the page does not
 * wait long.
 */
function createFindings({ platform, registry, clock }: StaffParts) {
  const kept = createKept({
    clock,
    freshMs: 10 * 60_000,
    async read({ id }: Named) {
      const center = await platform.findCenter(id);
      if (center === undefined) return undefined;
      const findings = lintCenter(center, registry.findByCenter(id)?.brand);
      const { problem = [], warning = [], note = [] } = Object.groupBy(findings, weightOf);
      return { id, problems: problem.length, warnings: warning.length, notes: note.length };
    },
  });
  return async (centers: CenterNames) => {
    const first = centers.slice(0, mostCenters);
    await kept.refresh(first);
    return first.flatMap(({ id, name }) => {
      const found = kept.last(id);
      return found === undefined ? [] : [{ ...found, name }];
    });
  };
}

export type NamingParts = ReturnType<typeof withNames>;

/** The parts of the staff pages, with those that name things of the platform. */
export function withNames(parts: StaffParts) {
  return {
    ...parts,
    centerNames: createCenterNames(parts),
    /** Names the changes in submissions. */
    schemas: createSchemas(parts),
    notices: createNoticeNames(parts),
    known: createKnownThings(parts),
    findingsOf: createFindings(parts),
  };
}
