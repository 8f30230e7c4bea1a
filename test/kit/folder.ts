import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** A new folder, removed after the file or suite that calls this, or after one test: `newFolder(t)`. */
export function newFolder(until: { after(end: () => void): void } = { after }): string {
  const folder = mkdtempSync(join(tmpdir(), 'sayso-'));
  until.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
