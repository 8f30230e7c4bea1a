import { createHash } from 'node:crypto';

/**
 * Two small centers with one of everything, and people in any state: what the rules of consent are tried on over
 * HTTP. Every id is made from a name, so that records, calls and forms can be read by name.
 */
const names = new Map<string, string>();

/** The GUID that stands for a name. */
export function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  names.set(id, name);
  return id;
}

export function nameOf(id: string): string {
  return names.get(id.toLowerCase()) ?? id;
}

export const shop = idOf('the shop');
export const school = idOf('the school');
/** As the school, and what is on by default is confirmed by the next update. */
export const academy = idOf('the academy');

export interface PurposeSpec {
  readonly name: string;
  readonly topics?: readonly string[];
  readonly preferences?: readonly PreferenceSpec[];
  readonly onByDefault?: boolean;
  readonly status?: string;
  readonly type?: string;
  readonly visibility?: string;
  /** Seconds. */
  readonly lifeSpan?: number;
}

export interface PreferenceSpec {
  readonly name: string;
  readonly options: readonly string[];
  readonly single?: boolean;
  readonly required?: boolean;
  readonly displayAs?: string;
  /** Prepared while the purpose is off. */
  readonly prepared?: string;
}

export interface ElementSpec {
  readonly name: string;
  readonly type: string;
}

/** Confirms what is on by default, and has some of that where no page draws it. */
export const club = idOf('the club');
/** A single page that does not display its notification purpose, which is on by default. */
export const kiosk = idOf('the kiosk');
/** Of the club and of the kiosk, by where they stand. */
export const hiddenByDefault = {
  'on a hidden page': { center: club, name: 'Reunions' },
  'a notification that is not displayed': { center: club, name: 'Alarms' },
  'only in the single-page list': { center: club, name: 'Archive' },
  'a notification that a single page does not display': { center: kiosk, name: 'Tidings' },
} as const;

const paper: readonly PurposeSpec[] = [
  {
    name: 'News',
    topics: ['Crime', 'Poetry', 'History'],
    preferences: [
      {
        name: 'Rhythm',
        options: ['Daily', 'Weekly'],
        single: true,
        required: true,
        displayAs: 'RADIO_BUTTONS',
      },
    ],
  },
  {
    name: 'Offers',
    preferences: [{ name: 'Shelves', options: ['New', 'Used', 'Signed'], prepared: 'Used' }],
  },
  { name: 'Calls' },
  { name: 'Letters' },
  { name: 'Surveys', onByDefault: true },
  { name: 'Advice', onByDefault: true },
  { name: 'Catalogue', status: 'RETIRED' },
  { name: 'Notices', type: 'NOTIFICATION_OPT_OUT' },
];

const elements: readonly ElementSpec[] = [
  { name: 'Email', type: 'EMAIL' },
  { name: 'Second Email', type: 'EMAIL' },
  { name: 'First Name', type: 'USER_INPUT' },
  { name: 'Books', type: 'NUMBER' },
];

const languages = ['en', 'fr'] as const;
const inFrench = (text: string) => `${text} (fr)`;

/** The folder of SANDBOX_DATA: path → JSON text. */
export function sampleCenterFiles(folder = 'platform'): Record<string, string> {
  const files: Record<string, string> = {};
  const put = (path: string, content: unknown) => {
    files[`${folder}/centers/${path}`] = JSON.stringify(content);
  };
  put(`${shop}/preferences.json`, singlePage(paper));
  for (const [center, confirms] of [
    [school, false],
    [academy, true],
  ] as const) {
    const { root, pages } = multiPage(center, { confirms });
    put(`${center}/schema.json`, root);
    for (const page of pages) put(`${center}/pages/${page.id}.json`, page);
  }
  const { root, pages } = multiPage(club, {
    confirms: true,
    hidden: [{ name: 'Reunions', onByDefault: true }, { name: 'Reserve' }],
    notification: { name: 'Alarms', onByDefault: true },
  });
  put(`${club}/schema.json`, root);
  for (const page of pages) put(`${club}/pages/${page.id}.json`, page);
  put(`${club}/preferences.json`, {
    ...singlePage([{ name: 'Archive', onByDefault: true }]),
    PreferenceCentreId: club,
    Template: 'MULTIPAGE',
  });
  put(`${kiosk}/preferences.json`, {
    ...singlePage([{ name: 'Calls' }, { name: 'Tidings', type: 'NOTIFICATION_OPT_OUT', onByDefault: true }]),
    PreferenceCentreId: kiosk,
    DisplayNotificationPurpose: false,
  });
  return files;
}

