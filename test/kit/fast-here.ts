/** A test that runs the product in its own process imports this first: time then runs fast in the process. */
import { fastTime } from './fast-time.ts';

const { NODE_OPTIONS: _forProducts, ...settings } = fastTime;
Object.assign(process.env, settings);
await import('./scaled-clock.ts');
