import type { PathStep } from './day-root.ts';
import type { Described, record, recordSchema, signed } from './record-schema.ts';

/**
 * A person's record as a file to keep: plain JSON, to be signed. The format is a consent receipt after
 * ISO/IEC TS 27560:2023 with terms of the Data Privacy Vocabulary; our additions begin with `sayso:`. Times
 * are ISO 8601 in UTC.
 */
export type RecordCopy = Described<typeof recordSchema>;

/** One submission, in the words of its time. */
export type ConsentRecordCopy = Described<typeof record>;

export type PurposeCopy = ConsentRecordCopy['purposes'][number];
export type ChoiceCopy = NonNullable<PurposeCopy['sayso:choices']>[number];
export type EventCopy = ConsentRecordCopy['events'][number];
export type SignedRecord = Described<typeof signed>;

/** A key of a key set (RFC 7517). */
export interface PublicKey {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
  readonly alg: string;
  readonly use: string;
}

/** Proof that a submission is in the root of its day. `day` is the UTC midnight in epoch milliseconds. */
export interface RootProof {
  readonly day: number;
  readonly path: readonly PathStep[];
  /** The signed root at the end of the path. */
  readonly signed: SignedRecord;
}
