import { parseArgs } from 'node:util';
import { exportEvidence, verifyEvidence } from '../compose/evidence.ts';
import type { Config } from '../config/environment.ts';
import { WrongArgument } from '../config/wrong-argument.ts';
import { print } from './print.ts';

/** Says whether what is kept as evidence was changed by other hands, or what people agreed to on a day. */
export async function evidence(config: Config, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      verify: { type: 'boolean', default: false },
      export: { type: 'boolean', default: false },
      purpose: { type: 'string' },
      day: { type: 'string' },
      center: { type: 'string' },
      format: { type: 'string', default: 'jsonl' },
    },
  });
  const { purpose, day, center, format } = values;
  if (values.verify === values.export) throw new WrongArgument('say either --verify or --export');
  if (values.verify) return verifyEvidence(config, print);
  if (purpose === undefined || day === undefined) throw new WrongArgument('say --purpose and --day');
  if (format !== 'jsonl' && format !== 'csv') throw new WrongArgument('--format is jsonl or csv');
  process.stdout.write(await exportEvidence(config, { purpose, day, center, format }));
}
