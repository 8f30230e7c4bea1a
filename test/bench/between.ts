/**
 * `node test/bench/between.ts <commit> [--rounds 9] [--store postgres]` measures a page, a sign-in, a save
 * and a one-click of the product, as a ratio to another commit. The two products run on files, or each on its
 * own database, over one sandbox, in their own processes, and take turns. The measure is the CPU time of the
 * product's process; for saves and one-clicks it counts until all of them are applied and read back.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { books, pendingOf, save, settingsFor, startPlatform, switches } from '../chaos/rig.ts';
import { cpuMsOf } from '../kit/cpu.ts';
import { readForm } from '../kit/form.ts';
import { manyCalls, type ProductProcess, startProcess } from '../kit/product.ts';
import { cookieOf, createVisitor } from '../kit/visitor.ts';
import { median } from './figures.ts';
import { makeAllKnown } from './mailing.ts';

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, store: { type: 'string', default: 'files' } },
  allowPositionals: true,
});
const [commit] = positionals;
const rounds = Number(values.rounds);
const store = values.store === 'postgres' ? 'postgres' : 'files';
if (commit === undefined || !(rounds >= 1) || store !== values.store)
  throw new Error('node test/bench/between.ts <commit> [--rounds 9] [--store files|postgres]');

/** Requests of a round: enough for a second of CPU. */
const pages = 800;
const signIns = 300;
const clicks = 150;
const saves = 60;
/** The number of first rounds, which warm up. */
const warmUps = 4;
const connections = 4;

const here = join(import.meta.dirname, '..', '..');
const there = mkdtempSync(join(tmpdir(), 'sayso-between-'));
try {
  checkOut(commit, there);
  await using platform = await startPlatform({
    SANDBOX_REQUESTS_PER_MINUTE: '1000000',
    SANDBOX_REQUESTS_PER_HOUR: '100000000',
  });
  await using before = await start(there, platform.port);
  await using now = await start(here, platform.port);
  const contestants = await Promise.all([before, now].map(enter));
  /** Name of the work → for each round, the CPU time of each contestant. */
  const laps = new Map<string, number[][]>();
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const inTurn = contestants.map((contestant, index) => ({ ...contestant, index }));
    if (round % 2 === 1) inTurn.reverse();
    const lap = async (
      name: string,
      count: number,
      act: (contestant: Contestant, people: readonly string[]) => Promise<number>,
    ) => {
      const cpu: number[] = [];
      for (const contestant of inTurn) {
        const { index } = contestant;
        const people = Array.from({ length: count }, (_, n) => `${name}.${index}.${round}.${n}@example.org`);
        await makeAllKnown(platform.sandbox, people);
        cpu[index] = await act(contestant, people);
      }
      if (round >= warmUps) laps.set(name, [...(laps.get(name) ?? []), cpu]);
    };
    await lap('page', 0, ({ viewPages }) => viewPages());
    await lap('sign-in', 0, ({ signInAll }) => signInAll());
    await lap('save', saves, ({ saveAll }, people) => saveAll(people));
    await lap('one-click', clicks, ({ clickAll }, people) => clickAll(people));
  }
  for (const [name, each] of laps) {
    const ratios = each.map(([one = Number.NaN, other = Number.NaN]) => other / one).sort((a, b) => a - b);
    const ms = (index: number) => `${median(each.map((lap) => lap[index] ?? Number.NaN)).toFixed(2)} ms`;
    const seen = `${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)}`;
    process.stdout.write(
      `${name}: ${median(ratios).toFixed(3)} of ${commit} on ${store} (${seen}); CPU ${ms(0)} then, ${ms(1)} now\n`,
    );
  }
} finally {
  rmSync(there, { recursive: true, force: true });
}

/** Unpacks a commit with its packages: those of this checkout where they are the same. */
function checkOut(which: string, folder: string): void {
  const options = { cwd: here, maxBuffer: 2 ** 30 };
  const input = execFileSync('git', ['archive', which], options);
  execFileSync('tar', ['-x', '-C', folder], { input });
  const lock = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lock(folder) === lock(here)) symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'));
  else execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts'], { cwd: folder, stdio: 'ignore' });
  if (!existsSync(join(folder, 'node_modules'))) throw new Error(`no packages for ${which}`);
}

function start(checkout: string, platformPort: number): Promise<ProductProcess> {
  return startProcess({
    checkout,
    store,
    env: {
      ...settingsFor(platformPort),
      ...manyCalls,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
    },
  });
}

async function inParallel(count: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++) await act(index);
  };
  await Promise.all(Array.from({ length: connections }, work));
}

type Contestant = Awaited<ReturnType<typeof enter>>;

/** The work that a product can be asked for; each function returns milliseconds of CPU for one request. */
async function enter(product: ProductProcess) {
  const visitor = createVisitor(product.url);
  const link = await product.link({ center: books, identifier: 'anna@example.org' });
  const { url, status } = await visitor.open(link);
  if (status !== 200) throw new Error(`the link led to ${status} ${url}`);
  const cookie = cookieOf(visitor);
  const headers = { cookie, 'accept-encoding': 'gzip' };

  function each(count: number, ask: (index: number) => Promise<Response>): Promise<void> {
    return inParallel(count, async (index) => {
      const answer = await ask(index);
      await answer.arrayBuffer();
      if (answer.status >= 400) throw new Error(`${answer.url} is answered with ${answer.status}`);
    });
  }
  async function cpuOf(count: number, work: () => Promise<void>): Promise<number> {
    const from = cpuMsOf(product.pid);
    await work();
    return (cpuMsOf(product.pid) - from) / count;
  }
  const isBusy = async () => (await pendingOf(product.metricsUrl)) > 0;

  /** Opens a page and switches a purpose off; the returned function posts the form. */
  async function openSave(identifier: string) {
    const own = createVisitor(product.url);
    const page = await own.open(await product.link({ center: books, identifier }));
    const form = readForm(page.text);
    form.untick('purpose', switches(form).on[0] ?? '');
    const { action, fields } = form.press(save);
    return async () => {
      const { status } = await own.post(new URL(action, page.url).href, fields);
      if (status !== 303) throw new Error(`a save is answered with ${status}`);
    };
  }

  return {
    async saveAll(people: readonly string[]) {
      const opened: (() => Promise<void>)[] = [];
      for (const identifier of people) opened.push(await openSave(identifier));
      return cpuOf(people.length, async () => {
        await inParallel(opened.length, (index) => opened[index]?.() ?? Promise.resolve());
        while (await isBusy()) await pause(1_000);
      });
    },
    /** Signs in by a link; each time makes a new session. */
    signInAll: () => cpuOf(signIns, () => each(signIns, () => fetch(link, { redirect: 'manual' }))),
    viewPages: () => cpuOf(pages, () => each(pages, () => fetch(url, { headers }))),
    async clickAll(people: readonly string[]) {
      const flags = ['--one-click'];
      const links = await Promise.all(
        people.map((identifier) => product.link({ center: books, identifier, flags })),
      );
      const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
      return cpuOf(people.length, async () => {
        await each(people.length, (index) => fetch(links[index] ?? '', { method: 'POST', body }));
        // The question costs the product CPU, too.
        do await pause(1_000);
        while (await isBusy());
      });
    },
  };
}
