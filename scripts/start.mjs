/** `npm start`: runs the product in this process, under the permission model where it is supported. */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { permissionsOf } from './permissions.mjs';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
// The product chooses and checks the folder of its compile cache itself.
const { NODE_COMPILE_CACHE: _cache, ...env } = process.env;
const { platform, execPath } = process;
const args = [
  // A smaller young generation takes less memory and no more time (docs/speed.md).
  '--max-semi-space-size=8',
  ...permissionsOf({ env, root, platform }),
  fileURLToPath(new URL('../src/main.mjs', import.meta.url)),
  ...process.argv.slice(2),
];

if (platform === 'win32') {
  const child = spawn(execPath, args, { env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
} else {
  // Replaces this process: signals and the exit code are the product's own.
  process.removeAllListeners('warning');
  process.execve(execPath, [execPath, ...args], env);
}
