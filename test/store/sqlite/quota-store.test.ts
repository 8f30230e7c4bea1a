import { openQuotaStore } from '../../../src/store/sqlite/quota-store.ts';
import { quotaStoreContract } from '../contract/quota-store.ts';
import { sqliteStore } from './sqlite-store.ts';

quotaStoreContract(sqliteStore(openQuotaStore));
