/**
 * Prepares a new machine before `npm start`, `npm test` and similar. It installs the packages of the product,
 * with Node 26; with `--dev` also those of development, and with `--browser`, `--balancer` or `--long` the
 * programs that tests need. It prints nothing when there is nothing to do. All output goes to stderr, because
 * the stdout of `npm run --silent link` is one line, the link. This script runs on Node 18 and later.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const quiet = process.argv.includes('--quiet');
const neededNode = 26;
const leftOut = 'its tests are left out where CI is not true';
/** Programs that tests need: the packages install one of the files, or a variable names another. */
const tools = {
  '--browser': [
    {
      title: 'Chromium',
      variable: 'CHROMIUM',
      files: ['/usr/bin/chromium'],
      packages: ['chromium', 'fonts-noto-core'],
      without: 'the browser tests fail',
    },
    {
      title: 'headless shell of Chromium',
      variable: 'CHROMIUM',
      files: ['/usr/bin/chromium-headless-shell'],
      packages: ['chromium-headless-shell'],
      without: 'the browser tests run in Chromium itself, and take longer',
    },
    {
      title: 'Firefox',
      variable: 'FIREFOX',
      files: ['/usr/bin/firefox-esr'],
      packages: ['firefox-esr'],
      without: leftOut,
    },
  ],
  '--balancer': [
    tool('HAProxy', '/usr/sbin/haproxy', 'haproxy', 'HAPROXY'),
    tool('PgBouncer', '/usr/sbin/pgbouncer', 'pgbouncer', 'PGBOUNCER'),
    tool('promtool', '/usr/bin/promtool', 'prometheus', 'PROMTOOL'),
  ],
  '--long': [
    tool('mmdebstrap', '/usr/bin/mmdebstrap', 'mmdebstrap'),
    tool('buildah', '/usr/bin/buildah', 'buildah'),
    { ...tool('podman', '/usr/bin/podman', 'podman'), packages: ['podman', 'crun', 'catatonit'] },
    {
      title: 'Helm, nor Go with what renders a chart',
      files: ['/usr/bin/helm', '/usr/share/gocode/src/sigs.k8s.io/yaml'],
      packages: ['golang-go', 'golang-github-masterminds-sprig-dev', 'golang-k8s-sigs-yaml-dev'],
      without: leftOut,
    },
    tool('nginx', '/usr/sbin/nginx', 'nginx-light'),
    tool('Caddy', '/usr/bin/caddy', 'caddy'),
    tool('Apache', '/usr/sbin/apache2', 'apache2-bin'),
    {
      ...tool('PHPMailer', '/usr/share/php/libphp-phpmailer', 'libphp-phpmailer'),
      packages: ['php-cli', 'libphp-phpmailer'],
    },
    tool('Email::MIME', '/usr/share/perl5/Email/MIME.pm', 'libemail-mime-perl'),
    tool('Ruby Mail', '/usr/lib/ruby/vendor_ruby/mail.rb', 'ruby-mail'),
  ],
};
const asked = Object.keys(tools).filter((option) => process.argv.includes(option));
const forDevelopment = asked.length > 0 || process.argv.includes('--dev');

process.exitCode = preparePackages();
if (process.exitCode === 0) bringTools(asked.flatMap((option) => tools[option]));

function tool(title, file, name, variable) {
  return { title, variable, files: [file], packages: [name], without: leftOut };
}

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
    // Two thirds of all packages are for development. They are never removed.
    args.push(forDevelopment || hasAnyOfDevelopment() ? '--include=dev' : '--omit=dev');
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

/** Returns why to install; it compares content, because times of files mean little after a checkout. */
function whyInstall() {
  const wanted = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  if (installed === undefined) return 'first run';
  for (const [path, entry] of Object.entries(wanted ?? {})) {
    if (path === '') continue;
    const found = installed[path];
    if (found !== undefined && !isSame(found, entry)) return 'the lockfile has changed';
    const isThere = found !== undefined && existsSync(`${root}/${path}/package.json`);
    if (!isThere && (found !== undefined || isNeeded(entry))) return 'some are missing';
  }
  if (Object.keys(installed).some((path) => wanted?.[path] === undefined)) return 'the lockfile has changed';
  return hasNode() ? undefined : `Node ${neededNode} is missing`;
}

function isSame(found, entry) {
  return found.version === entry.version && found.integrity === entry.integrity;
}

/** npm omits packages for other platforms; without `--dev`, packages for development are not needed. */
function isNeeded(entry) {
  if (entry.optional || entry.devOptional || entry.peer) return false;
  return forDevelopment || !entry.dev;
}

function hasAnyOfDevelopment() {
  return Object.values(readPackages('node_modules/.package-lock.json') ?? {}).some(({ dev }) => dev);
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(`${root}/${file}`, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** npm puts node_modules/.bin first on the PATH of its scripts, so a Node there runs the product. */
function hasNode() {
  const file = process.platform === 'win32' ? 'node.cmd' : 'node';
  return existsSync(`${root}/node_modules/.bin/${file}`) || parseInt(process.versions.node, 10) >= neededNode;
}

/** Runs npm by the Node that runs npm now: the one under node_modules may be replaced. */
function runNpm(args) {
  const npm = process.env.npm_execpath;
  const node = process.env.npm_node_execpath ?? process.execPath;
  if (npm?.endsWith('.js')) return run(node, [npm, ...args]);
  return run('npm', args, { shell: process.platform === 'win32' });
}

function bringTools(wanted) {
  const missing = wanted.filter(
    ({ variable, files }) => ![process.env[variable] ?? files].flat().some(existsSync),
  );
  if (missing.length === 0) return;
  const isUpdated =
    missing.some((one) => process.env[one.variable] === undefined) && mayInstall() && aptGet('update');
  for (const { title, variable, files, packages, without } of missing) {
    const isNamed = process.env[variable] !== undefined;
    if (!isNamed && isUpdated) say(`Installing ${packages.join(', ')} for the tests …`);
    if (isNamed || !isUpdated || !install(...packages))
      say(
        `There is no ${title} at ${process.env[variable] ?? files.join(', ')}: install it${variable === undefined ? '' : `, or set ${variable} to its path`}; ${without}.`,
      );
  }
}

function mayInstall() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function aptGet(...args) {
  // Runlevel 1: apt starts no installed service.
  return (
    run('apt-get', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' } }) === 0
  );
}

function install(...names) {
  return aptGet('install', '-y', '--no-install-recommends', ...names);
}

/** Runs a command with its stdout on our stderr; with --quiet the output is shown only after a failure. */
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
