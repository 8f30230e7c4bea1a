/** The prefix of output files of products that a test breaks on purpose. */
export const brokenOnPurpose = 'broken';

/** Lines of a log that tell of a fault in our own code or SQL: there must never be one. */
export function findInternalErrors(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.startsWith('{') && /"internalError":"/.test(line));
}
