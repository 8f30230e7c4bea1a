import { promisify } from 'node:util';
import { crc32, deflateRaw, deflateRawSync } from 'node:zlib';
import { randomBytes } from '../random-bytes.ts';

const deflateElsewhere = promisify(deflateRaw);

/** Some 5 % longer than level 6, at 60 % of its time; level 1 takes as long. More memory for its hashes takes 7 % less. */
const settings = { level: 3, memLevel: 9 };

/** From here on the event loop should not wait. A page of 100 purposes stays below it. Bytes. */
const long = 512 * 1024;

const extraField = 4;
const longestPadding = 64;

/**
 * A gzip member (RFC 1952) of `plain`.
 *
 * Its header carries an extra field of 1 to 64 random bytes, so that the length of an answer says little about what
 * is in it (BREACH). The stronger half of that defence is elsewhere: the sealed token of a form is different in each
 * answer, and no page repeats what an address said.
 */
export async function gzip(plain: Buffer): Promise<Buffer> {
  const body =
    plain.length < long ? deflateRawSync(plain, settings) : await deflateElsewhere(plain, settings);
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(plain), 0);
  tail.writeUInt32LE(plain.length >>> 0, 4);
  return Buffer.concat([head(), body, tail]);
}

function head(): Buffer {
  const random = randomBytes(1 + longestPadding);
  const padding = 1 + ((random[0] ?? 0) % longestPadding);
  const bytes = Buffer.alloc(16 + padding);
  // magic, deflate, flags, no time, no level, unknown system; then the field: its length, "SY", length, bytes.
  bytes.set([0x1f, 0x8b, 8, extraField, 0, 0, 0, 0, 0, 255]);
  bytes.writeUInt16LE(4 + padding, 10);
  bytes.write('SY', 12, 'latin1');
  bytes.writeUInt16LE(padding, 14);
  random.copy(bytes, 16, 1, 1 + padding);
  return bytes;
}
