import type { PurposeText } from '../core/model/wording.ts';

export interface EvidenceReport {
  /** What a purpose said to those who were asked for it in that time, and how many agreed to each wording. Names no person. */
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
  /** undefined where nothing was shown, or is kept. */
  readonly language: string | undefined;
  readonly version: number | undefined;
  readonly digest: string | undefined;
  readonly text: PurposeText | undefined;
  readonly agreed: number;
  /** Of these, read back as on record. */
  readonly saved: number;
  readonly withdrew: number;
}
