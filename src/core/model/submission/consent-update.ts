import { byKey, firstByKey } from '../by-key.ts';

/**
 * The content of a PUT. `purposes` is the complete set: an absent purpose is withdrawn (docs/platform-api.md,
 * Update).
 */
export interface ConsentUpdate {
  readonly purposes: readonly PurposeUpdate[];
  /** The changed values: label → value. */
  readonly dataElements: Readonly<Record<string, string>>;
  readonly language: string | undefined;
}

const updateIn = firstByKey<PurposeUpdate>(({ id }) => id);

/** The part of an update about a purpose. */
export function updateOf({ purposes }: ConsentUpdate, purpose: string): PurposeUpdate | undefined {
  return updateIn(purposes, purpose);
}

export interface PurposeUpdate {
  readonly id: string;
  readonly topics: readonly string[];
  /** The preferences with at least one chosen option. */
  readonly preferences: readonly { readonly id: string; readonly options: readonly string[] }[];
}

/** The items of a PUT's or DELETE's answer. */
export interface ConsentAnswer {
  readonly items: readonly AnswerItem[];
}

export interface AnswerItem {
  readonly purpose: string;
  readonly accepted: boolean;
  readonly receipt: string | undefined;
  readonly messages: readonly string[];
}

const itemsByPurpose = byKey<AnswerItem>(({ purpose }) => purpose);

/** The items of an answer about a purpose; there may be several. */
export function answersAbout({ items }: ConsentAnswer, purpose: string): readonly AnswerItem[] {
  return itemsByPurpose(items, purpose);
}
