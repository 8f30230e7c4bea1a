import { timingSafeEqual } from 'node:crypto';
import type { LinkAnswer, PasscodeDigits } from '../core/model/person/passcode.ts';
import { type SubjectId, sealedSubjectId } from '../core/model/person/subject.ts';
import type { Passcodes } from '../ports/passcodes.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import { isIn } from './dialect.ts';
import { rowSeal } from './sealed-row.ts';
import { type Columns, deleteSome, reading, type StoreParts, writing } from './sql.ts';

/** The most tries of a passcode. */
const mostAttempts = 5;

type Sealed = Columns<'id' | 'link' | 'subject', string>;

type Attempted = Sealed &
  Columns<'code', string> &
  Columns<'attempts', number> &
  Partial<Columns<'ended_at', number>>;

/** The person of a message, sealed for its id and link: a row with another link does not open. */
const sealedSubject = rowSeal<SubjectId>('passcode subject');

const isOpen = 'used_at IS NULL AND ends_at > :now';
const isTryable = `id = :id AND center = :center AND attempts < ${mostAttempts} AND ${isOpen}`;
const insert = writing`
  INSERT INTO passcode (id, link, code, center, subject, person, receiver, digits, ends_at)
  VALUES (:id, :link, :code, :center, :subject, :person, :receiver, :digits, :endsAt)`;
const attempt = writing<Attempted>`
  UPDATE passcode SET attempts = attempts + 1 WHERE ${isTryable}
  RETURNING id, link, code, subject, attempts, ended_at`;
const tryable = reading`SELECT 1 FROM passcode WHERE ${isTryable}`;
const spend = writing`UPDATE passcode SET used_at = :now WHERE id = :id AND ended_at IS NULL AND ${isOpen}`;
// Finds ended messages, too: the answer must not tell that a person has signed out everywhere.
const latest = reading<Columns<'id', string> & Columns<'digits', PasscodeDigits>>`
  SELECT id, digits FROM passcode WHERE ${isIn('receiver', 'receivers')} AND ${isOpen} ORDER BY ends_at DESC LIMIT 1`;
const find = reading<Sealed & { readonly kind: 'right' | 'over' }>`
  SELECT id, link, subject, CASE WHEN ${isOpen} AND ended_at IS NULL THEN 'right' ELSE 'over' END AS kind
  FROM passcode WHERE ${isIn('link', 'links')} AND center = :center`;
const end = writing`
  UPDATE passcode SET ended_at = :now WHERE ${isIn('person', 'people')} AND ended_at IS NULL AND ${isOpen}`;
const sweep = deleteSome('passcode', 'ends_at');

/** Keeps codes and links as keyed hashes, and the person sealed. */
export function openPasscodes({ sql, seal }: StoreParts): Passcodes {
  async function readLink(link: string, center: string): Promise<{ id: string; answer: LinkAnswer }> {
    const links = seal.hashes('passcode link', link);
    const row = await sql.get(find, { links, center, now: sql.clock.now() });
    const subject = row && subjectOf(seal, row);
    if (row === undefined || subject === undefined) return { id: '', answer: { kind: 'unknown' } };
    return { id: row.id, answer: { kind: row.kind, subject } };
  }

  const useUp = async (id: string) => (await sql.run(spend, { id, now: sql.clock.now() })) === 1;

  return {
    async open({ id, center, subject, link, code, endsAt, isShared }) {
      const hash = seal.hash('passcode link', link);
      await sql.run(insert, {
        id,
        link: hash,
        code: seal.hash('passcode', `${id} ${code}`),
        center,
        subject: sealedSubject.seal(seal, `${id} ${hash}`, subject),
        person: seal.hash('passcode person', subject),
        receiver: isShared ? seal.hash('passcode receiver', `${center} ${subject}`) : undefined,
        digits: code.length,
        endsAt,
      });
    },
    async isTryable(id, center) {
      return (await sql.get(tryable, { id, center, now: sql.clock.now() })) !== undefined;
    },
    async findShared(center, subject) {
      const receivers = seal.hashes('passcode receiver', `${center} ${subject}`);
      return sql.get(latest, { receivers, now: sql.clock.now() });
    },
    // Two statements, each final by itself: the attempt stays counted, and one caller alone uses the passcode
    // up.
    async tryCode(id, center, code) {
      const row = await sql.get(attempt, { id, center, now: sql.clock.now() });
      const subject = row && subjectOf(seal, row);
      if (row === undefined || subject === undefined) return { kind: 'over' };
      if (isCode(seal, row, code) && row.ended_at === undefined)
        return (await useUp(id)) ? { kind: 'right', subject } : { kind: 'over' };
      return { kind: 'wrong', left: mostAttempts - row.attempts };
    },
    findLink: async (link, center) => (await readLink(link, center)).answer,
    async takeLink(link, center) {
      const { id, answer } = await readLink(link, center);
      if (answer.kind !== 'right' || (await useUp(id))) return answer;
      return { kind: 'over', subject: answer.subject };
    },
    async endOf(subject) {
      await sql.run(end, { people: seal.hashes('passcode person', subject), now: sql.clock.now() });
    },
    sweep: () => sql.run(sweep, { before: sql.clock.now() }),
  };
}

function subjectOf(seal: Seal, { id, link, subject }: Sealed): SubjectId | undefined {
  return sealedSubjectId(sealedSubject.open(seal, `${id} ${link}`, subject));
}

/** Compares in a time that does not tell how much of the code is right. */
function isCode(hash: KeyedHash, { id, code: kept }: { id: string; code: string }, code: string): boolean {
  const expected = Buffer.from(kept);
  return hash.hashes('passcode', `${id} ${code}`).some((text) => {
    const given = Buffer.from(text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
