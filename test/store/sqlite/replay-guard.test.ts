import { openReplayGuard } from '../../../src/store/sqlite/replay-guard.ts';
import { replayGuardContract } from '../contract/replay-guard.ts';
import { sqliteStore } from './sqlite-store.ts';

replayGuardContract(sqliteStore(openReplayGuard));
