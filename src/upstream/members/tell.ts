import type { ToldMember } from '../../core/model/center/told-member.ts';
import { isPlainKey, isRecord, saysNothing } from '../wire-shape.ts';
import { type Fate, foldedName, type Member, type ObjectTable, unknownMember } from './member.ts';

/** Different ones of one center. A hostile schema may have millions. */
const mostTold = 200;
const longestName = 60;

/** What of a center's schemas is not honoured. One that is read twice counts as it was read last. */
export class ToldMembers {
  readonly #bySchema = new Map<string, Entries>();

  get all(): readonly ToldMember[] {
    const all: Entries = new Map();
    for (const entries of this.#bySchema.values()) for (const entry of entries.values()) add(all, entry);
    return [...all.values()];
  }

  /** `schema`: its address. */
  look(schema: string, body: unknown, table: ObjectTable): void {
    this.#bySchema.set(schema, tellMembers(body, table));
  }
}

type Entries = Map<string, ToldMember>;

function add(entries: Entries, entry: ToldMember): void {
  const key = toldKey(entry);
  const known = entries.get(key);
  if (known !== undefined) entries.set(key, { ...known, count: known.count + entry.count });
  else if (entries.size < mostTold) entries.set(key, entry);
}

/** Its place without numbers of lists, and its value. */
export function toldKey({ path, value }: ToldMember): string {
  return `${path.replaceAll(/\[\d+\]/g, '')} ${value ?? ''}`;
}

/** Where an object stands; written out only where something is told. */
interface Node {
  readonly value: unknown;
  readonly table: ObjectTable;
  readonly parent: Node | undefined;
  /** Name of the member, and its number in a list. */
  readonly step: string;
}

/** Walks a schema beside the table of its members. */
function tellMembers(body: unknown, table: ObjectTable): Entries {
  const entries: Entries = new Map();
  const open: Node[] = [{ value: body, table, parent: undefined, step: table.name }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isRecord(node.value)) continue;
    for (const [name, value] of Object.entries(node.value)) {
      const member = memberOf(node.table, name);
      const fate = fateOf(member, value) ?? fateBeside(member, value, node.value);
      if (fate !== undefined) {
        const { words } = fate;
        const verdict = fate.verdict === 'refused' ? 'refused' : 'told';
        add(entries, { verdict, words, count: 1, ...placeOf(node, { name, value, member }) });
      }
      if (member !== undefined) addHeld(open, node, { name, value, member });
    }
  }
  return entries;
}

function memberOf({ members }: ObjectTable, name: string): Member | undefined {
  const folded = foldedName(name);
  return Object.hasOwn(members, folded) ? members[folded] : undefined;
}

function addHeld(
  open: Node[],
  parent: Node,
  { name, value, member }: { name: string; value: unknown; member: Member },
): void {
  const { holds, holdsByName } = member;
  if (holds !== undefined) {
    if (!Array.isArray(value)) open.push({ value, table: holds, parent, step: `.${name}` });
    else
      for (const [at, each] of value.entries())
        open.push({ value: each, table: holds, parent, step: `.${name}[${at}]` });
  } else if (holdsByName !== undefined && isRecord(value)) {
    for (const [key, each] of Object.entries(value))
      open.push({ value: each, table: holdsByName, parent, step: `.${name}.${shortName(key)}` });
  }
}

/** undefined: nothing to tell. */
function fateOf(member: Member | undefined, value: unknown): Fate | undefined {
  if (member === undefined) return unknownMember;
  if (saysNothing(value)) return undefined;
  if (member.values !== undefined) {
    if (typeof value !== 'string') return undefined;
    const word = value.trim().toUpperCase();
    const fate = Object.hasOwn(member.values, word) ? member.values[word] : member.otherValue;
    return fate === undefined || !isTold(fate) ? undefined : fate;
  }
  if (!isTold(member) || member.quiet?.includes(value) === true) return undefined;
  return member;
}

function fateBeside(
  member: Member | undefined,
  value: unknown,
  beside: Readonly<Record<string, unknown>>,
): Fate | undefined {
  if (value !== true || member?.unless === undefined) return undefined;
  const { flags, fate } = member.unless;
  const isOn = Object.entries(beside).some(
    ([name, other]) => other === true && flags.includes(foldedName(name)),
  );
  return isOn ? undefined : fate;
}

function isTold({ verdict }: Fate): boolean {
  return verdict === 'told' || verdict === 'refused';
}

function placeOf(
  node: Node,
  { name, value, member }: { name: string; value: unknown; member: Member | undefined },
): Pick<ToldMember, 'path' | 'value'> {
  const steps: string[] = [`.${shortName(name)}`];
  for (let at: Node | undefined = node; at !== undefined; at = at.parent) steps.push(at.step);
  const [schema = '', ...rest] = steps.reverse();
  const path = rest.join('').slice(1);
  // Numbers and words of people differ each time: they are told once for all.
  const isOne = member?.values !== undefined || member?.quiet !== undefined || typeof value === 'boolean';
  const said = isOne && typeof value !== 'number' ? shortValue(value) : undefined;
  return { path: `${schema}: ${path}`, value: said };
}

/** Only a word or a flag: a text is what people read, and may be long. */
function shortValue(value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' && /^[\w .-]{1,40}$/.test(value) ? value : undefined;
}

/** As a log and a terminal can show it. */
function shortName(name: string): string {
  const shown = [...name.slice(0, longestName).replaceAll(/[^\x20-\x7e]/g, '?')].join('');
  return isPlainKey(name) && shown !== '' ? shown : '?';
}
