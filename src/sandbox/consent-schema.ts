import { fold, idOf, isObject, type Json, type JsonObject, object, objects, text } from './json.ts';

/** One purpose in the single-page form, with its topics and preferences by folded id. */
export interface CatalogueEntry {
  readonly purpose: JsonObject;
  /** Seconds until a consent ends; 0 means never. */
  readonly lifeSpan: number;
  readonly topics: ReadonlyMap<string, JsonObject>;
  readonly preferences: ReadonlyMap<
    string,
    { preference: JsonObject; options: ReadonlyMap<string, JsonObject> }
  >;
}

/** All purposes of a center by folded id, in the order of the schema. */
export type Catalogue = ReadonlyMap<string, CatalogueEntry>;

function byId(items: JsonObject[]): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const item of items) {
    const id = idOf(item);
    if (id !== undefined && !found.has(id)) found.set(id, item);
  }
  return found;
}

export function catalogueEntry(purpose: JsonObject): CatalogueEntry {
  const lifeSpan = purpose['LifeSpan'] ?? purpose['ConsentLifeSpan'];
  const preferences = [...byId(objects(purpose['CustomPreferences']))].map(([id, preference]) => {
    const labelled = objects(preference['Languages']).flatMap((language) => objects(language['Options']));
    return [id, { preference, options: byId([...objects(preference['Options']), ...labelled]) }] as const;
  });
  return {
    purpose,
    lifeSpan: typeof lifeSpan === 'number' && lifeSpan > 0 ? lifeSpan : 0,
    topics: byId(objects(purpose['Topics'])),
    preferences: new Map(preferences),
  };
}

/** All folded ids that a PUT can name: purposes, topics, preferences and options. */
export function idsIn(catalogue: Catalogue): Set<string> {
  const ids = new Set<string>();
  for (const [id, { topics, preferences }] of catalogue) {
    ids.add(id);
    for (const topic of topics.keys()) ids.add(topic);
    for (const [preference, { options }] of preferences) {
      ids.add(preference);
      for (const option of options.keys()) ids.add(option);
    }
  }
  return ids;
}

export function catalogueOf(purposes: JsonObject[]): Catalogue {
  return new Map([...byId(purposes)].map(([id, purpose]) => [id, catalogueEntry(purpose)]));
}

/** Converts a Multi Page root and its pages into a single-page schema with Template MULTIPAGE. */
export function deriveSchema(center: string, root: JsonObject, pages: JsonObject[]): JsonObject {
  const portal = object(root['portalSettings']);
  const title = text(portal['title']) ?? 'Preference Center';
  return {
    messages: [],
    Status: 200,
    PreferenceCentreId: center,
    Language: defaultLanguage(root),
    Languages: languagesOf(root),
    Template: 'MULTIPAGE',
    DisplayNotificationPurpose: root['displayNotificationPurpose'] === true,
    EnableMultipleIdentities: root['enableMultipleIdentities'] === true,
    Purposes: derivePurposes(root, pages),
    PreferenceCenterSettings: { Languages: labelSets(root), Order: 1 },
    PortalSettings: {
      UseTitleImage: portal['useTitleImage'] === true,
      TitleImageUrl: text(portal['titleImageUrl']) ?? '',
      Title: title,
    },
    Translations: object(root['translations']),
    ProfileSettings: {
      Order: 2,
      IsEnabled: false,
      DefaultTitle: 'Profile',
      Languages: {},
      DataElements: sections(pages)
        .flatMap((section) => objects(section['customDataElements']))
        .map(dataElement),
    },
  };
}

export function defaultLanguage(root: JsonObject): string {
  const listed = objects(root['languages']);
  const marked = listed.find((language) => language['isDefault'] === true) ?? listed[0];
  return text(root['defaultLanguage']) ?? text(marked?.['language']) ?? 'en-us';
}

function languagesOf(root: JsonObject): string[] {
  const tags = objects(root['languages']).flatMap((language) => text(language['language']) ?? []);
  return tags.length > 0 ? tags : [defaultLanguage(root)];
}

function sections(pages: JsonObject[]): JsonObject[] {
  return pages.flatMap((page) => objects(page['sections']));
}

function labelSets(root: JsonObject): JsonObject {
  const sets = object(object(root['preferenceCenterSettings'])['languages']);
  return Object.fromEntries(
    Object.entries(sets).map(([tag, set]) => [
      tag,
      Object.fromEntries(
        Object.entries(object(set)).map(([key, label]) => [
          key.charAt(0).toUpperCase() + key.slice(1),
          label,
        ]),
      ),
    ]),
  );
}

