/**
 * `node scripts/files-of-a-request.mjs [--list]` counts our files and functions that a request passes. It
 * starts the product on its sandbox in this process, warms it up, and measures by V8's precise coverage one
 * GET of a preference page and one POST that turns a purpose off, with the delivery that the answer waits
 * for. The sandbox is not counted.
 *
 * A reader can take some files for granted: HTTP (the files that an unknown address passes, too), the stores
 * and the client of the platform. The others are the request's own way.
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
  // Work at first use is not part of a request.
  for (let turn = 0; turn < 5; turn += 1) {
    await page.get();
    await page.post();
  }
  await page.get();
  // The measured POST must turn a purpose off: turning it on would also read the schema again.
  if (!page.isOn()) {
    await page.post();
    await page.get();
  }
  await pause(1_000);
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const [first, ...others] = [await passed(page.get), await passed(page.get), await passed(page.get)];
  // A timer of a queue may run during one of the three requests.
  const ofEach = new Map([...first].filter(([path]) => others.every((other) => other.has(path))));
  print('GET of a preference page', ofEach, await passed(page.getNothing));
  await page.get();
  print('POST that switches off', await passed(page.post), await passed(page.postNothing));
} finally {
  inspector.disconnect();
  await running.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the functions that one request calls, by file. */
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

function print(title, files, around) {
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
  process.stdout.write(`${title}: ${files.size} files, ${functions} functions (files: ${parts})\n`);
  if (!isListing) return;
  for (const [path, called] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const names = called.map(({ functionName, ranges: [whole] }) => `${functionName || '=>'} ${whole.count}`);
    process.stdout.write(`  ${groupOf(path)}: ${path}: ${names.join(', ')}\n`);
  }
}

/** Opens a preference page as a visitor; `post` sends its form with the first free switch turned. */
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
