import type { Task } from '../../core/model/staff/task.ts';
import type { Platform } from '../../ports/platform.ts';
import { inOneGo } from './in-one-go.ts';
import { type KnownNames, type Named, put } from './names.ts';

/** Of who can be assigned. */
export interface KnownThing extends Named {
  readonly type?: 'user' | 'group' | undefined;
}

/** Of each kind; what was met last stays. */
const mostKept = 200;
/** Tasks that are read for the sake of a choice. */
const mostRead = 8;

export type KnownThings = ReturnType<typeof createKnownThings>;

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
  const names = new Map<string, string>();

  function keep(kind: Map<string, string>, id: string | undefined, name: string | undefined): void {
    if (id === undefined || name === undefined || name.trim() === '') return;
    put(kind, id.toLowerCase(), name, mostKept);
    if (kind !== records) put(names, id.toLowerCase(), name, mostKept);
  }

  /** Learns from a task that was read. */
  function note(task: Task): void {
    put(met, task.id.toLowerCase(), task.id, mostKept);
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
    names: names as KnownNames,
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
      await inOneGo(
        strange.map(({ id }) => async () => {
          const task = await platform.findTask(id);
          if (task !== undefined) note(task);
        }),
      );
    },
  };
}
