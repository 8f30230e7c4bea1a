import { honoured, type ObjectTable, unused } from '../../../src/upstream/members/member.ts';
import { each } from './work.ts';

/**
 * Tables of the change of a record, of the answer to it, and of the list of centers. The document prints
 * them; the product tells nothing about them.
 */

const stays = (holds: ObjectTable) => honoured('is what stays chosen', { holds });
const byId: ObjectTable = { name: 'named by its id', members: { id: honoured('is sent') } };
const preference = { name: 'preference of a change', members: { ...byId.members, options: stays(byId) } };
const purposeSent: ObjectTable = {
  name: 'purpose of a change',
  members: { ...byId.members, topics: stays(byId), customPreferences: stays(preference) },
};

export const change: ObjectTable = {
  name: 'change of a record',
  members: {
    purposes: honoured('is everything that stays on', { holds: purposeSent }),
    dsDataElements: honoured('is sent under the spelling of PLATFORM_DATA_ELEMENTS_KEY'),
    language: honoured('is sent where the person keeps another language'),
  },
};

const purposeAnswered: ObjectTable = {
  name: 'purpose of an answer',
  members: {
    id: honoured('names the purpose'),
    status: honoured('says whether it was accepted'),
    receiptGuid: honoured('is shown with the result'),
    messages: honoured('says what was done'),
  },
};

export const answer: ObjectTable = {
  name: 'answer to a change',
  members: {
    purposes: honoured('is read item by item', { holds: purposeAnswered }),
    language: unused('repeats what was sent'),
  },
};

/** The table of a center in the list. */
const summary: ObjectTable = {
  name: 'center of the list',
  members: {
    id: honoured('names the center'),
    ...each(
      ['name', 'organizationName', 'template', 'status', 'publishedDate', 'createdDate'],
      honoured('is shown to staff as it comes'),
    ),
  },
};

export const centerList: ObjectTable = {
  name: 'list of centers',
  members: {
    content: honoured('is the centers', { holds: summary }),
    last: honoured('ends the reading'),
    totalPages: honoured('ends the reading where last is missing'),
    ...each(
      ['first', 'number', 'numberOfElements', 'totalElements', 'size', 'empty', 'sort', 'pageable'],
      unused('is worked out from what was asked for'),
    ),
  },
};
