// @ts-check
import { lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const writableByOthers = 0o022;
const deepest = 64;

/**
 * The folder in which Node may keep compiled code, which is run at the next start. It is beside the code:
 * only users who can change the code may write there. It is never in the data folder. undefined: there is no
 * such folder.
 * @param {string} root
 * @param {string} dataDir
 */
export function compileCacheOf(root, dataDir) {
  const cache = join(root, 'node_modules', '.cache', 'sayso');
  try {
    // The folder is its owner's alone, whatever the umask. Node makes its own folder inside by the umask.
    mkdirSync(cache, { recursive: true, mode: 0o700 });
  } catch {
    return undefined;
  }
  return isSafe(cache, root) && !isInside(cache, dataDir) ? cache : undefined;
}

/** @type {(cache: string, root: string) => boolean} */
function isSafe(cache, root) {
  try {
    const code = statSync(join(root, 'src'));
    const owners = [0, code.uid, process.getuid?.()];
    /** @param {string} path */
    const isOfCode = (path) => {
      const stats = lstatSync(path);
      const isWider = (stats.mode & writableByOthers & ~code.mode) !== 0;
      return stats.isDirectory() && !isWider && owners.includes(stats.uid);
    };
    const inside = readdirSync(cache, { withFileTypes: true }).filter((entry) => !entry.isFile());
    return [join(cache, '..'), cache, ...inside.map(({ name }) => join(cache, name))].every(isOfCode);
  } catch {
    return false;
  }
}

/**
 * True if a path is in a folder. The folders themselves are compared, not their names: links lead anywhere.
 * @type {(path: string, folder: string) => boolean}
 */
export function isInside(path, folder) {
  const wanted = look(folder);
  if (wanted === undefined) return false;
  for (let at = path, depth = 0; depth < deepest; at += '/..', depth += 1) {
    const found = look(at);
    if (found?.ino === wanted.ino && found.dev === wanted.dev) return true;
  }
  return false;
}

/** @param {string} path */
function look(path) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
