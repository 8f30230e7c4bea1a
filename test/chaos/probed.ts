import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { mostTries } from '../kit/cpu.ts';
import { freePorts, type ProductProcess, startProcess, tenantAt } from '../kit/product.ts';
import { until } from '../kit/until.ts';
import type { Visitor } from '../kit/visitor.ts';
import { linkTo } from './rig.ts';

/** Milliseconds of processor time that one turn of the event loop may take, as on a quiet machine. */
export const longest = 80;
export const answerBytes = 2 * 1_024 * 1_024 - 1_024;
export const schemaBytes = 4 * 1_024 * 1_024 - 1_024;

/**
 * Starts the product with a probe of its event loop. `worst` repeats an act; the shortest of its longest
 * turns counts.
 */
export async function probed(env: Readonly<Record<string, string>>, centers: readonly object[]) {
  const [port = 0] = await freePorts(1);
  const probe = new URL('../kit/turns.ts', import.meta.url).href;
  const product = await startProcess({
    env: { NODE_OPTIONS: `--import ${probe}`, PORT_OF_TURNS: String(port), LOG_LEVEL: 'warn', ...env },
    centers,
  });
  const measured = async (quantity: 'turn' | 'slowness') =>
    Number(await (await fetch(`http://127.0.0.1:${port}/${quantity}`)).text());
  /** Milliseconds of the longest turn during `act`; where that was too long, as on a quiet machine. */
  async function turnOf(act: () => Promise<unknown>): Promise<number> {
    await measured('turn');
    await act();
    const ms = await measured('turn');
    return ms > longest ? ms / (await measured('slowness')) : ms;
  }
  async function worst(act: () => Promise<unknown>): Promise<number> {
    let best = Number.POSITIVE_INFINITY;
    // An act is repeated only while it seems too slow.
    for (let turn = 0; turn < mostTries && best > longest; turn += 1) {
      await pause(turn * 50);
      best = Math.min(best, await turnOf(act));
    }
    return best;
  }
  return { product, worst, turnOf };
}

/**
 * The product of a suite, with a probe. `check` is a test of an act, whose longest turn must be short enough.
 */
export function probing(start: () => ReturnType<typeof probed>) {
  let running: Awaited<ReturnType<typeof probed>> | undefined;
  const results: string[] = [];
  before(async () => {
    running = await start();
  });
  after(async () => {
    process.stdout.write(`longest turns: ${results.join('; ')}\n`);
    await running?.product[Symbol.asyncDispose]();
  });
  return {
    product: () => running?.product ?? assert.fail('the product does not run'),
    check: (name: string, act: (turn: number) => Promise<unknown>) =>
      test(`no turn is long for ${name}`, async () => {
        let turn = 0;
        const ms = (await running?.worst(() => act(turn++))) ?? Number.NaN;
        results.push(`${name} ${ms.toFixed(0)} ms`);
        assert.ok(ms <= longest, `${name}: one turn took ${ms.toFixed(0)} ms`);
      }),
  };
}

/** Opens a page, again after each 503: beside other tests a large page may take longer than its 5 s. */
export async function opened(visitor: Visitor, link: string): Promise<Awaited<ReturnType<Visitor['open']>>> {
  return until(async () => {
    const page = await visitor.open(link);
    return page.status !== 503 && page;
  });
}

const everyTurn = Array.from({ length: mostTries }, (_, turn) => turn);
const centerAt = (index: number, turn: number) => ({
  address: `c${index}-${turn}`,
  center: guid(turn * 100 + index),
});

/**
 * Starts the product on a platform with `count` centers. Each has an id for every turn, so that it is read
 * anew.
 */
export function probedBefore({ url }: { readonly url: string }, count: number) {
  const centers = Array.from({ length: count }, (_, index) =>
    everyTurn.map((turn) => centerAt(index, turn)),
  ).flat();
  return probed(tenantAt(url), centers);
}

export async function linkInto(product: ProductProcess, index: number, turn: number): Promise<string> {
  const { address, center } = centerAt(index, turn);
  return (await linkTo(product, center, 'anna@example.org')).replace(center, address);
}

export const guid = (index: number) => `b00c5000-0000-4000-8000-${String(index).padStart(12, '0')}`;
/** Items, as many as fit into `bytes` of JSON. */
export function many(make: (index: number) => unknown, bytes = schemaBytes): unknown[] {
  const items: unknown[] = [];
  let length = 0;
  for (let index = 0; length < bytes; index += 1) {
    const item = make(index);
    length += JSON.stringify(item).length + 1;
    if (length < bytes) items.push(item);
  }
  return items;
}

/** A purpose as customers write it: a paragraph, four topics and a preference in each language. */
export function longPurpose(index: number, languages: number) {
  const all = Array.from({ length: languages }, (_, each) => `aa-${each.toString(36)}`);
  const text = `<p>What it is <b>for</b>, number ${index}. ${'And in so many words as lawyers write. '.repeat(28)}</p>`;
  const named = (Name: string) => all.map((Language) => ({ Language, Name: `${Name} in ${Language}` }));
  return {
    Id: guid(index),
    Label: `Purpose ${index}`,
    Description: text,
    Status: 'ACTIVE',
    Languages: all.map((Language) => ({ Language, Name: `Purpose ${index}`, Description: text })),
    Topics: [0, 1, 2, 3].map((each) => ({ Id: guid(index * 4 + each), Languages: named(`Topic ${each}`) })),
    CustomPreferences: [
      {
        Id: guid(9_000 + index),
        Name: 'How often',
        Options: ['Daily', 'Weekly'].map((Label, each) => ({
          Id: guid(10_000 + index * 2 + each),
          Label,
          Languages: named(Label),
        })),
      },
    ],
  };
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
