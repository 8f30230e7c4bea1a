import type { FormSnapshot } from '../../core/consent/form-snapshot.ts';
import type { Center } from '../../core/model/center.ts';
import type { Seal } from '../../ports/seal.ts';
import { sealedBytes } from '../../web/sealed-token.ts';
import { createFormCodec, type DecodedForm } from './form-codec.ts';

/** An old one is shown again rather than refused. */
const formToken = sealedBytes({ use: 'preferences' });
const codec = createFormCodec();

/** `center`: by which the page was shown. */
export function sealForm(seal: Seal, snapshot: FormSnapshot, center: Center): string {
  return formToken.seal(seal, codec.encode(snapshot, center));
}

/** undefined for anything that this installation did not seal as such a form. */
export function openForm(seal: Seal, token: string): DecodedForm | undefined {
  const bytes = formToken.open(seal, token);
  return bytes === undefined ? undefined : codec.decode(bytes);
}
