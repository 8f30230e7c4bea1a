/** A data subject's identifier in the one form used everywhere: keys, locks, hashes and the wire. */
declare const subjectId: unique symbol;
export type SubjectId = string & { readonly [subjectId]: true };

/**
 * The one place where an identifier is made: a string, NFC, trimmed, 1 to 512 bytes of UTF-8, no control or
 * bidirectional-control characters. undefined when it is not such a string.
 */
export function readSubjectId(value: unknown): SubjectId | undefined {
  if (typeof value !== 'string') return undefined;
  if (!value.isWellFormed()) return undefined;
  const id = value.normalize('NFC').trim();
  if (id === '' || byteLength(id) > 512) return undefined;
  if (/[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u.test(id)) return undefined;
  return id as SubjectId;
}

/** UTF-8 bytes of a well-formed string. */
function byteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** `anna@example.org` → `a•••@example.org`; anything else keeps its first and last character. */
export function maskIdentifier(id: SubjectId): string {
  const characters = [...id];
  const first = characters[0] ?? '';
  const at = id.lastIndexOf('@');
  if (at > 0) return `${first}•••${id.slice(at)}`;
  if (characters.length < 4) return '•••';
  return `${first}•••${characters.at(-1)}`;
}

/** What the platform holds of a person in one center. */
export interface Subject {
  readonly id: SubjectId;
  readonly language: string | undefined;
  /** Only purposes the person has interacted with in this center (interface.md C, facts.md). */
  readonly purposes: readonly ConsentRecord[];
  /** Data element label → value as the platform writes it. */
  readonly dataElements: Readonly<Record<string, string>>;
}

export interface ConsentRecord {
  readonly purpose: string;
  /** The platform's plain label, to name a purpose that no page draws. */
  readonly label: string | undefined;
  readonly status: RecordedStatus;
  readonly topics: readonly string[];
  readonly preferences: readonly RecordedPreference[];
}

export interface RecordedPreference {
  readonly id: string;
  readonly options: readonly string[];
}

/**
 * TransactionStatus in the house's words. `active`: ACTIVE, OPT_IN, EXTEND, CHANGE_PREFERENCES; `implicit`:
 * IMPLICIT, NOT_OPT_OUT; `off`: WITHDRAWN, OPT_OUT, NO_CONSENT and anything unknown.
 */
export type RecordedStatus =
  | 'active'
  | 'always-active'
  | 'implicit'
  | 'pending'
  | 'expired'
  | 'hard-opt-out'
  | 'off';
