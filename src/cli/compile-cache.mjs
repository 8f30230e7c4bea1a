// @ts-check
import { lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const forOthers = 0o022;
const deepest = 64;

/**
 * Where Node may keep what it compiled, which is run at the next start: among the code, where no user may write who
 * could not as well change the code, and never in the data folder. undefined: nowhere.
 * @param {string} root
 * @param {string} dataDir
 */
export function compileCacheOf(root, dataDir) {
  const cache = join(root, 'node_modules', '.cache', 'sayso');
  try {
    // Its owner's alone, whatever the umask: Node makes its own folder inside by that.
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
      const isWider = (stats.mode & forOthers & ~code.mode) !== 0;
      return stats.isDirectory() && !isWider && owners.includes(stats.uid);
    };
    const inside = readdirSync(cache, { withFileTypes: true }).filter((entry) => !entry.isFile());
    return [join(cache, '..'), cache, ...inside.map(({ name }) => join(cache, name))].every(isOfCode);
  } catch {
    return false;
  }
}

/**
 * By what the folders are, not by what they are called: links lead anywhere.
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
