/** One line of what a command says; faults go to stderr. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
