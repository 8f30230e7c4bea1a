/**
 * The characters of mail addresses and customer numbers. A contract: addresses in sent mails were packed with
 * it.
 */
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789.@-_+';
const base = BigInt(letters.length);
const digits = new Map([...letters].map((letter, index) => [letter, BigInt(index + 1)]));

/**
 * Packs a text of these letters into one number, a third shorter. Digits run from 1 to the base, so that
 * different texts give different numbers. undefined for any other text.
 */
export function packText(text: string): Buffer | undefined {
  let number = 0n;
  for (const letter of text) {
    const digit = digits.get(letter);
    if (digit === undefined) return undefined;
    number = number * base + digit;
  }
  const hex = number.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
}

export function unpackText(bytes: Uint8Array): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  while (number > 0n) {
    number -= 1n;
    text = letters.charAt(Number(number % base)) + text;
    number /= base;
  }
  return text;
}
