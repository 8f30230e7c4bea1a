import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { before, suite, test } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../..');
const section = /^## The two ways through$([\s\S]*?)^## /m;

interface Passed {
  readonly files: number;
  /** Path, then the functions with how often each is called. */
  readonly called: ReadonlyMap<string, string>;
}

/** The GET and the POST that the script drives through a whole product. */
async function drive(): Promise<readonly Passed[]> {
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

suite('The two ways of CONTRIBUTING', () => {
  const text = section.exec(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))?.[1] ?? '';
  let get: Passed;
  let post: Passed;
  before(async () => {
    const [first, second] = await drive();
    assert.ok(first && second);
    [get, post] = [first, second];
  });
  const functionsOf = ({ called }: Passed) => [...called.values()].join(', ');

  test('pass as many files as the page says, or fewer', () => {
    const [, most = ''] = /A GET passes (\d+) files/.exec(text) ?? [];
    const [, mostOfPost = ''] = /a POST (\d+) at most/.exec(text) ?? [];
    assert.ok(get.files <= Number(most), `a GET passes ${get.files} files, the page says ${most}`);
    assert.ok(post.files <= Number(mostOfPost), `a POST passes ${post.files}, the page says ${mostOfPost}`);
  });

  test('call every function that the page names', () => {
    const [ofGet = '', ofPost = ''] = text.split('**POST of its form.**');
    const named = (part: string) => [...part.matchAll(/`(\w+)(?:\(\w*\))?`/g)].map(([, name = '']) => name);
    const steps = ofPost.split('**Example')[0] ?? '';
    for (const [part, passed] of [[ofGet, get] as const, [steps, post] as const]) {
      assert.ok(named(part).length >= 2, part);
      for (const name of named(part))
        assert.match(functionsOf(passed), new RegExp(`\\b${name} \\d`), `${name} is not called`);
    }
  });

  test('look the schema and the person up once for a page', () => {
    assert.match(get.called.get('upstream/center-cache.ts') ?? '', /^find 1$/);
    assert.match(get.called.get('store/people-entry.ts') ?? '', /\bperson 1\b/);
  });
});
