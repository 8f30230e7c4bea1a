import type { Seen } from '../../upstream/scripted-platform.ts';

/** An address of the platform, taken apart. */
export interface Asked {
  readonly kind: 'preferences' | 'root' | 'page' | 'subject' | 'other';
  /** Of the center, or of the page. */
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
