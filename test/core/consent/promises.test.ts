import { testPromises } from './promises.ts';
import { play } from './script-world.ts';

testPromises(play);
