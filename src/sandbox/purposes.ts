import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import * as z from 'zod';
import type { Centers } from './centers.ts';
import { readInstant } from './clock.ts';
import { type CatalogueEntry, catalogueEntry } from './consent-schema.ts';
import type { Endpoint } from './endpoint.ts';
import { fold, idOf, type Json, type JsonObject, objects, text } from './json.ts';
import { sortedPage } from './paging.ts';
import { unknownId } from './refusal.ts';
import { flag, guid, listOf, optional, readShape, usual, whole, words } from './shape.ts';
import type { Store } from './store.ts';

const PREFERENCES = '/api/consentmanager/v1/custompreferences';

/** Routes that create purposes, and that list, read and create custom preferences. */
export function purposeRoutes({
  endpoint,
  centers,
  store,
  now,
}: {
  endpoint: Endpoint;
  centers: Centers;
  store: Store;
  now: () => Date;
}): Router {
  /** Custom preferences of the centers, and those made through the interface, by folded id. */
  function preferences(): Map<string, JsonObject> {
    const entries = centers.list().flatMap(({ catalogue }) => [...catalogue.values()]);
    const displayed = entries.flatMap((entry) => [...entry.preferences]);
    const made = store.all('preferences').map((preference) => [idOf(preference) ?? '', preference] as const);
    return new Map([...displayed.map(([id, { preference }]) => [id, preference] as const), ...made]);
  }

  return Router({ caseSensitive: true })
    .post(
      '/api/consentmanager/v1/purposes',
      endpoint('create-purpose', ['CONSENT'], (call) => {
        const purpose = makePurpose(call.json(), (id) => store.find('preferences', id));
        store.save('purposes', fold(text(purpose['Id']) ?? ''), purpose);
        return { body: purpose };
      }),
    )
    .get(
      PREFERENCES,
      endpoint('list-custom-preferences', ['CONSENT', 'CONSENT_READ'], (call) =>
        sortedPage(call.query, [...preferences().values()], { most: 2000, show: (preference) => preference }),
      ),
    )
    .get(
      `${PREFERENCES}/:preference`,
      endpoint('read-custom-preference', ['CONSENT', 'CONSENT_READ'], (call) => {
        const id = call.parameter('preference');
        const found = preferences().get(fold(id));
        if (found === undefined) throw unknownId(id, 'customPreferenceGuid', 'Custom preference');
        return { body: found };
      }),
    )
    .post(
      PREFERENCES,
      endpoint('create-custom-preference', ['CONSENT'], (call) => {
        const preference = makePreference(call.json(), now());
        store.save('preferences', fold(text(preference['Id']) ?? ''), preference);
        return { body: preference };
      }),
    );
}

/** Finds purposes by folded id, in any center or made through the interface; reads the folder once. */
export function createPurposeFinder(
  centers: Centers,
  store: Store,
  now: () => Date,
): (id: string) => CatalogueEntry | undefined {
  let known: Map<string, CatalogueEntry> | undefined;
  return (id) => {
    // The first center that has a purpose wins.
    known ??= new Map(
      centers
        .list()
        .toReversed()
        .flatMap(({ catalogue }) => [...catalogue]),
    );
    const entry = known.get(id);
    if (entry !== undefined) return entry;
    const made = store.find('purposes', id);
    return made === undefined ? undefined : catalogueEntry(statusAt(made, now()));
  };
}

/** Returns the purpose at that time: it is RETIRED once its retirement date has come. */
export function statusAt({ RetirementDate, ...purpose }: JsonObject, now: Date): JsonObject {
  const date = readInstant(text(RetirementDate) ?? '');
  return date !== undefined && date <= now ? { ...purpose, Status: 'RETIRED' } : purpose;
}

/** Real tenants accept flags, and numbers, as strings too. */
const flagOrWord = z.preprocess(
  (value) => {
    const word = typeof value === 'string' ? value.toLowerCase() : value;
    return word === 'true' || word === 'false' ? word === 'true' : value;
  },
  usual(flag, false),
);
const seconds = z.preprocess((value) => {
  if (value === '') return undefined;
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
}, whole());
const filled = (max = Infinity) => words(0, max).refine((value) => value.trim() !== '', 'is required');
const language = filled().toLowerCase();

