import type { FormSnapshot } from '../../core/consent/form-snapshot.ts';
import type { Center } from '../../core/model/center/center.ts';
import type { Seal } from '../../ports/seal.ts';
import { sealedBytes } from '../../web/sealed-token.ts';
import { createFormCodec, type DecodedForm } from './form-codec.ts';

/** The token does not expire: an old form is shown again instead of refused. */
const formToken = sealedBytes({ use: 'preferences' });
const codec = createFormCodec();

/** `center` is the schema that the page was made from. */
export function sealForm(seal: Seal, snapshot: FormSnapshot, center: Center): string {
  return formToken.seal(seal, codec.encode(snapshot, center));
}

/** undefined unless this installation sealed it as a form. */
export function openForm(seal: Seal, token: string): DecodedForm | undefined {
  const bytes = formToken.open(seal, token);
  return bytes === undefined ? undefined : codec.decode(bytes);
}
