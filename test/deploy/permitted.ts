import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

/** Runs code under these flags and returns the attempts that Node refuses; throws on any other error. */
export function refusedOf(permissions: readonly string[], attempts: readonly string[]): readonly string[] {
  const script = `const attempts = JSON.parse(process.argv[1]);
    const refused = attempts.filter((attempt) => {
      try { (0, eval)(attempt); return false; } catch (fault) {
        if (fault.code !== 'ERR_ACCESS_DENIED') throw fault;
        return true;
      }
    });
    process.stdout.write(JSON.stringify(refused), () => process.exit(0));`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...permissions,
      '--input-type=commonjs',
      '-e',
      `globalThis.require = require; ${script}`,
      JSON.stringify(attempts),
    ],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}
