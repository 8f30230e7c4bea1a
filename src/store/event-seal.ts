import { hash, randomBytes } from 'node:crypto';
import type { KeptEvent } from '../core/model/submission/center-event.ts';
import type { Seal } from '../ports/seal.ts';
import { openRow, sealRow } from './sealed-row.ts';

/*
 * What rows of events hold sealed, and what people are found by in them: the same in every store, so that rows can be
 * moved from one to another as they are.
 */

const sealedEvent = { purpose: 'event' };
const sealedKey = { purpose: 'person key' };

export function sealEvent(seal: Seal, event: KeptEvent): string {
  return sealRow(seal, { ...sealedEvent, row: event.id }, event);
}

/** undefined for what no key opens. */
export function openEvent(seal: Seal, id: string, sealed: unknown): KeptEvent | undefined {
  return openRow(seal, { ...sealedEvent, row: id }, sealed) as KeptEvent | undefined;
}

/** By which people are found whatever SECRET is by then: made once, and kept under it. */
export interface PersonKey {
  readonly number: number;
  readonly key: string;
  readonly madeAt: number;
  /** As it is kept. */
  readonly sealed: string;
}

/** Those that open, the newest first, and since when what was said is under one of them. */
export interface PersonKeys {
  readonly keys: readonly PersonKey[];
  /** Epoch milliseconds; undefined where the newest does not open: what was said lately is not known. */
  readonly knownSince: number | undefined;
}

/** Rows of `number`, `key` and `made_at`, the newest first. */
export function openPersonKeys(seal: Seal, rows: readonly Readonly<Record<string, unknown>>[]): PersonKeys {
  const keys: PersonKey[] = [];
  let knownSince: number | undefined;
  let hasGap = false;
  for (const row of rows) {
    const [number, madeAt] = [Number(row['number']), Number(row['made_at'])];
    const key = openPersonKey(seal, number, row['key']);
    if (key === undefined) hasGap = true;
    else keys.push({ number, madeAt, sealed: String(row['key']), key });
    if (!hasGap) knownSince = madeAt;
  }
  return { keys, knownSince };
}

/** Characters of `row.` and of a key's id, less its last two bits. */
const idEnd = 9;

export function newPersonKey(): string {
  return randomBytes(32).toString('hex');
}

export function sealPersonKey(seal: Seal, number: number, key: string): string {
  return sealRow(seal, { ...sealedKey, row: String(number) }, key);
}

/** What it is to be under now; undefined where it is under the newest secret already, whose id a token begins with. */
export function resealedPersonKey(seal: Seal, { number, key, sealed }: PersonKey): string | undefined {
  const again = sealPersonKey(seal, number, key);
  return again.slice(0, idEnd) === sealed.slice(0, idEnd) ? undefined : again;
}

export function openPersonKey(seal: Seal, number: number, sealed: unknown): string | undefined {
  const opened = openRow(seal, { ...sealedKey, row: String(number) }, sealed);
  return typeof opened === 'string' ? opened : undefined;
}

const length = 22;

/**
 * People as one center has them: in another one they are somebody else. SHA-512/256 of a key of fixed length and the
 * text, which cannot be extended and takes a third of an HMAC's time; 132 bits of it.
 */
export function peopleOf({ key }: Pick<PersonKey, 'key'>, center: string): (subject: string) => string {
  const own = hash('sha512-256', `${key}${center}`, 'base64url');
  return (subject) => hash('sha512-256', own + subject, 'base64url').slice(0, length);
}

/** As long as a submission can be retried or undone. */
export const eventLifeMs = 30 * 24 * 3_600_000;

/** A store's answers of 0 and 1, one after the other for each person and again for each key: all must be 1. */
export function readAnswers(written: unknown, people: number): readonly boolean[] {
  const text = String(written ?? '');
  const keys = people === 0 ? 0 : text.length / people;
  return Array.from({ length: people }, (_, person) => {
    for (let key = 0; key < keys; key += 1) if (text[key * people + person] === '0') return false;
    return true;
  });
}
