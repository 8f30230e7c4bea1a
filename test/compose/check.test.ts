import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { longPurpose } from '../chaos/probed.ts';
import { startScripted } from '../upstream/scripted-platform.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
const center = 'b00c5000-0000-4000-8000-000000000001';

/** What `check` prints of a center with so many purposes in five languages. */
async function check(purposes: number): Promise<string> {
  const schema = {
    Status: 200,
    Template: 'ORIGINAL',
    Language: 'en',
    Languages: ['en'],
    PortalSettings: {},
    ProfileSettings: {},
    Purposes: Array.from({ length: purposes }, (_, index) => longPurpose(index, 5)),
  };
  const body = JSON.stringify(schema);
  const list = { content: [{ id: center, name: 'Books' }], totalElements: 1, last: true };
  const server = await startScripted(({ path }) => ({ body: path.includes(center) ? body : list }));
  const home = mkdtempSync(join(tmpdir(), 'sayso-check-'));
  const env = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: home,
    PUBLIC_URL: 'https://preferences.example.org',
    SECRET: 'Xq/m/rwL0DHKr7od3DMGNhPZJOCTQb4sNQIjLQE0D8s=',
    PLATFORM_URL: server.url,
    PLATFORM_CLIENT_ID: 'id',
    PLATFORM_CLIENT_SECRET: 'secret',
  };
  try {
    return await new Promise((resolve) => {
      execFile(process.execPath, [main, 'check'], { env }, (_fault, stdout, stderr) =>
        resolve(stdout + stderr),
      );
    });
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

suite('npm run check, of a center', () => {
  test('that is nearly too large, says so before it is.', async () => {
    assert.doesNotMatch(await check(300), /of what is read at most/);
    assert.match(
      await check(420),
      new RegExp(`WARN   center ${center}: its schemas are (7[5-9]|8\\d|9\\d) % of what is read at most`),
    );
    assert.match(await check(700), new RegExp(`FAULT  center ${center}`));
  });
});
