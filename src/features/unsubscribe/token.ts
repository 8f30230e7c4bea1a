import type { SealedOneClick } from '../../core/consent/one-click.ts';
import { isGuid } from '../../core/model/center/center-config.ts';
import { sealedSubjectId } from '../../core/model/person/subject.ts';
import type { Seal } from '../../ports/seal.ts';
import { shortToken } from '../../web/sealed-token.ts';
import { packText, unpackText } from './packed-text.ts';

const oneClickToken = shortToken({ use: 'one-click' });

const day = 24 * 60 * 60 * 1000;
/** Day 0 of a token: 14 bits reach until November 2069. */
const firstDay = Date.UTC(2025, 0, 1) / day;
const mostDays = 2 ** 14;
const headBytes = 2;
const guidBytes = 16;
const hasPurpose = 0b10;
const isPacked = 0b01;

/** The route is short, because many mail libraries break long headers. */
export const oneClickRoute = '/u/:token';

/** The address of a token. */
export function oneClickPath(token: string): string {
  return `/u/${encodeURIComponent(token)}`;
}

/**
 * Seals the token of a one-click address, so that it does not show the person. It opens as long as its secret
 * is in use. It is short, because mail libraries break long addresses: two bits for what follows, the day in
 * 14 bits, the center, the purpose, the identifier.
 */
export function sealOneClick(
  seal: Pick<Seal, 'sealShort'>,
  { center, subject, purpose, madeAt }: SealedOneClick,
): string {
  const days = Math.floor(madeAt / day) - firstDay;
  if (days < 0 || days >= mostDays) throw new Error('the clock of this machine is wrong');
  const packed = packText(subject);
  const kind = (purpose === undefined ? 0 : hasPurpose) | (packed === undefined ? 0 : isPacked);
  const head = Buffer.alloc(headBytes);
  head.writeUInt16BE(kind * mostDays + days);
  const ids = purpose === undefined ? [center] : [center, purpose];
  return oneClickToken.seal(
    seal,
    Buffer.concat([head, ...ids.map(guidToBytes), packed ?? Buffer.from(subject)]),
  );
}

/** Returns undefined unless this installation sealed the token as one of a one-click address. */
export function openOneClick(seal: Pick<Seal, 'openShort'>, token: string): SealedOneClick | undefined {
  const opened = oneClickToken.open(seal, token);
  if (opened === undefined) return undefined;
  const bytes = Buffer.from(opened);
  if (bytes.length < headBytes) return undefined;
  const head = bytes.readUInt16BE();
  const kind = Math.floor(head / mostDays);
  const purposeEnd = headBytes + guidBytes + ((kind & hasPurpose) === 0 ? 0 : guidBytes);
  if (bytes.length <= purposeEnd) return undefined;
  const rest = bytes.subarray(purposeEnd);
  const subject = sealedSubjectId((kind & isPacked) === 0 ? rest.toString() : unpackText(rest));
  if (subject === undefined) return undefined;
  const guids = bytes.subarray(headBytes, purposeEnd);
  return {
    center: bytesToGuid(guids.subarray(0, guidBytes)),
    subject,
    purpose: (kind & hasPurpose) === 0 ? undefined : bytesToGuid(guids.subarray(guidBytes)),
    madeAt: (firstDay + (head % mostDays)) * day,
  };
}

function guidToBytes(guid: string): Buffer {
  if (!isGuid(guid)) throw new Error('a center and a purpose are named by a GUID');
  return Buffer.from(guid.replaceAll('-', ''), 'hex');
}

function bytesToGuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
