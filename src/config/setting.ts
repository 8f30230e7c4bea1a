/** A text that never prints: not in logs, not in JSON, not in error messages. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  toJSON(): string {
    return '[secret]';
  }
  toString(): string {
    return '[secret]';
  }
}

/** An http or https address without a user; undefined for anything else. */
export function readUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}

/** The rule for our secrets, with the command that makes one. */
export const secretRule = 'must be 32 random bytes in base64 or hex, as `openssl rand -base64 32` makes them';

const hex = /^[\da-f]{64}$/i;
const base64 = /^[\w+/-]{43}=?$/;
/**
 * The least number of different bytes. 32 random bytes have fewer in 1 of 10,000,000 cases, so fewer mean a
 * pattern.
 */
const leastDistinct = 20;

/**
 * True if a text encodes 32 random bytes. Bytes of a pattern repeat; bytes of a text are all ASCII; digits
 * alone, or letters of one case, were typed. Random bytes are refused in less than 1 of 1,000,000 cases.
 */
export function isRandomSecret(text: string): boolean {
  if (!hex.test(text) && !base64.test(text)) return false;
  const bytes = Buffer.from(text, hex.test(text) ? 'hex' : 'base64');
  const isTyped = hex.test(text) ? !/[a-f]/i.test(text) : !/[a-z]/.test(text) || !/[A-Z]/.test(text);
  return (
    bytes.length === 32 &&
    new Set(bytes).size >= leastDistinct &&
    bytes.some((byte) => byte > 0x7f) &&
    !isTyped
  );
}
