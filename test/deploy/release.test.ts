import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { newFolder } from '../kit/folder.ts';
import { readText, root } from './files.ts';

interface Bom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly 'bom-ref': string } };
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly hashes: readonly { readonly content: string }[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Locked {
  readonly version: string;
  readonly integrity: string;
  readonly dev?: boolean;
}

/** Copies the sources of a release into a new repository, so that uncommitted files here do not matter. */
const home = newFolder();
const repository = join(home, 'repository');
const out = join(home, 'out');
const copied = ['package.json', 'package-lock.json', 'SECURITY.md', 'CHANGELOG.md', 'scripts', 'src'];

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
    cwd: repository,
    stdio: 'pipe',
  });
const release = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(repository, 'scripts/release.mjs'), ...args], { encoding: 'utf8' });

before(() => {
  for (const path of copied) cpSync(join(root, path), join(repository, path), { recursive: true });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'all');
});

suite('A release', () => {
  const file = (end: string) => readFileSync(join(out, `sayso-1.0.0.${end}`));
  before(() => {
    const { status, stderr } = release('--to', out);
    assert.equal(status, 0, stderr);
  });

  test('a release has the source of the commit, its bill of materials, the provenance and the digests', () => {
    assert.deepEqual(readdirSync(out).sort(), [
      'SHA256SUMS',
      'sayso-1.0.0.cdx.json',
      'sayso-1.0.0.intoto.json',
      'sayso-1.0.0.tar.gz',
    ]);
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: out, stdio: 'pipe' });
    const listed = execFileSync('tar', ['-tzf', join(out, 'sayso-1.0.0.tar.gz')], { encoding: 'utf8' });
    assert.match(listed, /^sayso-1\.0\.0\/src\/main\.mjs$/m);
  });

  test('the bill of materials lists all packages of the product by digest, and none of development', () => {
    const bom: Bom = JSON.parse(file('cdx.json').toString());
    assert.equal(bom.bomFormat, 'CycloneDX');
    const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(
      readText('package-lock.json'),
    );
    const used = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
    const expected = used.map(([path, { version, integrity }]) => {
      const sha512 = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
      return `${path.replace(/^.*node_modules\//, '')} ${version} ${sha512}`;
    });
    const listed = bom.components.map(
      ({ name, version, hashes }) => `${name} ${version} ${hashes[0]?.content}`,
    );
    assert.ok(listed.length > 80, `${listed.length} packages`);
    assert.deepEqual(listed.sort(), [...new Set(expected)].sort());
    for (const { name, version, purl } of bom.components)
      assert.equal(purl, `pkg:npm/${name.replace('@', '%40')}@${version}`);
  });

  test('the dependencies in the bill of materials lead from the product to each package', () => {
    const { metadata, components, dependencies }: Bom = JSON.parse(file('cdx.json').toString());
    const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    const reached = new Set<string>();
    const follow = (ref: string) => {
      if (reached.has(ref)) return;
      reached.add(ref);
      for (const next of needs.get(ref) ?? assert.fail(ref)) follow(next);
    };
    follow(metadata.component['bom-ref']);
    const refs = components.map((each) => each['bom-ref']);
    assert.deepEqual([...reached].sort(), [metadata.component['bom-ref'], ...refs].sort());
  });

  test('the provenance names the commit and the digests of the files', () => {
    const { subject, predicateType, predicate } = JSON.parse(file('intoto.json').toString());
    assert.equal(predicateType, 'https://slsa.dev/provenance/v1');
    assert.equal(subject.length, 2);
    for (const { name, digest } of subject) {
      const bytes = readFileSync(join(out, name));
      assert.equal(digest.sha256, createHash('sha256').update(bytes).digest('hex'), name);
    }
    const [source] = predicate.buildDefinition.resolvedDependencies;
    assert.equal(source.digest.gitCommit, git('rev-parse', 'HEAD').toString().trim());
  });

  test('a second release has the same bytes, and uncommitted files are refused', () => {
    const again = join(home, 'again');
    assert.equal(release('--to', again).status, 0);
    for (const name of readdirSync(out))
      assert.ok(readFileSync(join(out, name)).equals(readFileSync(join(again, name))), name);
    writeFileSync(join(repository, 'stray'), '');
    const refused = release('--to', join(home, 'never'));
    rmSync(join(repository, 'stray'));
    assert.notEqual(refused.status, 0);
    assert.match(refused.stderr, /not committed/);
    assert.ok(!existsSync(join(home, 'never')));
  });
});

suite('The list of missing parts', () => {
  test('the list names license, security contact, changelog and tag while they are missing', () => {
    const { status, stdout } = release('--check');
    assert.equal(status, 1);
    for (const part of [/LICENSE/, /UNLICENSED/, /SECURITY\.md/, /CHANGELOG\.md/, /the tag v1\.0\.0/])
      assert.match(stdout, part);
    assert.doesNotMatch(stdout, /everything committed/);
  });

  test('the list is empty once all parts exist', () => {
    const manifest = JSON.parse(readText('package.json'));
    const put = (name: string, text: string) => writeFileSync(join(repository, name), text);
    put('LICENSE', 'Terms\n');
    put(
      'package.json',
      `${JSON.stringify({ ...manifest, license: 'SEE LICENSE IN LICENSE' }, undefined, 2)}\n`,
    );
    put('SECURITY.md', `${readText('SECURITY.md')}\nsecurity@example.org\n`);
    put('CHANGELOG.md', readText('CHANGELOG.md').replace('## Unreleased', '## 1.0.0 – 2026-12-01'));
    assert.match(release('--check').stdout, /everything committed/);
    git('add', '-A');
    git('commit', '-q', '-m', 'release');
    git('tag', 'v1.0.0');
    assert.deepEqual([release('--check').status, release('--check').stdout], [0, 'Nothing is missing.\n']);
  });

  test('the script refuses an unknown option', () => {
    assert.equal(release('--no-such-option').status, 2);
    assert.equal(release('--help').status, 0);
  });
});
