import { shortId } from './blocks.ts';

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
