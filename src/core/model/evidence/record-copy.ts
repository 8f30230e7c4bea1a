import type { Channel, ItemResult, Submission } from '../submission/submission.ts';
import type { PathStep } from './day-root.ts';
import type { AskedEvidence, EndedEvidence, Salted } from './evidence.ts';

/**
 * A person's record as a file to keep: plain JSON, which is then signed. It is a consent receipt after ISO/IEC TS
 * 27560:2023, in terms of the Data Privacy Vocabulary; our additions begin with `sayso:`. `recordSchema` describes it.
 * Times are ISO 8601 in UTC.
 */
export interface RecordCopy {
  readonly '@context': { readonly dpv: string; readonly sayso: string };
  readonly '@type': 'dpv:ConsentReceipt';
  readonly schema_version: string;
  readonly receipt_id: string;
  readonly iss: string;
  readonly sub: string;
  readonly pii_principal_id: string;
  readonly 'sayso:issuedAt': string;
  /** Its name on the day of issue. */
  readonly 'sayso:center': { readonly id: string; readonly title?: string | undefined };
  readonly 'sayso:language': string;
  /** The number of records, and which of the files this is, from 1. */
  readonly 'sayso:total': number;
  readonly 'sayso:part': number;
  readonly 'sayso:parts': number;
  /** Signed `DayRoot`s that the paths of its records lead to. */
  readonly 'sayso:roots'?: readonly SignedRecord[] | undefined;
  /** Newest first. */
  readonly records: readonly ConsentRecordCopy[];
}

/** One submission, in the words of its time. */
export interface ConsentRecordCopy {
  readonly '@type': 'dpv:ConsentRecord';
  readonly record_id: string;
  readonly language?: string | undefined;
  readonly privacy_notice?: string | undefined;
  readonly party?: readonly PartyCopy[] | undefined;
  readonly purposes: readonly PurposeCopy[];
  readonly events: readonly EventCopy[];
  readonly 'sayso:state': Submission['state'];
  readonly 'sayso:channel': Channel;
  /** Whether these are the words of a form, of a submission that is undone, of the center, or not read. */
  readonly 'sayso:words': 'form' | 'undone' | 'center' | 'not-read';
  readonly 'sayso:wording'?: string | undefined;
  readonly 'sayso:title'?: string | undefined;
  readonly 'sayso:button'?: string | undefined;
  readonly 'sayso:notice'?: { readonly id: string; readonly name: string } | undefined;
  readonly 'sayso:page'?: string | undefined;
  readonly 'sayso:template'?: string | undefined;
  readonly 'sayso:everything': boolean;
  readonly 'sayso:globalPrivacyControl': boolean;
  readonly 'sayso:objection'?: true | undefined;
  readonly 'sayso:onBehalf'?: AskedEvidence['onBehalf'];
  readonly 'sayso:linkMadeBy'?: string | undefined;
  readonly 'sayso:undoes'?: string | undefined;
  readonly 'sayso:undoneBy'?: string | undefined;
  readonly 'sayso:receipts': readonly string[];
  /** The content of its leaves: SHA-256 of the salt and of the content with the members of each object sorted. */
  readonly 'sayso:asked'?: Salted<AskedEvidence> | undefined;
  readonly 'sayso:ended'?: (Salted<EndedEvidence> & { readonly reference: string }) | undefined;
  /** From SHA-256(0, digest of asked, digest of ended) to the root of that day, `yyyy-MM-dd`. */
  readonly 'sayso:path'?: { readonly day: string; readonly steps: readonly PathStep[] } | undefined;
}

export interface PartyCopy {
  readonly party_role: 'dpv:DataController';
  readonly party_name?: string | undefined;
  readonly party_contact?: string | undefined;
}

export interface PurposeCopy {
  readonly '@type': 'dpv:Purpose' | 'dpv:PersonalData' | 'dpv:Language';
  readonly purpose: string;
  readonly 'sayso:id': string;
  readonly description?: string | undefined;
  readonly lawful_basis?: 'dpv:Consent' | undefined;
  readonly 'sayso:version'?: number | undefined;
  /** The digest of its text; absent: the name is that of the day of issue. */
  readonly 'sayso:text'?: string | undefined;
  readonly 'sayso:change': ItemResult['change'];
  /** As the form showed it. */
  readonly 'sayso:from'?: string | undefined;
  readonly 'sayso:choices'?: readonly ChoiceCopy[] | undefined;
  readonly 'sayso:outcome': ItemResult['outcome'];
  readonly 'sayso:receipt'?: string | undefined;
}

export interface ChoiceCopy {
  readonly kind: 'topic' | 'option';
  readonly id: string;
  readonly name: string;
  readonly preference?: { readonly id: string; readonly name: string } | undefined;
  readonly to: 'on' | 'off';
}

export interface EventCopy {
  readonly event_time: string;
  readonly event_type: 'sayso:shown' | 'sayso:accepted' | 'sayso:sent' | 'sayso:ended' | EventState;
  /** Purpose of the event; absent: all of the record. */
  readonly 'sayso:purpose'?: string | undefined;
}

export type EventState =
  | 'dpv:ConsentGiven'
  | 'dpv:RenewedConsentGiven'
  | 'dpv:ConsentRequested'
  | 'dpv:ConsentWithdrawn'
  | 'dpv:ConsentUnknown';

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

/** Proof that a submission is in the root of its day: epoch milliseconds of its UTC midnight. */
export interface RootProof {
  readonly day: number;
  readonly path: readonly PathStep[];
  /** The root that it leads to. */
  readonly signed: SignedRecord;
}
