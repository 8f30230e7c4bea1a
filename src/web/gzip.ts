import { promisify } from 'node:util';
import { gzip as compress, gzipSync } from 'node:zlib';
import { randomBytes } from '../random-bytes.ts';

const compressElsewhere = promisify(compress);

/**
 * Level 3 is about 5 % longer than level 6 and takes 60 % of its time; level 1 is no faster. `memLevel` 9
 * takes 7 % less time.
 */
const settings = { level: 3, memLevel: 9 };

/** Bytes from which a page is compressed off the event loop. A page of 100 purposes is shorter. */
const long = 512 * 1024;

/** Bytes of a header without an extra field or a name. */
const usualHead = 10;
const extraField = 4;
const longestPadding = 64;

/**
 * A gzip member (RFC 1952) of `plain`.
 *
 * Its header holds 1 to 64 random bytes, so that the length of an answer says little about its content
 * (BREACH). The stronger defence is elsewhere: each answer has another sealed token, and no page repeats text
 * from its address.
 */
export async function gzip(plain: Buffer): Promise<Buffer> {
  const member = plain.length < long ? gzipSync(plain, settings) : await compressElsewhere(plain, settings);
  return Buffer.concat([head(), member.subarray(usualHead)]);
}

function head(): Buffer {
  const random = randomBytes(1 + longestPadding);
  const padding = 1 + ((random[0] ?? 0) % longestPadding);
  const bytes = Buffer.alloc(16 + padding);
  // The header holds magic, deflate, flags, no time, no level, unknown system. The extra field holds its
  // length, "SY", the length of the data, and the data.
  bytes.set([0x1f, 0x8b, 8, extraField, 0, 0, 0, 0, 0, 255]);
  bytes.writeUInt16LE(4 + padding, 10);
  bytes.write('SY', 12, 'latin1');
  bytes.writeUInt16LE(padding, 14);
  random.copy(bytes, 16, 1, 1 + padding);
  return bytes;
}
