import type { Member, ObjectTable, Verdict } from '../../../src/upstream/members/member.ts';
import { record } from '../../../src/upstream/members/records.ts';
import { pageSchema, rootSchema, singlePageSchema } from '../../../src/upstream/members/schemas.ts';
import { answer, centerList, change } from './calls.ts';
import { newTask, notice, noticeList, task, taskChange, versionList } from './work.ts';

/** Every kind of object of the interface, each once, in the order in which one holds the other. */
export const objectTables: readonly ObjectTable[] = everyTable([
  singlePageSchema,
  rootSchema,
  pageSchema,
  record,
  change,
  answer,
  centerList,
  noticeList,
  notice,
  versionList,
  task,
  newTask,
  taskChange,
]);

function everyTable(roots: readonly ObjectTable[]): readonly ObjectTable[] {
  const found = new Map<string, ObjectTable>();
  const visit = (table: ObjectTable) => {
    if (found.has(table.name)) return;
    found.set(table.name, table);
    for (const { holds, holdsByName } of Object.values(table.members))
      for (const held of [holds, holdsByName]) if (held !== undefined) visit(held);
  };
  for (const root of roots) visit(root);
  return [...found.values()];
}

/** As `docs/platform-api.md` holds it: of each kind of object a line for each verdict. */
export function printTables(): string {
  return objectTables.map(printTable).join('\n\n');
}

function printTable({ name, members }: ObjectTable): string {
  const all = Object.entries(members);
  const lines = verdicts.flatMap((verdict) => {
    const of = all.filter(([, member]) => member.verdict === verdict);
    if (of.length === 0) return [];
    return `- ${verdict}: ${joined(of.map(([member, fate]) => [`\`${member}\``, fate.words]))}`;
  });
  return [`**${name}**`, '', ...lines, ...all.flatMap(([member, fate]) => valueLines(member, fate))].join(
    '\n',
  );
}

const verdicts: readonly Verdict[] = ['honoured', 'told', 'refused', 'unused'];

function valueLines(member: string, { values, otherValue, unless }: Member): readonly string[] {
  if (unless !== undefined) {
    const flags = unless.flags.map((flag) => `\`${flag}\``).join(' or ');
    return [`- \`${member}\` without ${flags}: (${unless.fate.verdict}) ${unless.fate.words}`];
  }
  const known = Object.entries(values ?? {});
  const all = otherValue === undefined ? known : [...known, ['any other', otherValue] as const];
  if (all.length === 0) return [];
  const printed = all.map(([value, { verdict, words }]): [string, string] => [
    value,
    verdict === 'honoured' ? words : `(${verdict}) ${words}`,
  ]);
  return [`- values of \`${member}\`: ${joined(printed)}`];
}

/** Names of the same words together. */
function joined(pairs: readonly (readonly [name: string, words: string])[]): string {
  const byWords = Map.groupBy(pairs, ([, words]) => words);
  return [...byWords].map(([words, of]) => `${of.map(([name]) => name).join(', ')} ${words}`).join('; ');
}