/** The shop's schema; with `more` of it, it is another revision. */
export function singlePage(purposes: readonly PurposeSpec[] = paper): object {
  return {
    Status: 200,
    PreferenceCentreId: shop,
    Language: 'en',
    Languages: languages,
    Template: 'ENHANCED',
    DisplayNotificationPurpose: true,
    Purposes: purposes.map(singlePagePurpose),
    PreferenceCenterSettings: {
      SubmissionRequest: 1,
      Languages: {
        en: {
          Title: 'The shop',
          UpdateSuccessLabel: 'All is saved',
          UpdateErrorLabel: 'That went wrong',
          WelcomeMessage: '<p>Welcome</p>',
        },
        fr: { Title: 'La boutique' },
        'fr-be': { ChangePreferencesLabel: 'Sauver' },
      },
    },
    PortalSettings: {
      Title: 'The shop',
      HardOptOutFormat: 'LOCK',
      EnableReasons: true,
      ReasonsAllowOther: true,
      UnsubscribeReasons: [{ Id: 'too-many', Text: 'Too many messages' }],
    },
    Translations: { fr: { 'Consent.Ds.Portal.UpdatePreferences': 'Mettre à jour' } },
    ProfileSettings: {
      SubmissionRequest: 2,
      IsEnabled: true,
      DefaultTitle: 'About you',
      Languages: {},
      DataElements: elements.map(singlePageElement),
    },
  };
}

export const shopPurposes = paper;

function singlePagePurpose(purpose: PurposeSpec): object {
  return {
    Id: idOf(purpose.name),
    Version: 1,
    Label: purpose.name,
    Description: `About ${purpose.name}`,
    Status: purpose.status ?? 'ACTIVE',
    PurposeType: purpose.type ?? 'STANDARD',
    DefaultConsentStatus: purpose.onByDefault ? 'ACTIVE' : 'OPT_OUT',
    LifeSpan: purpose.lifeSpan ?? 0,
    Languages: languages.map((Language) => ({
      Language,
      Name: Language === 'en' ? purpose.name : inFrench(purpose.name),
      Description: `<p>About ${purpose.name}</p>`,
      Default: Language === 'en',
    })),
    Topics: (purpose.topics ?? []).map((topic) => ({ Id: idOf(topic), Name: topic, Languages: [] })),
    CustomPreferences: (purpose.preferences ?? []).map((preference) => ({
      Id: idOf(preference.name),
      Name: preference.name,
      SelectionType: preference.single ? 'SINGLE_CHOICE' : 'MULTI_CHOICE',
      DisplayAs: preference.displayAs ?? 'CHECKBOXES',
      Required: preference.required ?? false,
      Options: preference.options.map((option) => ({
        Id: idOf(option),
        Label: option,
        IsDefault: option === preference.prepared,
      })),
      Languages: [],
    })),
  };
}

function singlePageElement(element: ElementSpec): object {
  return {
    Id: idOf(element.name),
    Label: element.name,
    IsIdentifier: element.name === 'Email',
    Hidden: false,
    ReadOnly: false,
    Status: 'PUBLISHED',
    Languages: [],
    DisplayAs: 'NONE',
    DataElementType: element.type,
    DataElementOptions: [],
  };
}

const firstPage: readonly PurposeSpec[] = [
  { name: 'Term letter', topics: ['Sport', 'Music'] },
  { name: 'Alumni', visibility: 'VISIBLE_TO_CONSENTED' },
  { name: 'Bulletin', visibility: 'VISIBLE_TO_PRIOR_CONSENTED' },
  { name: 'Campus', onByDefault: true },
  { name: 'Library' },
];

