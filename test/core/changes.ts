import {
  type Intent,
  noIntent,
  type OptionChange,
  type PurposeChange,
} from '../../src/core/model/submission/intent.ts';

type More<Kind extends PurposeChange['kind']> = Partial<Extract<PurposeChange, { kind: Kind }>>;

export function on(purpose: string, more: More<'on'> = {}): PurposeChange {
  return { kind: 'on', purpose, topics: [], topicsOff: [], options: [], optionsOff: [], ...more };
}

export function off(purpose: string): PurposeChange {
  return { kind: 'off', purpose };
}

export function adjust(purpose: string, more: More<'adjust'> = {}): PurposeChange {
  return { kind: 'adjust', purpose, topicsOn: [], topicsOff: [], optionsOn: [], optionsOff: [], ...more };
}

export function reduce(purpose: string, more: More<'reduce'> = {}): PurposeChange {
  return { kind: 'reduce', purpose, topicsOff: [], optionsOff: [], ...more };
}

export function option(preference: string, value: string): OptionChange {
  return { preference, option: value };
}

export function intentOf(...purposes: PurposeChange[]): Intent {
  return { ...noIntent, purposes };
}

export const leaveAll: Intent = { ...noIntent, everything: 'withdraw' };
