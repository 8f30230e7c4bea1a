import { Router } from 'express';
import type { Centers } from './centers.ts';
import type { Endpoint } from './endpoint.ts';
import { fold, idOf, isGuid, type Json, type JsonObject, objects, text } from './json.ts';
import { sortedPage } from './paging.ts';
import { makePurpose, statusAt } from './purposes.ts';
import { readQueryDate } from './query-date.ts';
import { badRequest, unknownId } from './refusal.ts';
import type { Store } from './store.ts';

const V1 = '/api/consentmanager/v1/purposes';
const V2 = '/api/consentmanager/v2/purposes';
const READ = ['CONSENT', 'CONSENT_READ'] as const;
const DAY_MS = 86_400_000;

export interface PurposeVersionParts {
  readonly endpoint: Endpoint;
  readonly centers: Centers;
  readonly store: Store;
  readonly now: () => Date;
}

/** Routes that list purposes with their versions, edit a draft, publish a version and retire a purpose. */
export function purposeVersionRoutes(parts: PurposeVersionParts): Router {
  const { endpoint, store, now } = parts;

  /** Purposes of the centers in the data folder; those made or changed through the interface replace them. */
  function current(): Map<string, JsonObject> {
    const found = new Map<string, JsonObject>();
    for (const { catalogue } of parts.centers.list())
      for (const [id, { purpose, lifeSpan }] of catalogue)
        if (!found.has(id)) found.set(id, detailsOf(purpose, lifeSpan));
    for (const made of store.all('purposes')) found.set(idOf(made) ?? '', made);
    return found;
  }

  function versions(): JsonObject[] {
    const all = [...current().values(), ...store.all('purpose-drafts'), ...store.all('former-purposes')];
    return all.map((purpose) => statusAt(purpose, now())).sort(byName);
  }

  function listed(query: URLSearchParams): JsonObject[] {
    const latest = query.get('latestVersion') ?? 'false';
    if (latest !== 'true' && latest !== 'false') throw badRequest('latestVersion must be true or false');
    const all = versions();
    return latest === 'false' ? all : all.filter((purpose) => !all.some((other) => isNewer(other, purpose)));
  }

  function requirePurpose(id: string): JsonObject {
    const purpose = isGuid(id) ? current().get(fold(id)) : undefined;
    if (purpose === undefined) throw unknownId(id, 'purposeId', 'Purpose');
    return purpose;
  }

  /** Finds the draft of a purpose, with the collection that holds it; throws 400 without a draft. */
  function requireDraft(id: string): { shelf: 'purposes' | 'purpose-drafts'; draft: JsonObject } {
    const purpose = requirePurpose(id);
    if (purpose['Status'] === 'DRAFT') return { shelf: 'purposes', draft: purpose };
    const draft = store.find('purpose-drafts', fold(id));
    if (draft === undefined) throw badRequest(`Purpose ${id} has no version in Draft status`);
    return { shelf: 'purpose-drafts', draft };
  }

  const router = Router({ caseSensitive: true });
  for (const [home, show] of [
    [V1, (purpose: JsonObject) => purpose],
    [V2, secondShape],
  ] as const)
    router
      .get(
        home,
        // Real clients ask for 200 at a time.
        endpoint('list-purposes', READ, ({ query }) =>
          sortedPage(query, listed(query), { most: 2000, show }),
        ),
      )
      .get(
        `${home}/:purpose`,
        endpoint('read-purpose', READ, (call) => ({
          body: show(statusAt(requirePurpose(call.parameter('purpose')), now())),
        })),
      );
  return router
    .post(
      `${V1}/:purpose`,
      endpoint('version-purpose', ['CONSENT'], (call) => {
        const purpose = requirePurpose(call.parameter('purpose'));
        const id = fold(call.parameter('purpose'));
        if (statusAt(purpose, now())['Status'] !== 'ACTIVE')
          throw badRequest(`Purpose ${id} is not in Active status`);
        if (store.find('purpose-drafts', id) !== undefined)
          throw badRequest(`Purpose ${id} has a version in Draft status already`);
        const draft = { ...purpose, Status: 'DRAFT', Version: versionOf(purpose) + 1 };
        store.save('purpose-drafts', id, draft);
        return { body: draft };
      }),
    )
    .put(
      `${V1}/:purpose`,
      endpoint('update-purpose', ['CONSENT'], (call) => {
        const { shelf, draft } = requireDraft(call.parameter('purpose'));
        const made = makePurpose(call.json(), (id) => store.find('preferences', id));
        const edited = { ...made, Id: draft['Id'] ?? '', Version: draft['Version'] ?? 1, Status: 'DRAFT' };
        store.save(shelf, fold(call.parameter('purpose')), edited);
        return { body: edited };
      }),
    )
    .put(
      `${V1}/:purpose/publish`,
      endpoint('publish-purpose', ['CONSENT'], (call) => {
        const { shelf, draft } = requireDraft(call.parameter('purpose'));
        const version = call.query.get('version');
        if (version !== null && Number(version) !== versionOf(draft))
          throw badRequest(`version ${version} is not in Draft status`);
        const id = fold(call.parameter('purpose'));
        const published = { ...draft, Status: 'ACTIVE' };
        store.together(() => {
          if (shelf === 'purpose-drafts') {
            const before = requirePurpose(id);
            store.save('former-purposes', `${id} ${versionOf(before)}`, { ...before, Status: 'RETIRED' });
            store.remove('purpose-drafts', id);
          }
          store.save('purposes', id, published);
        });
        return { body: published };
      }),
    )
    .put(
      `${V1}/:purpose/retire`,
      endpoint('retire-purpose', ['CONSENT'], (call) => {
        const purpose = requirePurpose(call.parameter('purpose'));
        const date = readQueryDate(call.query, 'date') ?? new Date(now().getTime() + DAY_MS);
        const retired = { ...purpose, RetirementDate: date.toISOString() };
        store.save('purposes', fold(call.parameter('purpose')), retired);
        return sortedPage(new URLSearchParams(), [statusAt(retired, now())], {
          most: 20,
          show: (each) => each,
        });
      }),
    );
}

