import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import type { Centers } from './centers.ts';
import { readInstant } from './clock.ts';
import { type CatalogueEntry, catalogueEntry } from './consent-schema.ts';
import type { Endpoint } from './endpoint.ts';
import { fold, idOf, isGuid, isObject, type Json, type JsonObject, objects, text } from './json.ts';
import { pageOf, readPageRequest, sortFlags } from './paging.ts';
import { badRequest, malformed, notFound } from './refusal.ts';
import type { Store } from './store.ts';

const PURPOSE_TYPES = ['STANDARD', 'COOKIE', 'IAB', 'MOBILE', 'NOTIFICATION_OPT_OUT'];
const SELECTION_TYPES = ['SINGLE_CHOICE', 'MULTI_CHOICE'];
const PREFERENCES = '/api/consentmanager/v1/custompreferences';
const LIMITS = { size: 20, maxSize: 2000, maxPage: Number.MAX_SAFE_INTEGER };
const DISPLAYS = ['BUTTONS', 'CHECKBOXES', 'DROPDOWN', 'RADIO_BUTTONS'];

/** Purposes and custom preferences made through the interface. */
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
  /** Of the centers, as they have them, and those made through the interface. */
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
        const purpose = makePurpose(jsonBody(call.json()), (id) => store.find('preferences', id));
        store.save('purposes', fold(text(purpose['Id']) ?? ''), purpose);
        return { body: purpose };
      }),
    )
    .get(
      PREFERENCES,
      endpoint('list-custom-preferences', ['CONSENT', 'CONSENT_READ'], (call) => {
        const request = readPageRequest(call.query, LIMITS);
        const order = { sorted: true, sort: sortFlags(true) };
        return { body: pageOf([...preferences().values()], request, order, (preference) => preference) };
      }),
    )
    .get(
      `${PREFERENCES}/:preference`,
      endpoint('read-custom-preference', ['CONSENT', 'CONSENT_READ'], (call) => {
        const id = call.parameter('preference');
        const found = preferences().get(fold(id));
        if (found === undefined)
          throw isGuid(id)
            ? notFound(`Custom preference ${id} was not found`)
            : malformed('customPreferenceGuid');
        return { body: found };
      }),
    )
    .post(
      PREFERENCES,
      endpoint('create-custom-preference', ['CONSENT'], (call) => {
        const preference = makePreference(jsonBody(call.json()), now());
        store.save('preferences', fold(text(preference['Id']) ?? ''), preference);
        return { body: preference };
      }),
    );
}

