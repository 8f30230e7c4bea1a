import { recorded } from '../../upstream/recorded.ts';
import {
  type Scripted,
  type ScriptedPlatform,
  type Seen,
  startScripted,
} from '../../upstream/scripted-platform.ts';

/** Centers and people of test/payloads. */
export const enhanced = '156129da-7441-498d-a0eb-a89da357d741';
export const multiPage = '256129da-7441-498d-a0eb-a89da357d742';
export const john = 'user@example.com';
export const newcomer = 'new.person@example.com';

/** An address of the platform, taken apart. */
export interface Asked {
  readonly kind: 'preferences' | 'root' | 'page' | 'subject' | 'list' | 'other';
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
    'v2 preferencecenters ': 'list',
  };
  const kind = kinds[`${version} ${area} ${rest}`] ?? 'other';
  return { kind, id, identifier: String(headers['identifier'] ?? ''), method, body };
}

interface SubjectDocument {
  readonly Purposes: readonly { readonly Id: string; readonly TransactionStatus: string }[];
  readonly DsDataElements: Readonly<Record<string, string>>;
}

interface UpdateDocument {
  readonly Purposes: readonly { readonly Id: string }[];
  readonly dsDataElements?: Readonly<Record<string, string>>;
}

export interface RecordedPlatform extends ScriptedPlatform {
  /** Bodies of the PUTs so far. */
  readonly puts: UpdateDocument[];
}

/**
 * A platform that gives the recorded payloads word for word, and keeps what is written to it: a purpose of a PUT
 * becomes ACTIVE, one that is not in it WITHDRAWN.
 */
export async function startRecorded(): Promise<RecordedPlatform> {
  const people = new Map<string, SubjectDocument>();
  const puts: UpdateDocument[] = [];
  const find = (key: string, identifier: string): SubjectDocument => {
    const name =
      identifier === john
        ? '02_v1_datasubject_preferences.json'
        : '02b_v1_datasubject_preferences_no_transactions.json';
    return people.get(key) ?? (recorded(name) as SubjectDocument);
  };
  const answer = (seen: Seen): Scripted => {
    const { kind, id, identifier, method, body } = readAsked(seen);
    if (kind === 'list') return { body: recorded('06_v2_preferencecenters_list.json') };
    if (kind === 'preferences')
      return id === enhanced ? { body: recorded('01_v1_schema.json') } : { status: 404, body: '"not found"' };
    if (kind === 'root')
      return id === multiPage ? { body: recorded('07_v2_root_schema.json') } : { status: 404, body: '' };
    if (kind === 'page') return { body: recorded('08_v2_page_schema.json') };
    if (kind !== 'subject' || (identifier !== john && identifier !== newcomer))
      return { status: 404, body: '' };
    const key = `${id} ${identifier}`;
    const before = find(key, identifier);
    if (method === 'GET') return { body: before };
    const update: UpdateDocument = method === 'PUT' ? (JSON.parse(body) as UpdateDocument) : { Purposes: [] };
    if (method === 'PUT') puts.push(update);
    const sent = new Map(update.Purposes.map((purpose) => [purpose.Id, purpose]));
    const kept = before.Purposes.filter(({ Id }) => !sent.has(Id)).map((purpose) => ({
      ...purpose,
      TransactionStatus: 'WITHDRAWN',
    }));
    const given = update.Purposes.map((purpose) => ({ ...purpose, TransactionStatus: 'ACTIVE' }));
    const after = {
      ...before,
      Status: 200,
      Purposes: [...given, ...kept],
      DsDataElements: { ...before.DsDataElements, ...update.dsDataElements },
    };
    people.set(key, after);
    return { body: recorded(method === 'PUT' ? '04_v1_put_response.json' : '05_v1_delete_response.json') };
  };
  const platform = await startScripted(answer, () => ({
    // Word for word but for the token itself, which the payload only describes.
    body: { ...(recorded('10_token_response.json') as object), access_token: 'head.claims.signature' },
  }));
  return { ...platform, puts };
}
