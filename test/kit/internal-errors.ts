/** Of outputs of products that a test breaks on purpose. */
export const brokenOnPurpose = 'broken';

/** Lines of a log that tell of a fault of the product's own: no statement of ours is ever wrong, and no code of ours. */
export function findInternalErrors(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.startsWith('{') && /"internalError":"/.test(line));
}
