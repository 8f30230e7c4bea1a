import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { request } from 'undici';
import { binaries, postgres, startCluster } from '../kit/postgres.ts';
import { startProduct } from '../kit/product.ts';
import { readText } from './files.ts';

/** Runs deploy/database.sql as the image of PostgreSQL does, with a password file of the test. */
function initialise(url: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'sayso-initdb-'));
  try {
    const password = join(folder, 'password');
    writeFileSync(password, 'it’s a "password"\n');
    const sql = readText('deploy/database.sql').replace('/run/secrets/database-password', password);
    const psql = join(binaries() ?? '', 'psql');
    const args = ['--no-psqlrc', '--set=ON_ERROR_STOP=1', `--dbname=${url}`];
    execFileSync(psql, args, { input: sql, stdio: ['pipe', 'pipe', 'pipe'] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

suite('The database of compose.yaml', { skip: postgres.skip }, () => {
  test('the database belongs to a role without superuser rights, and the product runs on it', async (t) => {
    const cluster = await startCluster(['fsync=off']);
    t.after(() => cluster.end());
    initialise(cluster.url);
    const [role] = await cluster.query(
      `SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls, rolcanlogin,
       (SELECT rolpassword LIKE 'SCRAM-SHA-256$%' FROM pg_authid WHERE rolname = 'sayso') AS hashed,
       (SELECT datdba = pg_roles.oid FROM pg_database WHERE datname = 'sayso') AS owns,
       has_database_privilege('sayso', 'sayso', 'CONNECT') AS connects
       FROM pg_roles WHERE rolname = 'sayso'`,
    );
    const { rolcanlogin, hashed, owns, connects, ...powers } = role ?? {};
    assert.deepEqual([rolcanlogin, hashed, owns, connects], [true, true, true, true]);
    assert.deepEqual(new Set(Object.values(powers)), new Set([false]));
    const DATABASE_URL = `postgres://sayso@127.0.0.1:${cluster.port}/sayso`;
    await using product = await startProduct({ store: 'files', env: { DATABASE_URL } });
    assert.equal((await request(`${product.url}/health/ready`)).statusCode, 200);
  });
});
