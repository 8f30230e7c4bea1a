import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { suite, test } from 'node:test';
import { readText } from './files.ts';

interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}

const read = <T>(file: string): T => JSON.parse(readText(file));
const manifest = read<Manifest>('package.json');
const { packages: locked } = read<{ packages: Record<string, LockedPackage> }>('package-lock.json');
const packages = Object.entries(locked).filter(([path]) => path !== '');

const direct = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };

function namesWhere(isFault: (entry: LockedPackage) => boolean): string[] {
  return packages.filter(([, entry]) => isFault(entry)).map(([path]) => path);
}

suite('The supply chain', () => {
  test('Every package is pinned by a sha512', () => {
    assert.ok(packages.length > 100, `${packages.length} packages`);
    assert.deepEqual(
      namesWhere(({ integrity }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '')),
      [],
    );
  });

  test('Every package comes from the public registry, none from git, a file or another address', () => {
    const elsewhere = ({ resolved, link }: LockedPackage) =>
      link === true || (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'));
    assert.deepEqual(namesWhere(elsewhere), []);
    assert.deepEqual(
      Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)),
      [],
    );
  });

  test('No package has an install script', () => {
    assert.deepEqual(
      namesWhere(({ hasInstallScript }) => hasInstallScript === true),
      [],
    );
  });

  test('At most 20 packages are direct dependencies of the running product', () => {
    assert.ok(Object.keys(manifest.dependencies).length <= 20);
  });

  test('The Dockerfile refuses a base that is not named by its digest', () => {
    const dockerfile = readText('Dockerfile');
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    assert.ok(bases.length > 0);
    const stages = [...dockerfile.matchAll(/^FROM \S+ AS (\S+)/gm)].map(([, stage]) => stage);
    const isPinned = (base = '') =>
      base === `\${NODE_IMAGE}` || stages.includes(base) || /@sha256:[0-9a-f]{64}$/.test(base);
    assert.deepEqual(
      bases.filter((base) => !isPinned(base)),
      [],
    );
    assert.deepEqual(
      [...dockerfile.matchAll(/^ARG NODE_IMAGE(.*)$/gm)].map(([, otherwise]) => otherwise),
      ['', ''],
      'no default, which would be a tag',
    );
    const [, check = 'false'] = /^FROM \$\{NODE_IMAGE\}.*\nARG NODE_IMAGE\nRUN (.*)$/m.exec(dockerfile) ?? [];
    const passes = (image: string) =>
      spawnSync('sh', ['-c', check], { env: { PATH: process.env['PATH'] ?? '', NODE_IMAGE: image } })
        .status === 0;
    const digest = 'a1'.repeat(32);
    assert.ok(passes(`node:26-slim@sha256:${digest}`));
    assert.ok(passes(`registry.example:5000/node@sha256:${digest}`));
    for (const image of ['', 'node:26-slim', 'node@sha256:', `node@sha256:${digest}0`, `node:${digest}`]) {
      assert.ok(!passes(image), JSON.stringify(image));
    }
  });

  test('The optional packages are only Node for other platforms, in one version', () => {
    const platforms = Object.keys(manifest.optionalDependencies);
    assert.deepEqual(
      platforms.filter((name) => !/^node-(bin-)?(darwin|linux|win)-(x64|arm64)$/.test(name)),
      [],
    );
    assert.equal(new Set(Object.values(manifest.optionalDependencies)).size, 1);
  });
});