/** Merges a purpose that several pages show: it gets the topics and preferences of all of them. */
function derivePurposes(root: JsonObject, pages: JsonObject[]): JsonObject[] {
  const displayed = sections(pages)
    .flatMap((section) => objects(section['purposes']))
    .map((item) => purpose(item, 'STANDARD'));
  const notification = root['notificationPurpose'];
  if (isObject(notification)) displayed.push(purpose(notification, 'NOTIFICATION_OPT_OUT'));
  const merged = new Map<string, JsonObject>();
  for (const item of displayed) {
    const id = idOf(item);
    if (id === undefined) continue;
    const before = merged.get(id);
    merged.set(id, before === undefined ? item : union(before, item));
  }
  return [...merged.values()];
}

function union(first: JsonObject, second: JsonObject): JsonObject {
  const joined = (member: string): Json => [
    ...byId([...objects(first[member]), ...objects(second[member])]).values(),
  ];
  return { ...first, Topics: joined('Topics'), CustomPreferences: joined('CustomPreferences') };
}

function purpose(item: JsonObject, type: string): JsonObject {
  const lifeSpan = item['lifeSpan'];
  const version = item['version'];
  return {
    Id: text(item['id']) ?? '',
    Version: typeof version === 'number' ? version : 1,
    Label: text(item['label']) ?? '',
    Description: text(item['description']) ?? '',
    Status: text(item['status']) ?? 'ACTIVE',
    PurposeType: text(item['purposeType']) ?? type,
    Languages: objects(item['languages']).map(named),
    Topics: objects(item['topics']).map((topic) => ({
      Id: text(topic['id']) ?? '',
      Name: text(topic['name']) ?? '',
      Languages: objects(topic['languages']).map(({ name, language, isDefault }) => ({
        Name: text(name) ?? '',
        Language: text(language) ?? '',
        Default: isDefault === true,
      })),
    })),
    CustomPreferences: objects(item['customPreferences']).map(preference),
    LifeSpan: typeof lifeSpan === 'number' ? lifeSpan : 0,
    DefaultConsentStatus: text(item['defaultConsentStatus']) ?? 'OPT_OUT',
  };
}

function named(entry: JsonObject): JsonObject {
  const message = text(entry['hardOptOutMessage']);
  return {
    Name: text(entry['name']) ?? '',
    Description: text(entry['description']) ?? '',
    Language: text(entry['language']) ?? '',
    Default: entry['isDefault'] === true,
    ...(message === undefined ? {} : { HardOptOutMessage: message }),
  };
}

function preference(item: JsonObject): JsonObject {
  const options = objects(item['customPreferenceOptions']);
  return {
    Id: text(item['id']) ?? '',
    Name: text(item['name']) ?? '',
    Description: text(item['description']) ?? '',
    SelectionType: text(item['selectionType']) ?? 'MULTI_CHOICE',
    DisplayAs: text(item['displayAs']) ?? 'CHECKBOXES',
    Required: item['required'] === true,
    Options: options.map((option, index) => ({
      Id: text(option['id']) ?? '',
      Label: text(option['label']) ?? '',
      Order: typeof option['order'] === 'number' ? option['order'] : index,
      IsDefault: option['isDefault'] === true,
    })),
    Languages: objects(item['languages']).map((entry) => ({
      ...named(entry),
      Options: options.map((option) => ({
        Id: text(option['id']) ?? '',
        Label: nameIn(option, text(entry['language']) ?? '') ?? text(option['label']) ?? '',
      })),
    })),
  };
}

function nameIn(item: JsonObject, language: string): string | undefined {
  const entry = objects(item['languages']).find(
    ({ language: tag }) => fold(text(tag) ?? '') === fold(language),
  );
  return text(entry?.['name']);
}

function dataElement(item: JsonObject): JsonObject {
  const options = item['dataElementOptions'];
  return {
    Id: text(item['id']) ?? '',
    Label: text(item['name']) ?? '',
    IsIdentifier: false,
    Hidden: item['hidden'] === true,
    ReadOnly: item['readOnly'] === true,
    Status: 'PUBLISHED',
    Languages: objects(item['languages']).map(({ name, language }) => ({
      Name: text(name) ?? '',
      DataElementOptions: [],
      Language: text(language) ?? '',
    })),
    DisplayAs: text(item['displayAs']) ?? null,
    DataElementType: text(item['dataElementType']) ?? 'USER_INPUT',
    DataElementOptions: Array.isArray(options) ? options : [],
  };
}
