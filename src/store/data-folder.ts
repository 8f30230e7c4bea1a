import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';

const ownFolder = 0o700;
const ownFile = 0o600;
const othersMask = 0o077;
const sticky = 0o1000;

/** The names of the product's files in a data folder; other files are left alone. */
const productFile = /^(secret|[\w-]+\.sqlite(-wal|-shm|-journal)?)$/;

/**
 * Makes the data folder private to its owner (0700), and the product's files in it (0600). A shared folder
 * (sticky, such as /tmp) or a folder of another owner stays as it is. Throws if the folder cannot be made.
 * `tightened`: paths that others could read or write before. `left`: paths that others still can.
 */
export function openDataFolder(path: string) {
  const tightened: string[] = [];
  const left: string[] = [];
  const tighten = (target: string, mode: number, stats: Stats) => {
    if ((stats.mode & othersMask) === 0) return;
    (tryTo(target, mode, stats) ? tightened : left).push(target);
  };
  if (mkdirSync(path, { recursive: true, mode: ownFolder }) !== undefined) chmodSync(path, ownFolder);
  tighten(path, ownFolder, statSync(path));
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (!entry.isFile() || !productFile.test(entry.name)) continue;
    const file = join(path, entry.name);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    // The -wal of a process that is just ending may be gone by now.
    if (stats?.isFile()) tighten(file, ownFile, stats);
  }
  return { tightened, left };
}

function tryTo(path: string, mode: number, stats: Stats): boolean {
  if (stats.isDirectory() && (stats.mode & sticky) !== 0) return false;
  try {
    chmodSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes a missing file that only its owner may read and write, whatever the umask; SQLite gives the files
 * beside it the same rights. An existing file is not opened: closing it would release this process's locks.
 */
export function makeOwnFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', ownFile));
    chmodSync(path, ownFile);
  } catch (fault) {
    // The file existed, or another process has just made it.
    if (!existsSync(path)) throw fault;
  }
}
