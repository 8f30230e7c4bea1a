/**
 * Flags of Node's permission model for the product. It may read its own files, its data and the files that
 * its settings name, write its data, and use the network. Other files, processes, workers and native addons
 * are refused, also to code that got into it.
 */
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Returns the flags; `env` holds the settings, `root` is the product's folder. The list is empty, and the
 * model not used, on other systems than Linux (never tried), with NODE_PERMISSION=off, and for paths that a
 * flag cannot express.
 */
export function permissionsOf({ env, root, platform }) {
  if (platform !== 'linux' || env.NODE_PERMISSION?.trim().toLowerCase() === 'off') return [];
  const setting = (name) => env[name]?.trim() || undefined;
  const address = databaseOf(setting);
  // With a database only the sandbox stores files.
  const needsData = address === undefined || setting('PLATFORM_URL') === undefined;
  const data = needsData ? [resolve(setting('DATA_DIR') ?? './data')] : [];
  // Node keeps its compile cache beside the packages (see main.mjs).
  const cache = join(root, 'node_modules', '.cache', 'sayso');
  // The permission model takes a missing folder for a file. Without a data folder the product itself says why
  // it cannot start.
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
  // The demo is started only with the sandbox and its made-up people.
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

/** Lists the files and folders that the settings and the centers file name. */
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
      ['CERTIFICATE', 'CLIENT_KEY', 'CLIENT_CERTIFICATE'].map((file) => `OTEL_EXPORTER_OTLP_${of}${file}`),
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

/** Lists the certificate files that a database's address names. */
function filesNamedIn(address) {
  if (address === undefined || !URL.canParse(address)) return [];
  const { searchParams } = new URL(address);
  const named = ['sslrootcert', 'sslcert', 'sslkey'].flatMap((name) => searchParams.get(name) ?? []);
  return named.map((path) => resolve(path));
}

/** Lists the files that a centers file names; the product itself reports a malformed one. */
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

/** Resolves symbolic links, also of the existing part of a path that does not exist yet. */
function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), path.slice(parent.length));
  }
}
