import { createHash } from 'node:crypto';

/**
 * Small centers that hold one item of each kind, and records in any state. Tests try the rules of consent on
 * them over HTTP. Every id is made from a name, so that records, calls and forms show names.
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
/** Like the school, but the next update confirms the purposes that are on by default. */
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
  /** Radio buttons, one of which is required. */
  readonly isSingle?: boolean;
}

/** A center that confirms purposes that are on by default, some of which no page shows. */
export const club = idOf('the club');
/** A Single Page center that does not display its notification purpose, which is on by default. */
export const kiosk = idOf('the kiosk');
/** Purposes of the club and of the kiosk that are on by default and not shown: place → purpose. */
export const hiddenByDefault = {
  'on a hidden page': { center: club, name: 'Reunions' },
  'a notification that is not displayed': { center: club, name: 'Alarms' },
  'only in the single-page list': { center: club, name: 'Archive' },
  'a notification that a single page does not display': { center: kiosk, name: 'Tidings' },
} as const;

export const shopPurposes: readonly PurposeSpec[] = [
  {
    name: 'News',
    topics: ['Crime', 'Poetry', 'History'],
    preferences: [{ name: 'Rhythm', options: ['Daily', 'Weekly'], isSingle: true }],
  },
  { name: 'Offers', preferences: [{ name: 'Shelves', options: ['New', 'Used', 'Signed'] }] },
  { name: 'Calls' },
  { name: 'Letters' },
  { name: 'Surveys', onByDefault: true },
  { name: 'Advice', onByDefault: true },
  { name: 'Catalogue', status: 'RETIRED' },
  { name: 'Notices', type: 'NOTIFICATION_OPT_OUT' },
];

const elements = { Email: 'EMAIL', 'Second Email': 'EMAIL', 'First Name': 'USER_INPUT', Books: 'NUMBER' };

/** Path below `centers` → JSON text. */
type Files = Readonly<Record<string, string>>;

/** Files of the folder of SANDBOX_DATA, by their path below the home of a product. */
export function sampleCenterFiles(): Record<string, string> {
  const tidings = { name: 'Tidings', type: 'NOTIFICATION_OPT_OUT', onByDefault: true };
  const files: Files = {
    ...singlePageFiles(shop, singlePage()),
    ...multiPageFiles(school, { confirms: false }),
    ...multiPageFiles(academy, { confirms: true }),
    ...clubFiles(club),
    ...singlePageFiles(kiosk, {
      ...singlePage([{ name: 'Calls' }, tidings]),
      DisplayNotificationPurpose: false,
    }),
  };
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`platform/centers/${path}`, text]));
}

export function singlePageFiles(center: string, schema: object): Files {
  return { [`${center}/preferences.json`]: JSON.stringify({ ...schema, PreferenceCentreId: center }) };
}

/** The files of a center like the club. */
export function clubFiles(center: string): Files {
  const archive = singlePage([{ name: 'Archive', onByDefault: true }]);
  return {
    ...multiPageFiles(center, {
      confirms: true,
      hidden: [{ name: 'Reunions', onByDefault: true }, { name: 'Reserve' }],
      notification: { name: 'Alarms', onByDefault: true },
    }),
    ...singlePageFiles(center, { ...archive, Template: 'MULTIPAGE' }),
  };
}

