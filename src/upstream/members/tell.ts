import type { Center } from '../../core/model/center/center.ts';
import { type ToldMember, toldSentence } from '../../core/model/center/told-member.ts';
import type { PlatformLog } from '../watch.ts';
import { isPlainKey, isRecord, known, saysNothing, text } from '../wire-shape.ts';
import { type Fate, foldedName, type Member, type ObjectTable, unknownMember } from './member.ts';

/** The most told members of one center. A hostile schema may have millions. */
const mostTold = 200;
const longestName = 60;

/**
 * Collects the members of a center's schemas that are not honoured. If a schema is read twice, its last
 * reading counts.
 */
export class ToldMembers {
  readonly #bySchema = new Map<string, Entries>();

  get all(): readonly ToldMember[] {
    const all: Entries = new Map();
    for (const entries of this.#bySchema.values()) for (const entry of entries.values()) add(all, entry);
    return [...all.values()];
  }

  /** Collects the members of a schema's body that are not honoured. `schema`: address of the schema. */
  look(schema: string, body: unknown, table: ObjectTable): void {
    const entries: Entries = new Map();
    tellMembers(entries, body, table, `${table.name}: `);
    this.#bySchema.set(schema, entries);
  }
}

type Entries = Map<string, ToldMember>;

function add(entries: Entries, entry: ToldMember): void {
  const key = toldKey(entry);
  const before = entries.get(key);
  if (before !== undefined) entries.set(key, { ...before, count: before.count + entry.count });
  else if (entries.size < mostTold) entries.set(key, entry);
}

/** The key of a told member: its path without positions in lists, and its value. */
function toldKey({ path, value }: ToldMember): string {
  return `${path.replaceAll(/\[\d+\]/g, '')} ${value ?? ''}`;
}

/** Compares an object with the table of its members. `path`: the text before the members' names. */
function tellMembers(entries: Entries, object: unknown, table: ObjectTable, path: string): void {
  if (!isRecord(object)) return;
  for (const [name, value] of Object.entries(object)) {
    const folded = foldedName(name);
    const member = Object.hasOwn(table.members, folded) ? table.members[folded] : undefined;
    const fate = fateOf(member, value) ?? fateBeside(member, value, object);
    if (fate !== undefined) {
      const verdict = fate.verdict === 'refused' ? 'refused' : 'told';
      const place = { path: `${path}${shortName(name)}`, value: shownValue(member, value) };
      add(entries, { verdict, words: fate.words, count: 1, ...place });
    }
    const { holds, holdsByName } = member ?? {};
    const inside = `${path}${name}`;
    if (holds !== undefined && Array.isArray(value))
      for (const [at, each] of value.entries()) tellMembers(entries, each, holds, `${inside}[${at}].`);
    else if (holds !== undefined) tellMembers(entries, value, holds, `${inside}.`);
    if (holdsByName !== undefined && isRecord(value))
      for (const [key, each] of Object.entries(value))
        tellMembers(entries, each, holdsByName, `${inside}.${shortName(key)}.`);
  }
}

/** The fate to tell for a value of a member; undefined if there is nothing to tell. */
function fateOf(member: Member | undefined, value: unknown): Fate | undefined {
  if (member === undefined) return unknownMember;
  if (saysNothing(value)) return undefined;
  const { values, otherValue, quiet } = member;
  if (values !== undefined && typeof value !== 'string') return undefined;
  const fate = values === undefined ? member : (known(text.read(value), values) ?? otherValue);
  return fate === undefined || !isTold(fate) || quiet?.includes(value) === true ? undefined : fate;
}

function fateBeside(member: Member | undefined, value: unknown, beside: Readonly<Record<string, unknown>>) {
  if (value !== true || member?.unless === undefined) return undefined;
  const { flags, fate } = member.unless;
  const isOn = Object.entries(beside).some(([name, on]) => on === true && flags.includes(foldedName(name)));
  return isOn ? undefined : fate;
}

function isTold({ verdict }: Fate): boolean {
  return verdict === 'told' || verdict === 'refused';
}

/**
 * The value to show, only if it is a word or a flag. Numbers and texts of people differ each time, and are
 * told once without the value.
 */
function shownValue(member: Member | undefined, value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(value);
  const isOne = member?.values !== undefined || member?.quiet !== undefined;
  return isOne && typeof value === 'string' && /^[\w .-]{1,40}$/.test(value) ? value : undefined;
}

/** The name, shortened to characters that a log and a terminal can show. */
function shortName(name: string): string {
  const shown = name.slice(0, longestName).replaceAll(/[^\x20-\x7e]/g, '?');
  return isPlainKey(name) && shown !== '' ? shown : '?';
}

/** The most members that are logged, over all centers. `npm run check` tells the rest. */
const mostLogged = 10_000;

export type ToldLog = ReturnType<typeof createToldLog>;

/** Warns once of each member of a center that is not honoured, however often the center is read. */
export function createToldLog(log: PlatformLog | undefined) {
  const logged = new Set<string>();
  return ({ id, told }: Pick<Center, 'id' | 'told'>): void => {
    for (const each of told) {
      const key = `${id} ${toldKey(each)}`;
      if (logged.has(key) || logged.size >= mostLogged) continue;
      logged.add(key);
      const { verdict } = each;
      log?.warn('member of a center not honoured', { center: id, verdict, member: toldSentence(each) });
    }
  };
}
