/** Writes docs/results.md from docs/results/*.json. */
import { writeResultsPage } from '../test/bench/results.ts';

writeResultsPage();
