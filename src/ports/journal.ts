import type { JournalIntake } from './journal-intake.ts';
import type { JournalQueue } from './journal-queue.ts';
import type { JournalReports } from './journal-reports.ts';
import type { JournalUpkeep } from './journal-upkeep.ts';

/**
 * What was submitted, and what came of it. Every method rejects with `store-unavailable` where the store fails; then
 * nothing was written, but for an answer that was lost on its way, which the same nonce finds again.
 */
export interface Journal extends JournalIntake, JournalQueue, JournalReports, JournalUpkeep {}
