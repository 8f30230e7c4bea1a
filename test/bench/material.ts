/** The size of a center, and of a person's record, as the platform sends them. */
export interface Material {
  readonly purposes: number;
  readonly topics: number;
  readonly preferences: number;
  readonly options: number;
  readonly languages: number;
}

/** The ordinary size: 65 KB of HTML, and a record of 78 KB. */
export const ordinary: Material = { purposes: 12, topics: 3, preferences: 2, options: 4, languages: 5 };

/**
 * A size with little for each purpose: a schema of a thousand purposes stays below what the product accepts.
 */
export function lean(purposes: number): Material {
  return { purposes, topics: 1, preferences: 1, options: 3, languages: 1 };
}

export const person = 'anna.bench@example.org';

const everyLanguage = ['en-us', 'de', 'fr', 'es', 'it'];

/**
 * Kind and number of purposes are written in the center's id, so that one stand-in serves centers of every
 * size.
 */
export function centerId(material: Material): string {
  const kind = material.languages === 1 ? '0001' : '0000';
  return `${String(material.purposes).padStart(8, '0')}-${kind}-4000-8000-000000000001`;
}

export function materialOf(center: string): Material {
  const count = Number(center.slice(0, 8));
  return center.slice(9, 13) === '0001' ? lean(count) : { ...ordinary, purposes: count };
}

export function schemaBody(size: Material): string {
  return JSON.stringify({
    messages: [],
    Status: 200,
    PreferenceCentreId: centerId(size),
    Language: 'en-us',
    Languages: everyLanguage.slice(0, size.languages),
    Template: 'ENHANCED',
    DisplayNotificationPurpose: true,
    Purposes: purposes(size),
    PreferenceCenterSettings: {
      SubmissionRequest: 1,
      Languages: { 'en-us': { Title: 'Your preferences', TopicsLabel: 'Topics' } },
    },
    PortalSettings: { UseTitleImage: false, TitleImageUrl: '', Title: 'Your preferences' },
    Translations: {},
    ProfileSettings: {
      SubmissionRequest: 0,
      IsEnabled: false,
      DefaultTitle: 'Profile',
      Languages: {},
      DataElements: [],
    },
  });
}

/** A record as live platforms answer it: with all texts, though only ids and states matter. */
export function recordBody(size: Material): string {
  return JSON.stringify({
    messages: [],
    DataSubjectId: person,
    Language: 'en-us',
    Status: 200,
    Purposes: purposes(size).map((purpose, at) => ({
      Id: purpose.Id,
      Label: purpose.Label,
      Description: purpose.Description,
      Status: 'ACTIVE',
      TransactionStatus: at % 3 === 2 ? 'WITHDRAWN' : 'ACTIVE',
      Topics: purpose.Topics.filter((_, index) => (index + at) % 2 === 0),
      CustomPreferences: purpose.CustomPreferences.map((preference, index) => ({
        ...preference,
        Options: preference.Options.filter((_, option) => (option + index + at) % 3 === 0),
      })),
    })),
    DsDataElements: { Email: person },
  });
}

function purposes({ purposes: count, topics, preferences, options, ...size }: Material) {
  const languages = everyLanguage.slice(0, size.languages);
  const inEach = <T extends object>(words: T) =>
    languages.map((Language) => ({ ...words, Language, Default: Language === 'en-us' }));
  const optionsOf = (preference: number) =>
    Array.from({ length: options }, (_, o) => ({ Id: guid(4, preference * 100 + o), Label: `Option ${o}` }));
  const about = (p: number) => ({
    Name: `Purpose ${p}: letters about what is new`,
    Description: `What purpose ${p} is about, in a sentence or two, so that people know what they agree to. It says who writes, how often, and why.`,
  });
  return Array.from({ length: count }, (_, p) => ({
    Id: guid(1, p),
    Version: 1,
    Label: about(p).Name,
    Description: about(p).Description,
    Status: 'ACTIVE',
    PurposeType: 'STANDARD',
    DefaultConsentStatus: 'OPT_OUT',
    LifeSpan: 0,
    Languages: inEach(about(p)),
    Topics: Array.from({ length: topics }, (_, t) => ({
      Id: guid(2, p * 100 + t),
      Name: `Topic ${t} of ${p}`,
      IntegrationKey: `purpose-${p}_topic-${t}`,
      Languages: inEach({ Name: `Topic ${t} of ${p}` }),
    })),
    CustomPreferences: Array.from({ length: preferences }, (_, f) => ({
      Id: guid(3, p * 100 + f),
      Name: `Preference ${f}`,
      Description: `How you would like to have it, ${f}`,
      SelectionType: 'MULTI_CHOICE',
      DisplayAs: f % 2 === 0 ? 'BUTTONS' : 'CHECKBOXES',
      Required: false,
      Options: optionsOf(p * 100 + f),
      Languages: inEach({
        Name: `Preference ${f}`,
        Description: `How you would like to have it, ${f}`,
        Options: optionsOf(p * 100 + f),
      }),
    })),
  }));
}

function guid(kind: number, number: number): string {
  return `be5c0000-000${kind}-4000-8000-${String(number).padStart(12, '0')}`;
}
