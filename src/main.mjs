// @ts-check
// Plain JavaScript: TypeScript before the compile cache is enabled would load Node's compiler at each start.
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { compileCacheOf, isInside } from './cli/compile-cache.mjs';

const dataDir = process.env['DATA_DIR']?.trim() || './data';
// A cache that NODE_COMPILE_CACHE enabled cannot be disabled.
const enabledFolder = getCompileCacheDir();
if (enabledFolder !== undefined && isInside(enabledFolder, dataDir)) {
  process.stderr.write('NODE_COMPILE_CACHE is in DATA_DIR, and what is in it is run: leave it out\n');
  process.exit(1);
}
// The cache halves the time of a start, so it is enabled before every other import of the product.
const cache = compileCacheOf(join(import.meta.dirname, '..'), dataDir);
if (enabledFolder === undefined && cache !== undefined) enableCompileCache(cache);
const { runCommandLine } = await import('./cli/command-line.ts');

const { code, text } = await runCommandLine(process.argv.slice(2), process.env);
// Writing even an empty text to a closed pipe would end the process.
if (code === 0 && text !== '') process.stdout.write(text);
if (code !== 0) {
  process.stderr.write(text);
  process.exit(code);
}
