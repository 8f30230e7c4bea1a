import { openStaffLog } from '../../../src/store/sqlite/staff-log.ts';
import { auditMs, staffLogContract } from '../contract/staff-log.ts';
import { sqliteStore } from './sqlite-store.ts';

staffLogContract(sqliteStore(({ file, clock }) => openStaffLog({ file, clock, auditMs })));
