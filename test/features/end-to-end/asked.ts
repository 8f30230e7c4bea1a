import { startProduct, tenantAt } from '../../kit/product.ts';
import { type Scripted, type Seen, startScripted } from '../../upstream/scripted-platform.ts';

/** A call to the platform, with its address parsed. */
export interface Asked {
  readonly kind: 'preferences' | 'root' | 'page' | 'subject' | 'other';
  /** Id of the center or of the page. */
  readonly id: string;
  readonly identifier: string;
  readonly method: string;
  readonly body: string;
}

export function readAsked({ method, path, headers, body }: Seen): Asked {
  const [, version, area, id = '', rest = ''] =
    /^\/api\/consentmanager\/(v\d)\/(preferencecenters|preferencecenterpage)(?:\/([^/?]+)(?:\/([^?]+))?)?/.exec(
      path,
    ) ?? [];
  const kinds: Readonly<Record<string, Asked['kind']>> = {
    'v1 preferencecenters preferences': 'preferences',
    'v1 preferencecenters datasubjects/preferences': 'subject',
    'v2 preferencecenters schema': 'root',
    'v2 preferencecenterpage schema': 'page',
  };
  const kind = kinds[`${version} ${area} ${rest}`] ?? 'other';
  return { kind, id, identifier: String(headers['identifier'] ?? ''), method, body };
}

/** Starts the product over a platform that a test plays; both are closed together. */
export async function startOver(play: (asked: Asked) => Scripted) {
  const platform = await startScripted((seen) => play(readAsked(seen)));
  const env = { ...tenantAt(platform.url), LOG_LEVEL: 'silent' };
  const product = await startProduct({ store: 'files', env });
  return {
    platform,
    product,
    async [Symbol.asyncDispose]() {
      await product[Symbol.asyncDispose]();
      await platform.close();
    },
  };
}