/** Converts a purpose of a center's schema into the answer of the interface. */
function detailsOf(purpose: JsonObject, lifeSpan: number): JsonObject {
  return {
    Id: purpose['Id'] ?? '',
    Label: purpose['Label'] ?? '',
    Description: purpose['Description'] ?? '',
    Status: text(purpose['Status']) ?? 'ACTIVE',
    Version: purpose['Version'] ?? 1,
    PurposeType: purpose['PurposeType'] ?? 'STANDARD',
    ConsentLifeSpan: lifeSpan,
    Languages: objects(purpose['Languages']),
    Topics: objects(purpose['Topics']),
    CustomPreferences: objects(purpose['CustomPreferences']),
  };
}

function versionOf(purpose: JsonObject): number {
  return Number(purpose['Version'] ?? 1);
}

function isNewer(other: JsonObject, purpose: JsonObject): boolean {
  return idOf(other) === idOf(purpose) && versionOf(other) > versionOf(purpose);
}

function byName(a: JsonObject, b: JsonObject): number {
  const key = (purpose: JsonObject) => `${text(purpose['Label']) ?? ''} ${idOf(purpose)}`.toLowerCase();
  return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : versionOf(b) - versionOf(a);
}

const RENAMED = new Map([
  ['Default', 'isDefault'],
  ['PurposeType', 'type'],
  ['CustomPreferenceOptions', 'options'],
]);

/** Converts a purpose into the form of v2: the same members with a small first letter. */
function secondShape(purpose: JsonObject): JsonObject {
  const change = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(change);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        RENAMED.get(name) ?? `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
        change(inner),
      ]),
    );
  };
  return change(purpose) as JsonObject;
}
