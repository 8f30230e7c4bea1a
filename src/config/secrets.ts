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
 * A few long runs of letters, each of one case or with a capital at its head, with one number at most: a phrase, or
 * rows of a keyboard. In what was made by chance digits stand everywhere, or capitals do. Of base32 one in eighty looks
 * like that, too, and of both cases one in 20,000; they have no words in them.
 */
function isOfWords(text: string): boolean {
  const words = text.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const letters = words.join('');
  const [digits = '', ...more] = text.match(/\d+/g) ?? [];
  if (more.length > 0 || digits.length * 4 > text.length) return false;
  if (letters.length < words.length * leastWord || new Set(words).size >= mostWords) return false;
  const isOneCase = letters === letters.toLowerCase() || letters === letters.toUpperCase();
  const isApart = /[^a-z\d=]/i.test(text);
  return (
    (isOneCase && isApart) || readsAsWords(letters.toLowerCase()) || isTypedInRows(letters.toLowerCase())
  );
}

/** The 80 most frequent pairs of letters of our catalogues in Latin letters, English counted four times. */
const pairsOfWords =
  pairsIn(`en es er ec re to on in an ct je ob de te as se bj st ch ar ie ge no ou ed ng nt et ta th
  ra ti sa ha na ne at it co he is ea le ic nd ad ve ni or si al do me ns ri yo el ss be ei os ac ee ot hi ag di ce em od
  da il li la va sc wi ma pa av`);
/** In 99 of 100 English phrases of 32 letters; in 1 of 50,000 that chance made. */
const leastPairs = 0.45;
const leastVowels = 0.3;

function readsAsWords(letters: string): boolean {
  const vowels = letters.match(/[aeiouy]/g)?.length ?? 0;
  return vowels >= letters.length * leastVowels && shareOf(pairsOfWords, letters) >= leastPairs;
}

const rows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const neighbours = new Set(rows.flatMap((row) => [...pairsOf(row), ...pairsOf([...row].reverse().join(''))]));

function isTypedInRows(letters: string): boolean {
  return shareOf(neighbours, letters) >= 0.5;
}

/** How much of the pairs of letters in a text is among those. */
function shareOf(known: ReadonlySet<string>, letters: string): number {
  const pairs = pairsOf(letters);
  return pairs.filter((pair) => known.has(pair)).length / Math.max(1, pairs.length);
}

function pairsOf(letters: string): readonly string[] {
  return [...letters].slice(1).map((letter, at) => `${letters[at]}${letter}`);
}

function pairsIn(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
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
