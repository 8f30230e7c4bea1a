import type { RecordKeys, RecordSigner } from '../ports/signed-records.ts';
import { createRecordSigner } from '../store/record-signer.ts';
import { deriveKey } from './secret.ts';

/** The first secret signs; records signed under the others still verify. */
export function openSigner(
  secrets: readonly string[],
  { recordKeys }: { readonly recordKeys: RecordKeys },
): Promise<RecordSigner> {
  const seeds = secrets.map((secret) => deriveKey(secret, 'record signature'));
  return createRecordSigner({ seeds, keys: recordKeys });
}
