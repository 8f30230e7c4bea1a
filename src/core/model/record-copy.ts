import type { Submission } from './submission.ts';

/** A person's record as a file to keep: plain JSON, which is then signed. Times are ISO 8601 in UTC. */
export interface RecordCopy {
  readonly iss: string;
  readonly sub: string;
  readonly issuedAt: string;
  readonly center: { readonly id: string; readonly title: string | undefined };
  readonly language: string;
  /** How many entries the whole record has, and which of its files this is, from 1. */
  readonly total: number;
  readonly part: number;
  readonly parts: number;
  /** Newest first. */
  readonly entries: readonly RecordCopyEntry[];
}

export interface RecordCopyEntry extends Omit<Submission, 'items' | 'center' | 'submittedAt' | 'doneAt'> {
  readonly submittedAt: string;
  readonly doneAt: string | undefined;
  readonly items: readonly (Submission['items'][number] & { readonly name: string })[];
}

/** A flattened JWS (RFC 7515, 7.2.2). */
export interface SignedRecord {
  readonly payload: string;
  readonly protected: string;
  readonly signature: string;
}

/** A key of a key set (RFC 7517). */
export interface PublicKey {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
  readonly alg: string;
  readonly use: string;
}