/** Finds purposes by folded id, of any center or made through the interface; looks through the folder once. */
export function createPurposeFinder(
  centers: Centers,
  store: Store,
  now: () => Date,
): (id: string) => CatalogueEntry | undefined {
  let known: Map<string, CatalogueEntry> | undefined;
  return (id) => {
    // The first center that has it wins.
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

/** As it is at that time: a purpose whose retirement has come is RETIRED. */
export function statusAt({ RetirementDate, ...purpose }: JsonObject, now: Date): JsonObject {
  const date = readInstant(text(RetirementDate) ?? '');
  return date !== undefined && date <= now ? { ...purpose, Status: 'RETIRED' } : purpose;
}

export function jsonBody(value: Json): JsonObject {
  if (!isObject(value)) throw badRequest('The body must be a JSON object');
  return value;
}

export function makePurpose(
  given: JsonObject,
  findPreference: (id: string) => JsonObject | undefined,
): JsonObject {
  const name = required(given, 'Name');
  const description = optional(given, 'Description');
  if (description === undefined) throw badRequest('Description is required');
  const language = (optional(given, 'DefaultLanguage') ?? 'en-us').toLowerCase();
  const lifeSpan = seconds(given, 'ConsentLifeSpan');
  const languages = list(given, 'Languages').map((entry, index) => ({
    Name: required(entry, 'Name', `Languages[${index}].`),
    Description: paragraph(optional(entry, 'Description', `Languages[${index}].`) ?? ''),
    Language: required(entry, 'Language', `Languages[${index}].`).toLowerCase(),
    Default: flag(entry, 'Default', `Languages[${index}].`),
  }));
  return {
    Id: randomUUID(),
    Label: name,
    Description: paragraph(description),
    Status: 'DRAFT',
    Version: 1,
    PurposeType: given['Type'] === undefined ? 'STANDARD' : oneOf(given, 'Type', PURPOSE_TYPES),
    ConsentLifeSpan: lifeSpan,
    Languages:
      languages.length > 0
        ? languages
        : [{ Name: name, Description: paragraph(description), Language: language, Default: true }],
    Topics: [],
    CustomPreferences: guids(given, 'CustomPreferenceIds').flatMap((id) => {
      const preference = findPreference(fold(id));
      return preference === undefined ? [] : linked(preference);
    }),
  };
}

function paragraph(source: string): string {
  return source === '' || /^\s*<p[\s>]/i.test(source) ? source : `<p>${source}</p>`;
}

/** A custom preference as a purpose carries it. */
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

function makePreference(given: JsonObject, now: Date): JsonObject {
  const name = required(given, 'Name', '', 255);
  const description = required(given, 'Description', '', 1000);
  const language = required(given, 'Language').toLowerCase();
  guids(given, 'Purposes');
  flag(given, 'DefaultLanguage');
  const labels = strings(given, 'Options');
  if (labels.length === 0) throw badRequest('Options must hold at least one string');
  const options = labels.map((label, index) => ({
    Id: randomUUID(),
    Label: label,
    Order: index,
    IsDefault: false,
  }));
  return {
    Id: randomUUID(),
    Name: name,
    Description: description,
    SelectionType: oneOf(given, 'SelectionType', SELECTION_TYPES),
    DisplayAs: oneOf(given, 'DisplayAs', DISPLAYS),
    CreatedDate: now.toISOString(),
    UpdatedDate: now.toISOString(),
    NumberOfOptions: options.length,
    Required: flag(given, 'Required'),
    NumberOfLanguages: 1,
    DefaultLanguage: language,
    Disabled: flag(given, 'Disabled'),
    Options: options.map((option) => ({ ...option, CanDelete: true, Disabled: false })),
    Languages: [
      { Name: name, Description: description, Language: language, Default: true, Options: options },
    ],
    Organizations: guids(given, 'Organizations'),
    TotalLinkedActivePurposes: 0,
  };
}

function required(given: JsonObject, member: string, path = '', max = Infinity): string {
  const value = optional(given, member, path);
  if (value === undefined || value.trim() === '') throw badRequest(`${path}${member} is required`);
  if (value.length > max) throw badRequest(`${path}${member} has at most ${max} characters`);
  return value;
}

function optional(given: JsonObject, member: string, path = ''): string | undefined {
  const value = given[member];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw badRequest(`${path}${member} must be a string`);
  return value;
}

function oneOf(given: JsonObject, member: string, allowed: readonly string[]): string {
  const value = required(given, member);
  if (!allowed.includes(value)) throw badRequest(`${member} must be one of ${allowed.join(', ')}`);
  return value;
}

/** Live tenants take numbers and flags as strings too. */
function seconds(given: JsonObject, member: string): number {
  const value = given[member];
  if (value === undefined || value === null || value === '') throw badRequest(`${member} is required`);
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) {
    throw badRequest(`${member} must be a whole number of seconds, 0 or more`);
  }
  return number;
}

function flag(given: JsonObject, member: string, path = ''): boolean {
  const value = given[member] ?? false;
  const told = typeof value === 'string' ? value.toLowerCase() : value;
  if (told === true || told === 'true') return true;
  if (told === false || told === 'false') return false;
  throw badRequest(`${path}${member} must be true or false`);
}

function guids(given: JsonObject, member: string): string[] {
  const found = strings(given, member);
  if (!found.every(isGuid)) throw badRequest(`${member} must be an array of UUIDs`);
  return found;
}

function list(given: JsonObject, member: string): JsonObject[] {
  const value = given[member] ?? [];
  if (!Array.isArray(value) || !value.every(isObject))
    throw badRequest(`${member} must be an array of objects`);
  return value;
}

function strings(given: JsonObject, member: string): string[] {
  const value = given[member] ?? [];
  const isList =
    Array.isArray(value) && value.every((item) => typeof item === 'string' && item.trim() !== '');
  if (!isList) throw badRequest(`${member} must be an array of strings`);
  return value.filter((item) => typeof item === 'string');
}