/** The schema of the shop. Other purposes make another revision. */
export function singlePage(purposes: readonly PurposeSpec[] = shopPurposes): object {
  return {
    Status: 200,
    PreferenceCentreId: shop,
    Language: 'en',
    Languages: ['en', 'fr'],
    Template: 'ENHANCED',
    DisplayNotificationPurpose: true,
    Purposes: purposes.map(singlePagePurpose),
    PreferenceCenterSettings: {
      SubmissionRequest: 1,
      Languages: { en: { Title: 'The shop', UpdateSuccessLabel: 'All is saved' } },
    },
    PortalSettings: {
      Title: 'The shop',
      HardOptOutFormat: 'LOCK',
      EnableReasons: true,
      ReasonsAllowOther: true,
      UnsubscribeReasons: [{ Id: 'too-many', Text: 'Too many messages' }],
    },
    ProfileSettings: {
      SubmissionRequest: 2,
      IsEnabled: true,
      DataElements: Object.entries(elements).map(([name, type]) => ({
        Id: idOf(name),
        Label: name,
        IsIdentifier: name === 'Email',
        Status: 'PUBLISHED',
        DataElementType: type,
      })),
    },
  };
}

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
    Languages: [{ Language: 'en', Name: purpose.name, Default: true }],
    Topics: purpose.topics?.map((topic) => ({ Id: idOf(topic), Name: topic })),
    CustomPreferences: purpose.preferences?.map(({ name, options, isSingle = false }) => ({
      Id: idOf(name),
      Name: name,
      SelectionType: isSingle ? 'SINGLE_CHOICE' : 'MULTI_CHOICE',
      DisplayAs: isSingle ? 'RADIO_BUTTONS' : 'CHECKBOXES',
      Required: isSingle,
      Options: options.map((option) => ({ Id: idOf(option), Label: option })),
    })),
  };
}

function multiPageFiles(
  center: string,
  more: {
    readonly confirms: boolean;
    readonly hidden?: readonly PurposeSpec[];
    readonly notification?: PurposeSpec;
  },
): Files {
  const pages: Readonly<Record<string, readonly PurposeSpec[]>> = {
    one: [
      { name: 'Term letter', topics: ['Sport', 'Music'] },
      { name: 'Alumni', visibility: 'VISIBLE_TO_CONSENTED' },
      { name: 'Bulletin', visibility: 'VISIBLE_TO_PRIOR_CONSENTED' },
      { name: 'Campus', onByDefault: true },
      { name: 'Library' },
    ],
    two: [{ name: 'Concerts' }, { name: 'Sales' }],
    hidden: more.hidden ?? [{ name: 'Reunions' }],
  };
  const built = Object.entries(pages).map(([name, purposes], order) => {
    const id = idOf(`${center} ${name}`);
    const languages = [{ name: `Page ${name}`, language: 'en', isDefault: true }];
    const entry = { id, order, navigationEnabled: name !== 'hidden', languages };
    const section = { id: idOf(`${id} section`), order: 0, purposes: purposes.map(multiPagePurpose) };
    return { entry, page: { ...entry, isHidden: name === 'hidden', sections: [section] } };
  });
  const schema = {
    pages: built.map(({ entry }) => entry),
    portalSettings: { title: 'The school', hardOptOutFormat: 'HIDE' },
    defaultLanguage: 'en',
    languages: [
      { language: 'en', isDefault: true },
      { language: 'fr', isDefault: false },
    ],
    displayUnsubscribeAll: true,
    displaySubscribeAll: true,
    displayNotificationPurpose: false,
    autoCheckTopics: true,
    updateNotOptedOutToActiveStatus: more.confirms,
    notificationPurpose: more.notification === undefined ? null : multiPagePurpose(more.notification, 0),
  };
  return {
    [`${center}/schema.json`]: JSON.stringify(schema),
    ...Object.fromEntries(built.map(({ page }) => [`${center}/pages/${page.id}.json`, JSON.stringify(page)])),
  };
}

/** The address of a page: `one`, `two` or `hidden`. */
export function pageOf(center: string, name: string): string {
  return `/centers/${center}/${idOf(`${center} ${name}`)}`;
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
    topics: purpose.topics?.map((topic) => ({ id: idOf(topic), name: topic })),
  };
}

/** The record of a person: purpose name → status, or status with chosen topics and options. */
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
  elements: Readonly<Record<string, string>> = {},
): string {
  return JSON.stringify({
    DataSubjectId: identifier,
    Language: 'en',
    Status: 200,
    Purposes: Object.entries(purposes).map(([name, value]) => {
      const record = typeof value === 'string' ? { status: value } : value;
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
    DsDataElements: elements,
  });
}