const purposeShape = z.object({
  Name: filled(),
  Description: z.string(),
  DefaultLanguage: optional(z.string().toLowerCase()),
  ConsentLifeSpan: seconds,
  Languages: listOf(
    z.object({ Name: filled(), Description: optional(z.string()), Language: language, Default: flagOrWord }),
  ),
  Type: z.enum(['STANDARD', 'COOKIE', 'IAB', 'MOBILE', 'NOTIFICATION_OPT_OUT']).default('STANDARD'),
  CustomPreferenceIds: listOf(guid),
});

const preferenceShape = z.object({
  Name: filled(255),
  Description: filled(1000),
  Language: language,
  SelectionType: z.enum(['SINGLE_CHOICE', 'MULTI_CHOICE']),
  DisplayAs: z.enum(['BUTTONS', 'CHECKBOXES', 'DROPDOWN', 'RADIO_BUTTONS']),
  Required: flagOrWord,
  Disabled: flagOrWord,
  DefaultLanguage: flagOrWord,
  Options: listOf(filled()).refine(({ length }) => length > 0, 'must hold at least one string'),
  Organizations: listOf(guid),
  Purposes: listOf(guid),
});

export function makePurpose(body: Json, findPreference: (id: string) => JsonObject | undefined): JsonObject {
  const given = readShape(purposeShape, body);
  const language = given.DefaultLanguage ?? 'en-us';
  const description = paragraph(given.Description);
  const languages = given.Languages.map((entry) => ({
    ...entry,
    Description: paragraph(entry.Description ?? ''),
  }));
  return {
    Id: randomUUID(),
    Label: given.Name,
    Description: description,
    Status: 'DRAFT',
    Version: 1,
    PurposeType: given.Type,
    ConsentLifeSpan: given.ConsentLifeSpan,
    Languages:
      languages.length > 0
        ? languages
        : [{ Name: given.Name, Description: description, Language: language, Default: true }],
    Topics: [],
    CustomPreferences: given.CustomPreferenceIds.flatMap((id) => {
      const preference = findPreference(fold(id));
      return preference === undefined ? [] : linked(preference);
    }),
  };
}

function paragraph(source: string): string {
  return source === '' || /^\s*<p[\s>]/i.test(source) ? source : `<p>${source}</p>`;
}

/** Converts a custom preference into the form that a purpose contains. */
function linked(preference: JsonObject): JsonObject {
  const members = ['Id', 'Name', 'Description', 'SelectionType', 'DisplayAs', 'Required'];
  return {
    ...Object.fromEntries(members.map((member) => [member, preference[member] ?? ''])),
    Options: objects(preference['Options']).map(({ Id, Label, Order, IsDefault }) => ({
      Id: Id ?? '',
      Label: Label ?? '',
      Order: Order ?? 0,
      IsDefault: IsDefault ?? false,
    })),
    Languages: preference['Languages'] ?? [],
  };
}

function makePreference(body: Json, now: Date): JsonObject {
  const {
    Name,
    Description,
    Language,
    SelectionType,
    DisplayAs,
    Required,
    Disabled,
    Organizations,
    ...given
  } = readShape(preferenceShape, body);
  const options = given.Options.map((label, index) => ({
    Id: randomUUID(),
    Label: label,
    Order: index,
    IsDefault: false,
  }));
  return {
    Id: randomUUID(),
    Name,
    Description,
    SelectionType,
    DisplayAs,
    CreatedDate: now.toISOString(),
    UpdatedDate: now.toISOString(),
    NumberOfOptions: options.length,
    Required,
    NumberOfLanguages: 1,
    DefaultLanguage: Language,
    Disabled,
    Options: options.map((option) => ({ ...option, CanDelete: true, Disabled: false })),
    Languages: [{ Name, Description, Language, Default: true, Options: options }],
    Organizations,
    TotalLinkedActivePurposes: 0,
  };
}
