import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { before, suite, test } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../..');
const section = /^## The two ways through$([\s\S]*?)^## /m;

interface Trace {
  readonly files: number;
  /** Path → the called functions, each with its number of calls. */
  readonly called: ReadonlyMap<string, string>;
}

/** Runs the script that drives a GET and a POST through a whole product. */
async function drive(): Promise<readonly Trace[]> {
  const script = join(root, 'scripts/files-of-a-request.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--list'], { cwd: root });
  return stdout
    .split(/^(?=GET|POST)/m)
    .slice(-2)
    .map((part) => ({
      files: Number(/: (\d+) files/.exec(part)?.[1]),
      called: new Map(
        [...part.matchAll(/^ {2}[^:]+: (\S+): (.*)$/gm)].map(([, path = '', names = '']) => [path, names]),
      ),
    }));
}

suite('The two request paths of CONTRIBUTING', () => {
  const text = section.exec(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))?.[1] ?? '';
  let get: Trace;
  let post: Trace;
  before(async () => {
    const [first, second] = await drive();
    assert.ok(first && second);
    [get, post] = [first, second];
  });
  const functionsOf = ({ called }: Trace) => [...called.values()].join(', ');

  test('a request passes at most as many files as the document says', () => {
    const [, most = ''] = /A GET passes (\d+) files/.exec(text) ?? [];
    const [, postMost = ''] = /a POST (\d+) at most/.exec(text) ?? [];
    assert.ok(get.files <= Number(most), `a GET passes ${get.files} files, the document says ${most}`);
    assert.ok(post.files <= Number(postMost), `a POST passes ${post.files}, the document says ${postMost}`);
  });

  test('a request calls every function that the document names', () => {
    const [getText = '', postText = ''] = text.split('**POST of its form.**');
    const named = (part: string) => [...part.matchAll(/`(\w+)(?:\(\w*\))?`/g)].map(([, name = '']) => name);
    const steps = postText.split('**Example')[0] ?? '';
    for (const [part, trace] of [[getText, get] as const, [steps, post] as const]) {
      assert.ok(named(part).length >= 2, part);
      for (const name of named(part))
        assert.match(functionsOf(trace), new RegExp(`\\b${name} \\d`), `${name} is not called`);
    }
  });

  test('a page looks up the schema and the person once', () => {
    assert.match(get.called.get('upstream/center-cache.ts') ?? '', /^find 1$/);
    assert.match(get.called.get('store/people-entry.ts') ?? '', /\bperson 1\b/);
  });
});
