import { messageTables } from '../../src/store/messages.ts';
import { peopleTables } from '../../src/store/people-schema.ts';
import { aMessageStore, messagesContract } from './contract/messages.ts';
import { onBoth } from './judged.ts';

onBoth('Messages', {
  contract: (storeOf) => messagesContract(storeOf(aMessageStore)),
  layoutOf: (dialect) => [...peopleTables(dialect), ...messageTables(dialect)],
  grows: 'message|submission|s|q',
});
