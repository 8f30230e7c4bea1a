/**
 * Through how many of our files and functions a request passes: `node scripts/files-of-a-request.mjs [--list]`.
 * Starts the product on its sandbox in this process, warms it up, and counts by V8's precise coverage what is called
 * between the start and the answer of one GET of a preference page, and of one POST that switches a purpose off; the
 * delivery that the answer waits for is part of it. The sandbox stands for the platform and is not counted.
 *
 * Who follows a request takes for given what stands around each (HTTP: what one for an address that nobody serves passes,
 * too), and what is behind a port: the stores and the client of the platform. The rest is the request's own way.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { startSayso } from '../src/compose/product.ts';
import { readConfig } from '../src/config/environment.ts';
import { readForm } from '../test/kit/form.ts';
import { freePorts } from '../test/kit/product.ts';
import { createVisitor } from '../test/kit/visitor.ts';

const source = new URL('../src/', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'sayso-files-'));
const isListing = process.argv.includes('--list');
const [port] = await freePorts(1);
const settings = {
  PORT: String(port),
  DATA_DIR: folder,
  LOG_LEVEL: 'silent',
  DEMO_PORT: 'off',
  DRAIN_SECONDS: '0',
};
const running = await startSayso(readConfig(settings, () => ''));
const origin = `http://localhost:${port}`;
const inspector = new Session();
inspector.connect();
try {
  const page = await signIn();
  // What is done once, at first use, is not what a request passes.
  for (let turn = 0; turn < 5; turn += 1) {
    await page.get();
    await page.post();
  }
  await page.get();
  // What switches something on also reads the schema afresh, which is another request's way.
  if (!page.isOn()) {
    await page.post();
    await page.get();
  }
  await pause(1_000);
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const [first, ...others] = [await passed(page.get), await passed(page.get), await passed(page.get)];
  // A tick of a queue may fall into one of them.
  const ofEach = new Map([...first].filter(([path]) => others.every((other) => other.has(path))));
  print('GET of a preference page', ofEach, await passed(page.getNothing));
  await page.get();
  print('POST that switches off', await passed(page.post), await passed(page.postNothing));
} finally {
  inspector.disconnect();
  await running.close();
  rmSync(folder, { recursive: true, force: true });
}

/** By file: the functions that were called between the start and the end of one request. */
async function passed(ask) {
  await inspector.post('Profiler.takePreciseCoverage');
  await ask();
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const files = new Map();
  for (const { url, functions } of result) {
    if (!url.startsWith(source) || url.startsWith(`${source}sandbox/`)) continue;
    const called = functions.filter(({ ranges: [whole] }) => whole.count > 0);
    if (called.length > 0) files.set(url.slice(source.length), called);
  }
  return files;
}

function print(what, files, around) {
  const functions = [...files.values()].reduce((sum, called) => sum + called.length, 0);
  const groupOf = (path) => {
    const [layer] = path.split(/[/.]/);
    if (layer === 'store') return 'stores';
    if (layer === 'upstream') return 'client of the platform';
    return around.has(path) && !['core', 'pages', 'i18n'].includes(layer) ? 'HTTP' : 'own way';
  };
  const groups = Object.groupBy(files.keys(), groupOf);
  const kinds = ['own way', 'HTTP', 'stores', 'client of the platform'];
  const parts = kinds.map((kind) => `${kind} ${groups[kind]?.length ?? 0}`).join(', ');
  process.stdout.write(`${what}: ${files.size} files, ${functions} functions (files: ${parts})\n`);
  if (!isListing) return;
  for (const [path, called] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const names = called.map(({ functionName, ranges: [whole] }) => `${functionName || '=>'} ${whole.count}`);
    process.stdout.write(`  ${groupOf(path)}: ${path}: ${names.join(', ')}\n`);
  }
}

/** Somebody on a page of their own; `post` sends its form back with the first free switch turned. */
async function signIn() {
  const visitor = createVisitor(origin);
  const { text } = await visitor.get('/');
  const link = /href="(\/centers\/[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  if (link === undefined) throw new Error('the start page offers no link');
  let page = await visitor.open(link);

  async function get() {
    page = await visitor.get(page.url);
    if (page.status !== 200) throw new Error(`the page is answered with ${page.status}`);
  }

  function firstSwitch() {
    const form = readForm(page.text);
    const free = form.controls.find(({ name, disabled }) => name === 'purpose' && !disabled);
    if (free === undefined) throw new Error('the page has no switch');
    return { form, free };
  }

  async function post() {
    const { form, free } = firstSwitch();
    free.checked = !free.checked;
    const { action, fields } = form.press();
    const { status } = await visitor.post(action, fields);
    if (status !== 303) throw new Error(`the post is answered with ${status}`);
  }

  const nowhere = new URL('/nothing-is-here', origin).href;
  return {
    get,
    post,
    getNothing: () => visitor.get(nowhere),
    postNothing: () => visitor.post(nowhere, [['purpose', 'none']]),
    isOn: () => firstSwitch().free.checked,
  };
}
