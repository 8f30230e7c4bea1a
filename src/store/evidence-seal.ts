import { hash } from 'node:crypto';
import { canonical } from '../core/model/canonical.ts';
import type { AskedEvidence, EndedEvidence, Evidence, Salted } from '../core/model/evidence/evidence.ts';
import { sealedSubjectId } from '../core/model/person/subject.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import { randomBytes } from '../random-bytes.ts';
import { hashesOf } from './journal-seal.ts';
import type { SubmissionRow } from './people-schema.ts';
import { openPacked, sealPacked } from './sealed-row.ts';
import { bytesValue } from './sql.ts';

const [askedUse, endedUse] = ['asked', 'ended'];
const newSalt = () => randomBytes(16).toString('base64url');

/**
 * The part of the evidence that is sealed. The rest is in columns of the row, and the leaf covers it, too.
 */
type Rest = Omit<
  AskedEvidence,
  'reference' | 'center' | 'channel' | 'globalPrivacyControl' | 'acceptedAt' | 'undoes' | 'everything'
>;

/**
 * Seals evidence, and makes the leaf that outlives it: the SHA-256 of the salt and of the canonical JSON.
 * Both are given as `bytesValue`.
 */
export function sealAsked(seal: Seal, asked: AskedEvidence) {
  const evidence = { salt: newSalt(), ...asked };
  const { reference, center, channel, globalPrivacyControl, acceptedAt, undoes, everything, ...rest } =
    evidence;
  const sealed = sealPacked(seal, { purpose: askedUse, row: reference }, rest);
  return { sealed: bytesValue(sealed), leaf: bytesValue(leafOf(evidence)), evidence };
}

/** Opens what was asked, which names its person: a row that was moved to another person does not open. */
function openAsked(seal: Seal & KeyedHash, row: SubmissionRow): Salted<AskedEvidence> | undefined {
  const { reference, center, channel, submitted_at: acceptedAt, undoes } = row;
  const opened = openPacked(seal, { purpose: askedUse, row: reference }, row.asked);
  const rest = opened as Salted<Rest> | undefined;
  const own = sealedSubjectId(rest?.subject);
  if (rest === undefined || own === undefined || !hashesOf(seal, own).includes(row.subject)) return undefined;
  return {
    ...rest,
    reference,
    center,
    channel,
    acceptedAt,
    globalPrivacyControl: row.gpc === 1,
    ...(undoes === undefined ? {} : { undoes }),
    ...(row.everything === 1 ? { everything: true } : {}),
  };
}

/** Seals the end of a submission. It does not name its person, and so is bound to the person, too. */
export function sealEnded(
  seal: Seal,
  { reference, subject }: Pick<AskedEvidence, 'reference' | 'subject'>,
  ended: EndedEvidence,
) {
  const evidence = { salt: newSalt(), ...ended };
  const sealed = sealPacked(seal, { purpose: endedUse, row: `${reference} ${subject}` }, evidence);
  return { sealed: bytesValue(sealed), leaf: bytesValue(leafOf({ reference, ...evidence })), evidence };
}

/** The evidence in a row; undefined if no key opens it. */
export function openEvidence(seal: Seal & KeyedHash, row: SubmissionRow): Evidence | undefined {
  const asked = openAsked(seal, row);
  if (asked === undefined) return undefined;
  const where = { purpose: endedUse, row: `${asked.reference} ${asked.subject}` };
  const ended = openPacked(seal, where, row.ended) as Salted<EndedEvidence> | undefined;
  return { asked, ended };
}

export function leafOf<Content>({ salt, ...content }: Salted<Content>): Buffer {
  const bytes = Buffer.concat([Buffer.from(salt, 'base64url'), Buffer.from(canonical(content))]);
  return hash('sha256', bytes, 'buffer');
}
