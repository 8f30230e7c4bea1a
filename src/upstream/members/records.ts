import type { RecordedStatus } from '../../core/model/person/subject.ts';
import { statuses } from '../wire-subject.ts';
import { honoured, honouredValues, type ObjectTable, told, unused } from './member.ts';

/** The record of a person. */

const chosen = honoured('is what was chosen');

const inSchema = unused('stands in the schema');

const topicOnRecord: ObjectTable = {
  name: 'topic on record',
  members: {
    id: chosen,
    name: inSchema,
    integrationKey: unused('is a key for other systems'),
    languages: inSchema,
  },
};

const optionOnRecord: ObjectTable = {
  name: 'option on record',
  members: {
    id: chosen,
    label: inSchema,
    name: inSchema,
    order: inSchema,
    isDefault: inSchema,
    languages: inSchema,
  },
};

const preferenceOnRecord: ObjectTable = {
  name: 'preference on record',
  members: {
    id: chosen,
    options: { ...chosen, holds: optionOnRecord },
    name: inSchema,
    description: inSchema,
    selectionType: inSchema,
    displayAs: inSchema,
    required: inSchema,
    languages: inSchema,
  },
};

export const transactionStatuses = honouredValues<RecordedStatus>(
  { ...statuses, WITHDRAWN: 'off', OPT_OUT: 'off' },
  {
    active: 'is on',
    'always-active': 'is on, and cannot be left',
    implicit: 'is on by default',
    pending: 'waits until the person confirms',
    expired: 'is off: its time is over',
    'hard-opt-out': 'is off, and cannot be switched on',
    'no-consent': 'is off',
    off: 'is off',
  },
);

const purposeOnRecord: ObjectTable = {
  name: 'purpose on record',
  members: {
    id: honoured('names the purpose'),
    label: honoured('names a purpose that the schema does not have'),
    description: inSchema,
    status: inSchema,
    externalReference: unused('is a key for other systems'),
    transactionStatus: honoured('says how the purpose stands', {
      values: transactionStatuses,
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
