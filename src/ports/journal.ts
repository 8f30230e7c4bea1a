import type { JournalReports } from './journal-reports.ts';
import type { JournalUpkeep } from './journal-upkeep.ts';
import type { People } from './people.ts';

/** What people last said, their submissions, and what is asked of them. */
export interface Journal extends People, JournalReports, JournalUpkeep {}
