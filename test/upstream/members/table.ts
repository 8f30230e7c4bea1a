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

/**
 * Prints the tables for `docs/platform-api.md`: one line for each verdict of a kind of object. Kinds with the
 * same lines are printed once. Kinds whose members all have the same words stand together at the end.
 */
export function printTables(): string {
  const isPlain = (table: ObjectTable) => plainWords(table) !== undefined;
  const plain = Map.groupBy(objectTables.filter(isPlain), plainWords);
  const bodies = Map.groupBy(
    objectTables.filter((table) => !isPlain(table)),
    printBody,
  );
  return [
    ...[...bodies].map(([body, tables]) => `**${tables.map(({ name }) => name).join('**, **')}**\n\n${body}`),
    ...[...plain].map(([words, tables]) => `**honoured, ${words}**\n\n${tables.map(printPlain).join('\n')}`),
  ].join('\n\n');
}

/** The words of all members, if they are honoured by one sentence that other kinds share. */
function plainWords({ members }: ObjectTable): string | undefined {
  const all = Object.values(members);
  const words = all[0]?.words;
  const isSame = all.every((fate) => fate.words === words && fate.verdict === 'honoured' && !fate.values);
  return isSame && words !== undefined && /as it comes$/.test(words) ? words : undefined;
}

function printPlain({ name, members }: ObjectTable): string {
  return `- ${name}: ${Object.keys(members)
    .map((member) => `\`${member}\``)
    .join(', ')}`;
}

function printBody({ members }: ObjectTable): string {
  const all = Object.entries(members);
  const lines = verdicts.flatMap((verdict) => {
    const pairs = all.filter(([, member]) => member.verdict === verdict);
    if (pairs.length === 0) return [];
    return `- ${verdict}${joined(pairs.map(([member, fate]) => [`\`${member}\``, fate.words]))}`;
  });
  return [...lines, ...all.flatMap(([member, fate]) => valueLines(member, fate))].join('\n');
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
  return [`- values of \`${member}\`${joined(printed)}`];
}

/** Joins names with the same words. Words with which all begin stand once, before them. */
function joined(pairs: readonly (readonly [name: string, words: string])[]): string {
  const byWords = Map.groupBy(pairs, ([, words]) => words);
  const shared = byWords.size > 2 ? sharedWords([...byWords.keys()]) : '';
  const groups = [...byWords].map(
    ([words, same]) => `${same.map(([name]) => name).join(', ')} ${words.slice(shared.length)}`,
  );
  return `${shared === '' ? '' : `, ${shared.trim().replace(/:$/, '')}`}: ${groups.join('; ')}`;
}

/** The words with which all texts begin, and the blank after them; a single word does not count. */
function sharedWords(texts: readonly string[]): string {
  const [first = [], ...others] = texts.map((text) => text.split(' '));
  const end = first.findIndex((word, at) => others.some((words) => words[at] !== word));
  return end < 2 ? '' : `${first.slice(0, end).join(' ')} `;
}
