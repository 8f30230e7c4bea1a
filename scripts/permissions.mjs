/**
 * What the product may do on this machine, as flags of Node's permission model: read itself, its data and the files
 * that its settings name, write its data, use the network. Everything else is refused to it, and to whatever code got
 * into it: other files, processes, workers, native addons.
 */
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * `env`: the settings; `root`: the product's folder. Empty where the model is not used: elsewhere than on Linux, where
 * it was never tried, with NODE_PERMISSION=off, and for paths that its flags cannot say.
 */
export function permissionsOf({ env, root, platform }) {
  if (platform !== 'linux' || env.NODE_PERMISSION?.trim().toLowerCase() === 'off') return [];
  const setting = (name) => env[name]?.trim() || undefined;
  const address = databaseOf(setting);
  // Beside a database only the sandbox keeps anything.
  const needsData = address === undefined || setting('PLATFORM_URL') === undefined;
  const data = needsData ? [resolve(setting('DATA_DIR') ?? './data')] : [];
  // Where its packages are: Node keeps there what it compiled (see main.mjs).
  const cache = join(root, 'node_modules', '.cache', 'sayso');
  // A folder that is not there yet would be one file to the permission model. Without one for its data the product
  // does not start, and says why.
  makeFolder(cache);
  if (!data.every(makeFolder)) return [];
  const read = [
    root,
    join(root, 'node_modules'),
    ...data,
    ...filesNamedBy(setting),
    ...filesNamedIn(address),
  ];
  const write = [...data, cache];
  const paths = [...read, ...write].flatMap((path) => [path, realPath(path)]);
  if (paths.some((path) => /[*,]/.test(path))) return [];
  const flagsOf = (kind, list) =>
    [...new Set(list.flatMap((path) => [path, realPath(path)]))].map((path) => `--allow-fs-${kind}=${path}`);
  // Only beside the sandbox, of made-up people, is there a demo to start.
  const hasDemo =
    setting('PLATFORM_URL') === undefined &&
    setting('CENTERS_FILE') === undefined &&
    setting('DEMO_PORT') !== 'off';
  return [
    '--permission',
    '--disable-warning=ExperimentalWarning',
    ...(hasDemo ? ['--disable-warning=SecurityWarning', '--allow-child-process'] : []),
    ...flagsOf('read', read),
    ...flagsOf('write', write),
    '--allow-net',
  ];
}

/** The files and folders that settings, and the centers file, name. */
function filesNamedBy(setting) {
  const centers = setting('CENTERS_FILE');
  const names = [
    'SECRET_FILE',
    'DATABASE_URL_FILE',
    'PLATFORM_CLIENT_SECRET_FILE',
    'STAFF_OIDC_CLIENT_SECRET_FILE',
    'SMTP_URL_FILE',
    'METRICS_TOKEN_FILE',
    'SANDBOX_CLIENT_SECRET_FILE',
    'SANDBOX_DATA',
    'CENTERS_FILE',
    ...['', 'TRACES_'].flatMap((of) =>
      ['CERTIFICATE', 'CLIENT_KEY', 'CLIENT_CERTIFICATE'].map((what) => `OTEL_EXPORTER_OTLP_${of}${what}`),
    ),
  ];
  const named = names.flatMap((name) => setting(name) ?? []);
  return [...named, ...(centers === undefined ? [] : filesOfCenters(centers))].map((path) => resolve(path));
}

function databaseOf(setting) {
  const file = setting('DATABASE_URL_FILE');
  try {
    return setting('DATABASE_URL') ?? (file && readFileSync(file, 'utf8').trim()) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Of a database's address: certificates, and the folder of a socket. */
function filesNamedIn(address) {
  if (address === undefined || !URL.canParse(address)) return [];
  const { searchParams } = new URL(address);
  const named = ['sslrootcert', 'sslcert', 'sslkey'].flatMap((name) => searchParams.get(name) ?? []);
  return named.map((path) => resolve(path));
}

/** What is wrong with it is the product's to say. */
function filesOfCenters(file) {
  const found = [];
  try {
    JSON.parse(readFileSync(file, 'utf8'), (name, value) => {
      if (/File$/.test(name) && typeof value === 'string') found.push(value);
      return value;
    });
  } catch {
    return [];
  }
  return found;
}

function makeFolder(path) {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

/** Of what is not there yet: where it would be. */
function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), path.slice(parent.length));
  }
}