function multiPage(
  center: string,
  {
    confirms,
    hidden = [{ name: 'Reunions' }],
    notification,
  }: { confirms: boolean; hidden?: readonly PurposeSpec[]; notification?: PurposeSpec },
): { root: object; pages: { id: string }[] } {
  const page = (name: string) => idOf(`${center} ${name}`);
  const pages = [
    pageSchema(page('one'), { purposes: firstPage }),
    pageSchema(page('two'), { purposes: [{ name: 'Concerts' }, { name: 'Sales' }], order: 1 }),
    pageSchema(page('hidden'), { purposes: hidden, order: 2, isHidden: true }),
  ];
  const root = {
    pages: ['one', 'two', 'hidden'].map((name, order) => ({
      id: page(name),
      order,
      navigationEnabled: name !== 'hidden',
      languages: [{ name: `Page ${name}`, language: 'en', isDefault: true }],
    })),
    portalSettings: { title: 'The school', hardOptOutFormat: 'HIDE' },
    defaultLanguage: 'en',
    languages: [
      { language: 'en', isDefault: true },
      { language: 'fr', isDefault: false },
    ],
    translations: {},
    preferenceCenterSettings: { languages: { en: { title: 'The school', isCompleted: true } } },
    displayUnsubscribeAll: true,
    displaySubscribeAll: true,
    displayNotificationPurpose: false,
    autoCheckTopics: true,
    updateNotOptedOutToActiveStatus: confirms,
    notificationPurpose: notification === undefined ? null : multiPagePurpose(notification, 0),
  };
  return { root, pages };
}

/** The address of a page: `one`, `two` or `hidden`. */
export function pageOf(center: string, name: string): string {
  return `/centers/${center}/${idOf(`${center} ${name}`)}`;
}

function pageSchema(
  id: string,
  {
    purposes,
    order = 0,
    isHidden = false,
  }: { purposes: readonly PurposeSpec[]; order?: number; isHidden?: boolean },
) {
  return {
    id,
    order,
    isHidden,
    navigationEnabled: !isHidden,
    languages: [{ name: `Page ${order + 1}`, language: 'en', isDefault: true }],
    sections: [
      {
        id: idOf(`${id} section`),
        order: 0,
        conditionalRules: null,
        isHeaderHidden: false,
        isSubscriptionSettings: false,
        languages: [],
        elements: [],
        customDataElements: [],
        purposes: purposes.map(multiPagePurpose),
      },
    ],
  };
}

function multiPagePurpose(purpose: PurposeSpec, order: number) {
  return {
    id: idOf(purpose.name),
    order,
    label: purpose.name,
    description: `About ${purpose.name}`,
    version: 1,
    visibility: purpose.visibility ?? 'VISIBLE_TO_ALL',
    defaultConsentStatus: purpose.onByDefault ? 'ACTIVE' : 'OPT_OUT',
    languages: [{ name: purpose.name, language: 'en', isDefault: true }],
    topics: (purpose.topics ?? []).map((topic) => ({ id: idOf(topic), name: topic, languages: [] })),
    customPreferences: [],
  };
}

/** What is on record of someone: purpose name → status, with what was chosen under it. */
export type OnRecord = Readonly<
  Record<
    string,
    | string
    | {
        readonly status: string;
        readonly topics?: readonly string[];
        readonly options?: Readonly<Record<string, readonly string[]>>;
      }
  >
>;

/** The file of a person in SANDBOX_DATA. */
export function subjectFile(
  identifier: string,
  purposes: OnRecord,
  more: { elements?: Readonly<Record<string, string>>; language?: string } = {},
): string {
  return JSON.stringify({
    DataSubjectId: identifier,
    Language: more.language ?? 'en',
    Status: 200,
    Purposes: Object.entries(purposes).map(([name, given]) => {
      const record = typeof given === 'string' ? { status: given } : given;
      return {
        Id: idOf(name),
        Label: name,
        TransactionStatus: record.status,
        Topics: (record.topics ?? []).map((topic) => ({ Id: idOf(topic), Name: topic })),
        CustomPreferences: Object.entries(record.options ?? {}).map(([preference, options]) => ({
          Id: idOf(preference),
          Options: options.map((option) => ({ Id: idOf(option), Label: option })),
        })),
      };
    }),
    DsDataElements: more.elements ?? {},
  });
}
