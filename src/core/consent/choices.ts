import type { OptionChange } from '../model/submission/intent.ts';

/** Chosen options by preference: a page may have thousands of options to look up. */
export type Choices = ReadonlyMap<string, ReadonlySet<string>>;

export function choicesOf(options: readonly OptionChange[]): Choices {
  const choices = new Map<string, Set<string>>();
  for (const { preference, option } of options) {
    choices.getOrInsertComputed(preference, () => new Set()).add(option);
  }
  return choices;
}

export function holds(choices: Choices, { preference, option }: OptionChange): boolean {
  return choices.get(preference)?.has(option) ?? false;
}
