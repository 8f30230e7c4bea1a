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
const forOthers = 0o077;
const sticky = 0o1000;

/** What a data folder holds of ours: other files there are not looked at. */
const ours = /^(secret|[\w-]+\.sqlite(-wal|-shm|-journal)?)$/;

/**
 * Makes the data folder its owner's alone (0700), and with it what is more open than 0600 in it.
 * A folder that many share on purpose (sticky, such as /tmp), or of another owner, stays as it is. Throws where no
 * folder can be made. Gives the paths that others could read or write before, and those that could not be closed to them.
 */
export function openDataFolder(path: string) {
  const tightened: string[] = [];
  const left: string[] = [];
  const tighten = (target: string, mode: number, stats: Stats) => {
    if ((stats.mode & forOthers) === 0) return;
    (tryTo(target, mode, stats) ? tightened : left).push(target);
  };
  if (mkdirSync(path, { recursive: true, mode: ownFolder }) !== undefined) chmodSync(path, ownFolder);
  tighten(path, ownFolder, statSync(path));
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (!entry.isFile() || !ours.test(entry.name)) continue;
    const file = join(path, entry.name);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    // Of another process that is just ending: its -wal may be gone by now.
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
 * Makes a file that its owner alone may read and write, whatever the umask, where there is none; what SQLite then makes
 * beside it gets the same rights. One that is there is not opened: closing it would give up this process's locks.
 */
export function makeOwnFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', ownFile));
    chmodSync(path, ownFile);
  } catch (fault) {
    // It was there, or another process has just made it.
    if (!existsSync(path)) throw fault;
  }
}
