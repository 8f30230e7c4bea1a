import { parseArgs } from 'node:util';
import { verifyEvidence } from '../compose/evidence.ts';
import type { Config } from '../config/environment.ts';
import { WrongArgument } from '../config/wrong-argument.ts';
import { print } from './print.ts';

/** Says whether what is kept as evidence was changed by other hands. */
export async function evidence(config: Config, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { verify: { type: 'boolean', default: false } } });
  if (!values.verify) throw new WrongArgument('say what: --verify');
  await verifyEvidence(config, print);
}
