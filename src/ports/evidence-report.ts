import type { PurposeText } from '../core/model/evidence/wording.ts';

export interface EvidenceReport {
  /** The wordings of a purpose that people were shown in that time, and how many agreed to each. Names no person. */
  agreedTo(which: {
    readonly purpose: string;
    /** Epoch milliseconds: at or after, and before. */
    readonly from: number;
    readonly to: number;
    /** undefined: in all. */
    readonly center?: string | undefined;
  }): Promise<readonly AgreedWords[]>;
}

export interface AgreedWords {
  readonly center: string;
  readonly purpose: string;
  /** undefined if nothing was shown, or nothing of it is kept. */
  readonly language: string | undefined;
  readonly version: number | undefined;
  readonly digest: string | undefined;
  readonly text: PurposeText | undefined;
  readonly agreed: number;
  /** Those that were read back as on record. */
  readonly saved: number;
  readonly withdrew: number;
}
