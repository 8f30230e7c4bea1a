import type { ElementMistake } from './element-value.ts';

export type MistakeKind = ElementMistake | 'read-only' | 'choice-required' | 'one-choice-only';

export interface Mistake {
  /** The input's name: `option.<purpose>.<preference>` or `element.<id>`. */
  readonly field: string;
  readonly kind: MistakeKind;
}
