/** Centers made for this test, in the files of a tenant's capture: purposes with their parts and words. */

/** The words of a purpose at one time. */
export interface Words {
  /** The number in the label: it tells a reader of the page which words stood there. */
  readonly edition: number;
  /** The version in the schema, which may change without the label. */
  readonly version: number;
  readonly hasMoreOptions: boolean;
}

export const firstWords: Words = { edition: 1, version: 1, hasMoreOptions: false };

export interface Purpose {
  readonly id: string;
  readonly name: string;
  readonly kind: 'plain' | 'topics' | 'options' | 'by-default' | 'hidden-by-default';
  /** Topics, or the options of its one preference. */
  readonly parts: readonly string[];
  readonly preference: string | undefined;
}

export interface Center {
  readonly id: string;
  readonly family: 'single-page' | 'multi-page';
  readonly purposes: readonly Purpose[];
}

/** The data element that only its person may ever see. */
export const nickname = 'Nickname';

const hex = (value: number, length: number) => value.toString(16).padStart(length, '0');

export function createCenter(number: number, family: Center['family']): Center {
  const id = (kind: number, end: number) => `ac${hex(number, 6)}-0000-4000-8${hex(kind, 3)}-${hex(end, 12)}`;
  const plan: readonly [string, Purpose['kind']][] = [
    ['Alpha', 'plain'],
    ['Beta', 'plain'],
    ['Gamma', 'plain'],
    ['Delta', 'plain'],
    ['Epsilon', 'topics'],
    ['Zeta', 'options'],
    ['Eta', 'by-default'],
    ['Theta', 'plain'],
    ['Iota', 'hidden-by-default'],
  ];
  return {
    id: id(0, 1),
    family,
    purposes: plan.map(([name, kind], index) => ({
      id: id(1, index + 1),
      name: `${name} ${number}`,
      kind,
      parts:
        kind === 'topics' || kind === 'options'
          ? [1, 2, 3].map((part) => id(kind === 'topics' ? 2 : 4, index * 100 + part))
          : [],
      preference: kind === 'options' ? id(3, index + 1) : undefined,
    })),
  };
}

/** The label of a purpose, which tells the edition of its words. */
export const labelOf = ({ name }: Purpose, { edition }: Words) => `${name} as of edition ${edition}.`;

/** Files of a center, by their path below its folder: `preferences`, or `schema` and `pages/<id>`. */
export function filesOf(center: Center, words: ReadonlyMap<string, Words>): Map<string, unknown> {
  const wordsOf = (purpose: Purpose) => words.get(purpose.id) ?? firstWords;
  return center.family === 'single-page'
    ? new Map([['preferences', singlePage(center, wordsOf)]])
    : multiPage(center, wordsOf);
}

function partNames(purpose: Purpose, words: Words): { id: string; name: string }[] {
  const parts = purpose.parts.map((id, index) => ({ id, name: `${purpose.name}, part ${index + 1}` }));
  const more = purpose.id.replace('-8001-', '-8009-');
  return words.hasMoreOptions && parts.length > 0
    ? [...parts, { id: more, name: `${purpose.name}, part ${parts.length + 1}` }]
    : parts;
}

