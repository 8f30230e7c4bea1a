import { openQuotaLedger } from '../../../src/store/sqlite/quota-ledger.ts';
import { quotaLedgerContract } from '../contract/quota-ledger.ts';
import { sqliteStore } from './sqlite-store.ts';

quotaLedgerContract(sqliteStore(openQuotaLedger));
