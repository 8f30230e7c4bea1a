import { firstByKey } from '../by-key.ts';

/** The identifier of a data subject. Every byte counts in keys, locks, hashes and on the wire. */
declare const subjectId: unique symbol;
export type SubjectId = string & { readonly [subjectId]: true };

/**
 * The only reader of identifiers. The text stays as it is: a folded identifier could open the record of
 * another person. Accepted are 1 to 512 bytes of UTF-8 in NFC (a Kelvin sign is not), without a blank or
 * invisible character at either end, and without control or bidirectional-control characters. Any other value
 * gives undefined.
 */
export function readSubjectId(value: unknown): SubjectId | undefined {
  if (typeof value !== 'string' || value === '' || value.length > 512) return undefined;
  if (!value.isWellFormed() || value.normalize('NFC') !== value || utf8.encode(value).length > 512)
    return undefined;
  if (forbidden.test(value) || blankAtAnEnd.test(value)) return undefined;
  return value as SubjectId;
}

const utf8 = new TextEncoder();
const forbidden = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u;
/** U+2800 is the empty pattern of Braille, which Unicode counts among the symbols. */
const blankAtAnEnd =
  /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]|[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]$/u;

/**
 * Reads an identifier that was checked before it was sealed, perhaps by older rules: it stays valid. Any
 * other value gives undefined.
 */
export function sealedSubjectId(value: unknown): SubjectId | undefined {
  return typeof value === 'string' && value !== '' && value.isWellFormed() ? (value as SubjectId) : undefined;
}

/** The rule of `readSubjectId`, in words for people. */
export const identifierRule =
  '1 to 512 bytes in Unicode form NFC, without blanks at either end and without control characters';

/**
 * `anna@example.org` → `a•••@example.org`. Any other text keeps its first and last character, and shows none
 * if it has fewer than four.
 */
export function maskIdentifier(id: SubjectId): string {
  const characters = [...id];
  const first = characters[0] ?? '';
  const at = id.lastIndexOf('@');
  if (at > 0) return `${first}•••${id.slice(at)}`;
  if (characters.length < 4) return '•••';
  return `${first}•••${characters.at(-1)}`;
}

/** The platform's record of a person in one center. */
export interface Subject {
  readonly id: SubjectId;
  readonly language: string | undefined;
  /**
   * The purposes that the person has interacted with in this center, and no others (docs/platform-api.md,
   * Subject).
   */
  readonly purposes: readonly ConsentRecord[];
  /** Data element label → value as the platform writes it. */
  readonly dataElements: Readonly<Record<string, string>>;
}

/** A record as the platform returned it. */
export interface ReadRecord {
  readonly subject: Subject;
  /** Time at which the record was requested, in epoch milliseconds. */
  readonly at: number;
}

export interface ConsentRecord {
  readonly purpose: string;
  /** The platform's plain label: the name of a purpose that no page shows. */
  readonly label: string | undefined;
  readonly status: RecordedStatus;
  /** The platform's TransactionStatus in capitals; only for `off`. */
  readonly rawStatus?: string | undefined;
  readonly topics: readonly string[];
  readonly preferences: readonly RecordedPreference[];
}

export interface RecordedPreference {
  readonly id: string;
  readonly options: readonly string[];
}

/**
 * The platform's TransactionStatus in our words, the most restrictive first. `active`: ACTIVE, OPT_IN,
 * EXTEND, CHANGE_PREFERENCES; `implicit`: IMPLICIT, NOT_OPT_OUT; `off`: WITHDRAWN, OPT_OUT and any unknown
 * status; `no-consent`: NO_CONSENT, which no person chose, so it comes after each refusal by a person.
 */
export const recordedStatuses = [
  'hard-opt-out',
  'off',
  'no-consent',
  'expired',
  'pending',
  'implicit',
  'active',
  'always-active',
] as const;
export type RecordedStatus = (typeof recordedStatuses)[number];

const recordIn = firstByKey<ConsentRecord>(({ purpose }) => purpose);

export function recordOf({ purposes }: Pick<Subject, 'purposes'>, purpose: string) {
  return recordIn(purposes, purpose);
}
