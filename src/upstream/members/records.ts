import { statuses } from '../wire-subject.ts';
import { fates, honoured, type Member, type ObjectTable, told, unused } from './member.ts';

/** The record of a person, which wire-subject.ts reads by hand. */

const chosen = honoured('is what was chosen');
const externalKey = unused('is a key for other systems');

function inSchema(...names: readonly string[]): Readonly<Record<string, Member>> {
  return Object.fromEntries(names.map((name) => [name, unused('stands in the schema')]));
}

const topicOnRecord: ObjectTable = {
  name: 'topic on record',
  members: { id: chosen, integrationKey: externalKey, ...inSchema('name', 'languages') },
};

const optionOnRecord: ObjectTable = {
  name: 'option on record',
  members: { id: chosen, ...inSchema('label', 'name', 'order', 'isDefault', 'languages') },
};

const preferenceOnRecord: ObjectTable = {
  name: 'preference on record',
  members: {
    id: chosen,
    options: { ...chosen, holds: optionOnRecord },
    ...inSchema('name', 'description', 'selectionType', 'displayAs', 'required', 'languages'),
  },
};

const purposeOnRecord: ObjectTable = {
  name: 'purpose on record',
  members: {
    id: honoured('names the purpose'),
    label: honoured('names a purpose that the schema does not have'),
    ...inSchema('description', 'status'),
    externalReference: externalKey,
    transactionStatus: honoured('says how the purpose stands', {
      values: fates(statuses),
      otherValue: told('is read as off'),
    }),
    topics: honoured('is the topics that were chosen', { holds: topicOnRecord }),
    customPreferences: honoured('is what was chosen', { holds: preferenceOnRecord }),
  },
};

export const record: ObjectTable = {
  name: 'record of a person',
  members: {
    messages: told('are not shown: they are for the caller of the interface'),
    dataSubjectId: honoured('must be the person that was asked for'),
    language: honoured('chooses the language of the page'),
    status: honoured('says whether anything is on record'),
    purposes: honoured('is what is on record', { holds: purposeOnRecord }),
    dsDataElements: honoured('is the values of data elements by label'),
    unsubscribeAll: unused('says no more than the purposes do'),
  },
};
