const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/**
 * The first number of a text: `guid` (16 bytes follow), `utf16` (a text that UTF-8 cannot hold), else `utf8`
 * plus its length in bytes.
 */
const marks = { guid: 0, utf16: 1, utf8: 2 } as const;

/** Writes values one after the other, each as short as possible. */
export class ByteWriter {
  readonly #bytes: number[] = [];

  bytes(): Buffer {
    return Buffer.from(this.#bytes);
  }

  /** A whole number from 0, 7 bits in each byte. */
  number(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) this.#bytes.push((rest % 0x80) + 0x80);
    this.#bytes.push(rest);
  }

  double(value: number): void {
    const eight = Buffer.alloc(8);
    eight.writeDoubleBE(value);
    this.#raw(eight);
  }

  /** One byte for each character; all characters are below 256. */
  latin1(text: string): void {
    for (let at = 0; at < text.length; at += 1) this.#bytes.push(text.charCodeAt(at));
  }

  text(text: string): void {
    if (guid.test(text)) {
      this.number(marks.guid);
      this.#raw(Buffer.from(text.replaceAll('-', ''), 'hex'));
    } else if (text.isWellFormed()) {
      const utf8 = Buffer.from(text);
      this.number(marks.utf8 + utf8.length);
      this.#raw(utf8);
    } else {
      this.number(marks.utf16);
      this.number(2 * text.length);
      this.#raw(Buffer.from(text, 'utf16le'));
    }
  }

  list<T>(items: readonly T[], write: (item: T) => void): void {
    this.number(items.length);
    for (const item of items) write(item);
  }

  #raw(bytes: Uint8Array): void {
    for (const byte of bytes) this.#bytes.push(byte);
  }
}

/** Reads what a `ByteWriter` wrote, in the same order. Throws a RangeError if the bytes end too early. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.#raw(1)[0] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  double(): number {
    return this.#raw(8).readDoubleBE();
  }

  text(): string {
    const mark = this.number();
    if (mark === marks.utf16) return this.#raw(this.number()).toString('utf16le');
    if (mark !== marks.guid) return this.#raw(mark - marks.utf8).toString('utf8');
    const hex = this.#raw(16).toString('hex');
    return [[0, 8], [8, 12], [12, 16], [16, 20], [20]].map(([from, to]) => hex.slice(from, to)).join('-');
  }

  latin1(length: number): string {
    return this.#raw(length).toString('latin1');
  }

  list<T>(read: () => T): T[] {
    const items: T[] = [];
    for (let rest = this.number(); rest > 0; rest -= 1) items.push(read());
    return items;
  }

  #raw(length: number): Buffer {
    const to = this.#at + length;
    if (to > this.#bytes.length) throw new RangeError('the bytes end here');
    const taken = this.#bytes.subarray(this.#at, to);
    this.#at = to;
    return taken;
  }
}
