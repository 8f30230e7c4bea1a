import type { SpokenWord } from '../model/center-event.ts';
import type { Intent } from '../model/intent.ts';

/** What a person switches off, to be known from the moment on in which it is accepted. */
export function withdrawnWords({ everything, purposes }: Intent): readonly SpokenWord[] {
  if (everything === 'withdraw') return [{ purpose: '', isOff: true }];
  return purposes.flatMap(({ kind, purpose }) => (kind === 'off' ? { purpose, isOff: true } : []));
}