function singlePage(center: Center, wordsOf: (purpose: Purpose) => Words): unknown {
  return {
    messages: [],
    Status: 200,
    PreferenceCentreId: center.id,
    Language: 'en-us',
    Languages: ['en-us'],
    Template: 'ENHANCED',
    DisplayNotificationPurpose: false,
    Purposes: center.purposes.map((purpose) => {
      const words = wordsOf(purpose);
      const label = labelOf(purpose, words);
      const description = `What ${purpose.name} means.`;
      const language = { Language: 'en-us', Default: true };
      const parts = partNames(purpose, words);
      return {
        Id: purpose.id,
        Version: words.version,
        Label: label,
        Description: description,
        Status: 'ACTIVE',
        PurposeType: purpose.kind === 'hidden-by-default' ? 'NOTIFICATION_OPT_OUT' : 'STANDARD',
        Languages: [{ Name: label, Description: description, ...language }],
        Topics:
          purpose.kind === 'topics'
            ? parts.map(({ id, name }) => ({ Id: id, Name: name, Languages: [{ Name: name, ...language }] }))
            : [],
        CustomPreferences:
          purpose.preference === undefined
            ? []
            : [
                {
                  Id: purpose.preference,
                  Name: `${purpose.name}, which`,
                  Description: '',
                  SelectionType: 'MULTI_CHOICE',
                  DisplayAs: 'CHECKBOXES',
                  Required: false,
                  Options: parts.map(({ id, name }) => ({ Id: id, Label: name })),
                  Languages: [
                    {
                      Name: `${purpose.name}, which`,
                      Description: '',
                      ...language,
                      Options: parts.map(({ id, name }) => ({ Id: id, Label: name })),
                    },
                  ],
                },
              ],
        LifeSpan: 0,
        DefaultConsentStatus: purpose.kind.endsWith('by-default') ? 'ACTIVE' : 'OPT_OUT',
      };
    }),
    PreferenceCenterSettings: { Languages: {}, Order: 1 },
    PortalSettings: { UseTitleImage: false, TitleImageUrl: '', Title: `Center ${center.id}` },
    Translations: {},
    ProfileSettings: {
      Order: 2,
      IsEnabled: true,
      DefaultTitle: 'About you',
      Languages: {},
      DataElements: [
        {
          Id: center.id.replace('-8000-', '-8006-'),
          Label: nickname,
          IsIdentifier: false,
          Hidden: false,
          ReadOnly: false,
          Status: 'PUBLISHED',
          Languages: [{ Name: nickname, DataElementOptions: [], Language: 'en-us' }],
          DisplayAs: null,
          DataElementType: 'USER_INPUT',
          DataElementOptions: [],
        },
      ],
    },
  };
}

/**
 * The hidden purpose stands on a hidden page. Only `preferences`, the list of v1, tells what is on by
 * default.
 */
function multiPage(center: Center, wordsOf: (purpose: Purpose) => Words): Map<string, unknown> {
  const language = { language: 'en-us', isDefault: true };
  const pageId = (number: number) => center.id.replace(/.$/, String(number));
  const pages = [2, 3].map((number, order) => ({
    id: pageId(number),
    order,
    isHidden: number === 3,
    navigationEnabled: true,
    displaySubscribeSettings: true,
    displayUnsubscribeAll: true,
    languages: [{ name: `Page ${number}`, ...language }],
  }));
  const schema = {
    pages,
    portalSettings: { useTitleImage: false, titleImageUrl: '', title: `Center ${center.id}` },
    defaultLanguage: 'en-us',
    languages: [language],
    translations: {},
    preferenceCenterSettings: { languages: {} },
    displayUnsubscribeAll: true,
    displayNotificationPurpose: false,
    autoCheckTopics: false,
  };
  const files = new Map<string, unknown>([
    ['schema', schema],
    ['preferences', { ...(singlePage(center, wordsOf) as object), Template: 'MULTIPAGE' }],
  ]);
  for (const page of pages) {
    const here = center.purposes.filter(({ kind }) => (kind === 'hidden-by-default') === page.isHidden);
    files.set(`pages/${page.id}`, {
      ...page,
      sections: [
        {
          id: page.id.replace('-8000-', '-8005-'),
          identifierType: '',
          isHeaderHidden: true,
          order: 0,
          conditionalRules: null,
          customDataElements: [],
          elements: [],
          languages: [{ name: 'Section', ...language }],
          isSubscriptionSettings: false,
          purposes: here.map((purpose, order) => {
            const words = wordsOf(purpose);
            const label = labelOf(purpose, words);
            const description = `What ${purpose.name} means.`;
            const parts = partNames(purpose, words);
            return {
              id: purpose.id,
              order,
              label,
              description,
              version: words.version,
              visibility: 'VISIBLE_TO_ALL',
              languages: [{ name: label, description, ...language }],
              topics:
                purpose.kind === 'topics'
                  ? parts.map(({ id, name }) => ({ id, name, languages: [{ name, ...language }] }))
                  : [],
              customPreferences:
                purpose.preference === undefined
                  ? []
                  : [
                      {
                        id: purpose.preference,
                        name: `${purpose.name}, which`,
                        description: '',
                        selectionType: 'MULTI_CHOICE',
                        displayAs: 'CHECKBOXES',
                        required: false,
                        languages: [{ name: `${purpose.name}, which`, description: '', ...language }],
                        customPreferenceOptions: parts.map(({ id, name }, at) => ({
                          id,
                          label: name,
                          order: at,
                          isDefault: false,
                          languages: [{ name, ...language }],
                        })),
                      },
                    ],
            };
          }),
        },
      ],
    });
  }
  return files;
}
