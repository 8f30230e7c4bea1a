import type {
  Center,
  DataElement,
  Item,
  Preference,
  Purpose,
  Text,
} from '../../src/core/model/center/center.ts';
import type { ConsentRecord, RecordedStatus } from '../../src/core/model/person/subject.ts';

const noText: Text<never> = { entries: [], plain: undefined };

/** A center with one page, `page`, with the given items. */
export function aCenter(items: readonly Item[], change: Partial<Center> = {}): Center {
  return {
    id: 'center',
    revision: '1',
    template: 'enhanced',
    title: undefined,
    titleImageUrl: undefined,
    welcome: noText,
    languages: ['en-us', 'fr'],
    defaultLanguage: 'en-us',
    labelSets: {},
    translations: {},
    pages: [
      {
        id: 'page',
        name: noText,
        navigation: true,
        subscribeAll: true,
        unsubscribeAll: true,
        sections: [{ id: 'section', kind: 'ordinary', name: undefined, description: undefined, items }],
      },
    ],
    hidden: [],
    hardOptOut: 'lock',
    reasons: undefined,
    autoCheckTopics: false,
    confirmsDefaults: false,
    unread: [],
    told: [],
    ...change,
  };
}

export function aPurpose(id: string, change: Partial<Purpose> = {}): Item {
  return { kind: 'purpose', purpose: purposeOf(id, change) };
}

export function purposeOf(id: string, change: Partial<Purpose> = {}): Purpose {
  return {
    id,
    name: noText,
    description: noText,
    active: true,
    kind: 'standard',
    onByDefault: false,
    visibility: 'all',
    hardOptOutMessage: noText,
    lifeSpan: undefined,
    topics: [],
    preferences: [],
    ...change,
  };
}

export function topics(...ids: string[]): Purpose['topics'] {
  return ids.map((id) => ({ id, name: noText }));
}

export function aPreference(
  id: string,
  options: readonly string[],
  change: Partial<Preference> = {},
): Preference {
  return {
    id,
    name: noText,
    description: noText,
    choice: 'multiple',
    display: 'checkboxes',
    required: false,
    options: options.map((option) => ({ id: option, name: noText, isDefault: false })),
    ...change,
  };
}

export function anElement(id: string, change: Partial<DataElement> = {}): Item {
  return { kind: 'data-element', element: elementOf(id, change) };
}

export function elementOf(id: string, change: Partial<DataElement> = {}): DataElement {
  return {
    id,
    label: `Label of ${id}`,
    name: noText,
    type: 'text',
    display: 'input',
    hidden: false,
    readOnly: false,
    required: false,
    options: [],
    ...change,
  };
}

export function offered(...values: string[]): DataElement['options'] {
  return values.map((value) => ({ value, name: noText }));
}

export function record(
  purpose: string,
  status: RecordedStatus,
  topics: readonly string[] = [],
  preferences: ConsentRecord['preferences'] = [],
): ConsentRecord {
  return { purpose, label: undefined, status, topics, preferences };
}

/** The records of a text like `a d:off b[t1 one.x]`: purposes, active by default, with topics and options. */
export function recordsOf(text: string): readonly ConsentRecord[] {
  return [...text.matchAll(/([\w]+)(?::([\w-]+))?(?:\[([^\]]*)\])?/g)].map(
    ([, id = '', status = 'active', inside = '']) => {
      const chosen = inside.split(' ').filter((each) => each !== '');
      const options = chosen.flatMap((each) =>
        each.includes('.') ? [each.split('.') as [string, string]] : [],
      );
      const preferences = [...Map.groupBy(options, ([preference]) => preference)].map(([preference, of]) => {
        return { id: preference, options: of.map(([, option]) => option) };
      });
      const topics = chosen.filter((each) => !each.includes('.'));
      return record(id, status as RecordedStatus, topics, preferences);
    },
  );
}
