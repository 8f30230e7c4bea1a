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

/** By its link a row is found: given another's, it lets nobody in. */
function withLink(id: unknown, link: unknown): string {
  return `${id} ${link}`;
}

/** What a row holds of a passcode: codes and links as keyed hashes, the person sealed. */
export function passcodeRows(seal: Seal & KeyedHash) {
  return {
    valuesOf({ id, center, subject, link, code, endsAt, isShared }: Parameters<Passcodes['open']>[0]) {
      const hash = seal.hash('passcode link', link);
      return {
        id,
        link: hash,
        code: seal.hash('passcode', `${id} ${code}`),
        center,
        subject: sealRow(seal, { ...sealedPasscode, row: withLink(id, hash) }, subject),
        person: seal.hash('passcode person', subject),
        endsAt,
        digits: code.length,
        receiver: isShared ? seal.hash('passcode receiver', `${center} ${subject}`) : null,
      };
    },
    /** As each of the secrets writes them, the newest first. */
    linksOf: (link: string) => seal.hashes('passcode link', link),
    peopleOf: (subject: SubjectId) => seal.hashes('passcode person', subject),
    receiversOf: (center: string, subject: SubjectId) =>
      seal.hashes('passcode receiver', `${center} ${subject}`),
    /** Of a row with its link. Version 1.0 sealed for the id alone. */
    subjectOf({ id, link, subject }: Row): SubjectId | undefined {
      const opened = [withLink(id, link), String(id)].map((row) =>
        sealedSubjectId(openRow(seal, { ...sealedPasscode, row }, subject)),
      );
      return opened.find((found) => found !== undefined);
    },
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
