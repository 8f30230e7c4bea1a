/** Draws docs/house.svg from the rooms and budgets of test/rooms.ts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawHouse } from '../test/house.ts';

writeFileSync(join(import.meta.dirname, '..', 'docs', 'house.svg'), drawHouse());
