/**
 * Loaded before a command that erases: kills its process (SIGKILL) as it begins statement `KILL_AT` of the
 * erasure.
 */

import process from 'node:process';
import { followErasure } from './erasure-statements.ts';

const at = Number(process.env['KILL_AT']);
followErasure((statement) => {
  if (statement === at) process.kill(process.pid, 'SIGKILL');
});
