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

/** Something of the platform that has been met with its name. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** A center without a name is called by its id. */
export type CenterNames = readonly Named[];

export function centerName(centers: CenterNames, id: string): string {
  return centers.find((center) => center.id === id)?.name ?? id;
}

/** By ids in lower case: of notices, or of organizations, people and groups that a task has told. */
export type KnownNames = ReadonlyMap<string, string>;

/** By its name, if anything has told it; else by as much of its id as tells it from others. */
export function byName(id: string | undefined, names: KnownNames): string | undefined {
  return id === undefined ? undefined : (nameIn(names, id) ?? shortId(id));
}

export function nameIn(names: KnownNames, id: string | undefined): string | undefined {
  return id === undefined ? undefined : names.get(id.toLowerCase());
}

/** The names of centers; before any has come, the addresses that the centers file gives. */
function createCenterNames({ platform, registry, clock }: StaffParts): () => Promise<CenterNames> {
  const read = async () => (await platform.listCenters()).map(({ id, name }) => ({ id, name }));
  const kept = createKept<{ readonly id: string }, CenterNames>({ clock, freshMs: 60_000, read });
  const addresses = registry.listed?.map(({ center, name }) => ({ id: center, name })) ?? [];
  return async () => {
    await kept.refresh([all]);
    return kept.last(all.id) ?? addresses;
  };
}

/** Stands for a list that is read as a whole. */
const all = { id: 'all' } as const;

/**
 * The platform's list of notices has no names: each is asked for by itself, once in ten minutes, and again as soon as
 * the notice has another version.
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
    /** The newest ones with their names, to be chosen from; none while the platform does not answer. */
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

/** What a notice is called: by its active version, else by its newest that has a name. Newest first. */
export function chooseNoticeName(versions: readonly Pick<NoticeVersion, 'name' | 'status'>[]) {
  const named = versions.filter(({ name }) => name.trim() !== '');
  return (named.find(({ status }) => status === 'active') ?? named[0])?.name;
}

/** The centers of a list, to name what was changed in them: those that can be had in a moment; and the words of then. */
function createSchemas({ platform, wordings }: StaffParts) {
  return async (entries: readonly JournalEntry[]) => {
    const ids = new Set(entries.map(({ center }) => center));
    const found = await inOneGo([...ids], (id) => platform.findCenter(id));
    const words = await wordings.read(wordsAskedBy(entries));
    return ({ center }: JournalEntry): Naming => ({ center: found.get(center), words });
  };
}

/** Of who can be assigned. */
export interface KnownThing extends Named {
  readonly type?: 'user' | 'group' | undefined;
}

/** Of each kind; what was met last stays. */
const mostOfKind = 200;
/** Tasks that are read for the sake of a choice. */
const mostRead = 8;

/**
 * The platform lists neither organizations nor people: it names them on tasks alone. What the tasks that were opened
 * here have told is kept in memory, and nowhere else, so that ids need not be typed.
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

  /** Learns from a task that was read. */
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
    /** Of organizations, people and groups. */
    names: (): KnownNames => new Map([...organizations, ...people]),
    organizations: things(organizations),
    /** People and groups. */
    people: (): readonly KnownThing[] =>
      [...people]
        .map(([id, name]) => ({ id, name, type: groups.has(id) ? ('group' as const) : ('user' as const) }))
        .sort((one, other) => one.name.localeCompare(other.name)),
    /** What tasks belong to, each called by the task that was met last. */
    records: things(records),
    /** Reads some of these tasks, where they have not been met yet. */
    async meet(tasks: readonly { readonly id: string }[]): Promise<void> {
      const strange = tasks.filter(({ id }) => !met.has(id.toLowerCase())).slice(0, mostRead);
      await inOneGo(strange, async ({ id }) => {
        const task = await platform.findTask(id);
        if (task !== undefined) note(task);
      });
    },
  };
}

/** Centers that the first page looks into. */
const mostCenters = 20;

/** What is found in the first centers: each read again after ten minutes, and not waited for long. */
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

/** What the staff pages use, and what is read of the platform to name things. */
export function withNames(parts: StaffParts) {
  return {
    ...parts,
    centerNames: createCenterNames(parts),
    /** Name what was changed in submissions. */
    schemas: createSchemas(parts),
    notices: createNoticeNames(parts),
    known: createKnownThings(parts),
    findingsOf: createFindings(parts),
  };
}
