import { timingSafeEqual } from 'node:crypto';
import { readPasscodeDigits } from '../core/model/passcode.ts';
import { type SubjectId, sealedSubjectId } from '../core/model/subject.ts';
import type { KeyedHash } from '../ports/keyed-hash.ts';
import type { Passcodes } from '../ports/passcodes.ts';
import type { Seal } from '../ports/seal.ts';
import { openRow, sealRow } from './sealed-row.ts';

type Row = Readonly<Record<string, unknown>>;

export const sealedPasscode = { purpose: 'passcode subject' };

/** How often a passcode may be tried. */
export const mostAttempts = 5;

/**
 * An old link can still be exchanged for a fresh one this long. Milliseconds. A link says itself whose it is; where an
 * earlier version sent it, its row alone does.
 */
export const rememberedMs = 7 * 24 * 60 * 60 * 1000;

/** What a row holds of a passcode: codes and links as keyed hashes, the person sealed. */
export function passcodeRows(seal: Seal & KeyedHash) {
  return {
    valuesOf: ({ id, center, subject, link, code, endsAt, isShared }: Parameters<Passcodes['open']>[0]) => ({
      id,
      link: seal.hash('passcode link', link),
      code: seal.hash('passcode', `${id} ${code}`),
      center,
      subject: sealRow(seal, { ...sealedPasscode, row: id }, subject),
      person: seal.hash('passcode person', subject),
      endsAt,
      digits: code.length,
      receiver: isShared ? seal.hash('passcode receiver', `${center} ${subject}`) : null,
    }),
    /** As each of the secrets writes them, the newest first. */
    linksOf: (link: string) => seal.hashes('passcode link', link),
    peopleOf: (subject: SubjectId) => seal.hashes('passcode person', subject),
    receiversOf: (center: string, subject: SubjectId) =>
      seal.hashes('passcode receiver', `${center} ${subject}`),
    subjectOf: (row: Row): SubjectId | undefined =>
      sealedSubjectId(openRow(seal, { ...sealedPasscode, row: String(row['id']) }, row['subject'])),
    readShared: (row: Row) => ({ id: String(row['id']), digits: readPasscodeDigits(row['digits']) }),
    /** In a time that does not tell how much of it is right. */
    isCode(row: Row, id: string, code: string): boolean {
      const expected = Buffer.from(String(row['code']));
      return seal.hashes('passcode', `${id} ${code}`).some((text) => {
        const given = Buffer.from(text);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
  };
}
