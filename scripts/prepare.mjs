/**
 * Makes a fresh machine ready, before `npm start`, `npm test` and their kin: the packages of the lockfile, Node 26
 * among them, and for the tests with `--browser` Chromium and Firefox, with `--balancer` HAProxy, PgBouncer and promtool, with
 * `--containers` what builds an image. Says nothing when nothing is to do. Everything it says goes to stderr: the stdout
 * of `npm run --silent link` is one line, the link. Runs on Node 18 and later.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const forBrowser = process.argv.includes('--browser');
const forBalancer = process.argv.includes('--balancer');
const forContainers = process.argv.includes('--containers');
const forTests = forBrowser || forBalancer || forContainers;
const quiet = process.argv.includes('--quiet');
const neededNode = 26;
/** What renders the chart where there is no Helm. */
const forChart = ['golang-go', 'golang-github-masterminds-sprig-dev', 'golang-k8s-sigs-yaml-dev'];

process.exitCode = preparePackages();
if (forBrowser && process.exitCode === 0) {
  bringChromium();
  bringFirefox();
}
if (forBalancer && process.exitCode === 0) bringBalancer();
if (forContainers && process.exitCode === 0) bringContainers();

function preparePackages() {
  const reason = whyInstall();
  if (reason !== undefined) {
    say(`Installing the packages (${reason}) …`);
    const args = [
      'ci',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      '--include=optional',
    ];
    if (forTests) args.push('--include=dev');
    const status = runNpm(args);
    if (status !== 0) {
      say('`npm ci --ignore-scripts` failed: see above. Nothing was started.');
      return status;
    }
  }
  if (hasNode()) return 0;
  say(
    `Node ${neededNode} or later is needed, and npm has none for ${process.platform}-${process.arch}: install it.`,
  );
  return 1;
}

/** What is installed is compared by content: the times of files say little after a clone or a checkout. */
function whyInstall() {
  const wanted = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  if (installed === undefined) return 'first run';
  for (const [path, entry] of Object.entries(wanted ?? {})) {
    if (path === '') continue;
    const found = installed[path];
    if (found === undefined ? isNeeded(entry) : !isSame(found, entry)) return 'the lockfile has changed';
    if (found !== undefined && !existsSync(`${root}/${path}/package.json`)) return 'some are missing';
  }
  if (Object.keys(installed).some((path) => wanted?.[path] === undefined)) return 'the lockfile has changed';
  return hasNode() ? undefined : `Node ${neededNode} is missing`;
}

function isSame(found, entry) {
  return found.version === entry.version && found.integrity === entry.integrity;
}

/** Packages for other platforms are left out by npm, those for development where only the product runs. */
function isNeeded(entry) {
  if (entry.optional || entry.devOptional || entry.peer) return false;
  return forTests || !entry.dev;
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(`${root}/${file}`, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** npm puts node_modules/.bin first on the PATH of its scripts, so a Node there is the one that runs the product. */
function hasNode() {
  const file = process.platform === 'win32' ? 'node.cmd' : 'node';
  return existsSync(`${root}/node_modules/.bin/${file}`) || parseInt(process.versions.node, 10) >= neededNode;
}

/** By the Node that runs npm: the one under node_modules is about to be replaced. */
function runNpm(args) {
  const npm = process.env.npm_execpath;
  const node = process.env.npm_node_execpath ?? process.execPath;
  if (npm?.endsWith('.js')) return run(node, [npm, ...args]);
  return run('npm', args, { shell: process.platform === 'win32' });
}

function bringChromium() {
  const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const shell = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';
  if (existsSync(chromium) && existsSync(shell)) return;
  if (process.env.CHROMIUM !== undefined || !mayInstall()) {
    // The shell only saves time.
    if (existsSync(chromium)) return;
    say(
      `The browser tests need Chromium and found none at ${chromium}: install it, or set CHROMIUM to its path.`,
    );
    return;
  }
  say('Installing Chromium for the browser tests …');
  const isUpdated = aptGet('update');
  if (!existsSync(chromium) && !(isUpdated && install('chromium', 'fonts-noto-core')))
    return say('Chromium could not be installed by apt-get: see above. The browser tests will fail.');
  if (!install('chromium-headless-shell'))
    say(
      'Chromium’s headless shell could not be installed: the browser tests run in Chromium itself, and take longer.',
    );
}

function bringFirefox() {
  const firefox = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
  if (existsSync(firefox)) return;
  const without = 'its journeys are left out where CI is not true';
  if (process.env.FIREFOX !== undefined || !mayInstall())
    return say(`There is no Firefox at ${firefox}: install it, or set FIREFOX to its path; ${without}.`);
  say('Installing Firefox for the browser tests …');
  if (!(aptGet('update') && install('firefox-esr')))
    say(`Firefox could not be installed by apt-get: see above; ${without}.`);
}

/** What stands before the nodes, or before the database. */
function bringBalancer() {
  bring({ name: 'haproxy', title: 'HAProxy', variable: 'HAPROXY', of: 'deploy/' });
  bring({ name: 'pgbouncer', title: 'PgBouncer', variable: 'PGBOUNCER', of: 'a pooler' });
  const rules = { name: 'prometheus', title: 'promtool', variable: 'PROMTOOL', of: 'the alerts' };
  bring({ ...rules, path: '/usr/bin/promtool' });
}

function bring({ name, title, variable, of, path = `/usr/sbin/${name}` }) {
  const file = process.env[variable] ?? path;
  if (existsSync(file)) return;
  const without = `the tests of ${of} run without it where CI is not true`;
  if (process.env[variable] !== undefined || !mayInstall())
    return say(`There is no ${title} at ${file}: install it, or set ${variable} to its path; ${without}.`);
  say(`Installing ${title} for the tests of ${of} …`);
  if (!(aptGet('update') && install(name)))
    say(`${title} could not be installed by apt-get: see above; ${without}.`);
}

function bringContainers() {
  const commands = ['mmdebstrap', 'buildah'].filter((name) => !existsSync(`/usr/bin/${name}`));
  const renderer = existsSync('/usr/share/gocode/src/sigs.k8s.io/yaml') ? [] : forChart;
  const missing = [...commands, ...(existsSync('/usr/bin/helm') ? [] : renderer)];
  if (missing.length === 0) return;
  const without = 'the tests of the image or the chart are left out where CI is not true';
  if (!mayInstall()) return say(`There is no ${missing.join(', no ')}: install it; ${without}.`);
  say(`Installing ${missing.join(', ')} for the tests of the image and the chart …`);
  if (!(aptGet('update') && install(...missing)))
    say(`${missing.join(', ')} could not be installed by apt-get: see above; ${without}.`);
}

function mayInstall() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function aptGet(...args) {
  // Runlevel 1: what is installed is not started as a service.
  return (
    run('apt-get', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' } }) === 0
  );
}

function install(...names) {
  return aptGet('install', '-y', '--no-install-recommends', ...names);
}

/** stdout goes to our stderr; with --quiet what was said is shown only when it failed. */
function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 2, 2],
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  });
  if (result.error) say(`${command}: ${result.error.message}`);
  const status = result.status ?? 1;
  if (quiet && status !== 0) process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
  return status;
}

function say(line) {
  process.stderr.write(`${line}\n`);
}
