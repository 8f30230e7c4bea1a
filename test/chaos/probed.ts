import { freePorts, startProduct } from '../kit/product.ts';

/** Milliseconds of processor time that one turn of the event loop may take. */
export const longest = 100;
export const answerBytes = 2 * 1_024 * 1_024 - 1_024;

/** Starts the product with the probe in it. `worst` does something a few times and tells its best longest turn. */
export async function probed(
  env: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
) {
  const [port = 0] = await freePorts(1);
  const probe = new URL('../kit/turns.ts', import.meta.url).href;
  const product = await startProduct({
    env: { NODE_OPTIONS: `--import ${probe}`, PORT_OF_TURNS: String(port), LOG_LEVEL: 'warn', ...env },
    files,
  });
  const told = async () => Number(await (await fetch(`http://127.0.0.1:${port}/`)).text());
  async function worst(act: () => Promise<unknown>, times = 5): Promise<number> {
    let best = Number.POSITIVE_INFINITY;
    // Usually once: only what seems to be too slow is tried again.
    for (let turn = 0; turn < times && best > longest / 2; turn += 1) {
      await told();
      await act();
      best = Math.min(best, await told());
    }
    return best;
  }
  return { product, worst };
}

export const guid = (index: number) => `b00c5000-0000-4000-8000-${String(index).padStart(12, '0')}`;
/** As many as fit. */
export function many(make: (index: number) => unknown, bytes = answerBytes): unknown[] {
  const items: unknown[] = [];
  let length = 0;
  for (let index = 0; length < bytes; index += 1) {
    const item = make(index);
    length += JSON.stringify(item).length + 1;
    if (length < bytes) items.push(item);
  }
  return items;
}

export function realPurpose(index: number) {
  return {
    Id: guid(index),
    Label: `Purpose ${index}`,
    Description: `<p>What it is <b>for</b>, number ${index}, in so many words as people write</p>`,
    Status: 'ACTIVE',
    Languages: ['en', 'fr'].map((Language) => ({
      Language,
      Name: `P${index}`,
      Description: `<p>${Language} ${index}</p>`,
    })),
    Topics: [0, 1, 2, 3].map((each) => ({
      Id: guid(index * 4 + each),
      Languages: [{ Language: 'en', Name: 'Topic' }],
    })),
  };
}
