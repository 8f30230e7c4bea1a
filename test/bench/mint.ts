import { linkTable } from '../../src/cli/link-table.ts';
import { readConfig } from '../../src/config/environment.ts';
import { books } from '../kit/sandbox-ids.ts';
import { taken } from './figures.ts';

const config = readConfig({ SANDBOX: 'on', SECRET: 'gLMUoUTGmeyNEuxP8mxpAt0LIitxLUUIZdiaRudK35c' }, () => '');

async function* people(count: number) {
  yield Buffer.from('identifier,purpose,first_name,city\n');
  for (let from = 0; from < count; from += 1_000) {
    const rows = Array.from(
      { length: 1_000 },
      (_, index) => `person${from + index}@example.org,,Anna,"Den Haag"`,
    );
    yield Buffer.from(`${rows.join('\n')}\n`);
  }
}

/** Rows of links made in a second of CPU, all threads; a first, slow run is not counted. */
export async function measureMint(count: number): Promise<number> {
  const make = async () => {
    const report = { count: { written: 0, leftOut: 0, likeFormula: 0 }, tell: () => {} };
    const options = { center: books, days: '30', people: people(count), ...report };
    let length = 0;
    for await (const piece of linkTable(config, options)) length += piece.length;
    if (length < count * 800) throw new Error('there are no links in the table');
  };
  await make();
  const { cpu } = await taken(make);
  return (count * 1_000) / cpu;
}
