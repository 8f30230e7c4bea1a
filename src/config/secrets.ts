import { Secret } from './setting.ts';

const leastBytes = 32;
/** A random text of that length has more different bytes, and more different steps from one to the next. */
const leastDistinct = 8;
/** Of words, on the average. So many different ones cannot be guessed. */
const leastWord = 4;
const mostWords = 10;
/** A text that goes over into itself after so few bytes is one short text, written again and again. */
const longestPattern = 16;

/**
 * SECRET: the first seals, all open. A weak one must not seal; behind a strong one it may still open what it sealed,
 * so that an installation that has one can leave it without losing anything.
 */
export function readSecrets(
  text: string | undefined,
  given: { readonly isNeeded: boolean; readonly faults: string[]; readonly warnings: string[] },
): readonly Secret[] | undefined {
  const { isNeeded, faults, warnings } = given;
  if (text === undefined) {
    if (isNeeded) faults.push('SECRET is missing: at least 32 bytes, the same on every process');
    return undefined;
  }
  const secrets = text.split(/[\s,]+/).filter((part) => part !== '');
  const [first, ...others] = secrets;
  if (first === undefined || secrets.some((part) => bytesOf(part).length < leastBytes)) {
    faults.push(
      'SECRET must have at least 32 bytes (several, for rotation, are separated by commas: the newest first)',
    );
  } else if (isWeak(first)) {
    faults.push(
      'SECRET can be guessed: it has few different bytes, repeats itself or is made of words. Make one with `openssl rand -base64 32` and put it first, with the old one behind it: SECRET=<new>,<old>. What the old one sealed still opens',
    );
  }
  if (others.some(isWeak)) {
    warnings.push(
      'SECRET: one of the older ones can be guessed, and who guesses it can make links and sessions: take it away as soon as nothing waits that it sealed',
    );
  }
  return secrets.map((part) => new Secret(part));
}

/** Few different bytes, a pattern that repeats, a row such as the alphabet, or words. */
export function isWeak(secret: string): boolean {
  if (isOfWords(secret)) return true;
  const bytes = bytesOf(secret);
  const steps = bytes.slice(1).map((byte, index) => byte - (bytes[index] ?? 0));
  return [bytes, steps].some(
    (values) => new Set(values).size < leastDistinct || periodOf(values) <= longestPattern,
  );
}

/**
 * Letters of one case alone, in a few long runs, with one number at most: a phrase, or rows of a keyboard. In what was
 * made by chance digits stand everywhere, or capitals do.
 */
function isOfWords(text: string): boolean {
  const words = text.match(/[a-z]+/gi) ?? [];
  const letters = words.join('');
  const [digits = '', ...more] = text.match(/\d+/g) ?? [];
  const isOneCase = letters === letters.toLowerCase() || letters === letters.toUpperCase();
  if (!isOneCase || more.length > 0 || digits.length * 4 > text.length) return false;
  return letters.length >= words.length * leastWord && new Set(words).size < mostWords;
}

function bytesOf(text: string): readonly number[] {
  return [...new TextEncoder().encode(text)];
}

/** After how many values they begin anew; their number where they never do. */
function periodOf(values: readonly number[]): number {
  for (let period = 1; period <= longestPattern && period < values.length; period += 1) {
    if (values.every((value, index) => index < period || value === values[index - period])) return period;
  }
  return values.length;
}
