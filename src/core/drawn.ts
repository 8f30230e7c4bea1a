import type { ConsentStatus } from './consent.ts';

/**
 * What a page drew and in which state: sealed into its form, so that a post can be read as the difference.
 * Times are epoch milliseconds.
 */
export interface Drawn {
  readonly nonce: string;
  readonly center: string;
  readonly page: string;
  readonly revision: string;
  readonly subject: string;
  readonly at: number;
  readonly purposes: readonly DrawnPurpose[];
  readonly dataElements: readonly { readonly id: string; readonly value: string }[];
}

/** What a page drew as on though nobody had asked. */
export function drawnByDefault({ purposes }: Pick<Drawn, 'purposes'>): readonly string[] {
  return purposes.filter(({ status }) => status === 'on-by-default').map(({ id }) => id);
}

export interface DrawnPurpose {
  readonly id: string;
  readonly status: ConsentStatus;
  /** Topics shown as chosen. */
  readonly topics: readonly string[];
  /** Options shown as chosen. */
  readonly options: readonly { readonly preference: string; readonly option: string }[];
}
