/** Imported first, by a test that runs the product in its own process: time runs fast in this process. */
import { fastTime } from './fast-time.ts';

const { NODE_OPTIONS: _forProducts, ...settings } = fastTime;
Object.assign(process.env, settings);
await import('./scaled-clock.ts');
