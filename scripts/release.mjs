/**
 * Makes the files of a release, and publishes nothing: the source of a commit as an archive, its bill of
 * materials (CycloneDX), the provenance of both (in-toto, SLSA), and their digests. The same commit gives the
 * same bytes. `--check` only lists the parts that a release still lacks. This script runs on Node 18 and
 * later.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const usage = `Usage: npm run check:release
       npm run release -- [--to <folder>]
Lists the parts that a release still lacks; makes archive, SBOM, provenance and digests of the commit in a folder (dist).
`;

const args = process.argv.slice(2);
if (args.includes('--help')) {
  process.stdout.write(usage);
} else if (args.length === 1 && args[0] === '--check') {
  const missing = findMissing();
  for (const line of missing) process.stdout.write(`missing: ${line}\n`);
  if (missing.length === 0) process.stdout.write('Nothing is missing.\n');
  process.exitCode = missing.length === 0 ? 0 : 1;
} else if (args.length === 0 || (args.length === 2 && args[0] === '--to')) {
  makeRelease(resolve(args[1] ?? join(root, 'dist')));
} else {
  process.stderr.write(usage);
  process.exitCode = 2;
}

/** Lists the missing parts that the owner must supply. */
function findMissing() {
  const { license, version } = readJson('package.json');
  const security = read('SECURITY.md');
  const changes = read('CHANGELOG.md');
  const all = [
    [existsSync(join(root, 'LICENSE')), 'LICENSE: under which terms others may use it'],
    [license !== 'UNLICENSED', 'package.json: `license` says UNLICENSED'],
    [
      /[\w.+-]+@[\w-]+(\.[\w-]+)+|https:\/\/\S+/.test(security),
      'SECURITY.md: an address, or a page, that takes reports of weaknesses',
    ],
    [
      (/^## (.*)$/m.exec(changes)?.[1] ?? '').startsWith(`${version} `),
      `CHANGELOG.md: a heading "## ${version} – <date>" in place of "Unreleased"`,
    ],
    [git('status', '--porcelain') === '', 'git: everything committed'],
    [
      git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`),
      `git: the tag v${version} on this commit`,
    ],
  ];
  return all.filter(([isThere]) => !isThere).map(([, what]) => what);
}

function makeRelease(folder) {
  if (git('status', '--porcelain') !== '')
    throw new Error('something is not committed: a release is of a commit');
  const { name, version } = readJson('package.json');
  const commit = git('rev-parse', 'HEAD');
  const madeAt = new Date(Number(git('log', '-1', '--format=%ct')) * 1000).toISOString();
  mkdirSync(folder, { recursive: true });
  const write = (file, content) => {
    writeFileSync(join(folder, file), content);
    return { name: file, digest: { sha256: createHash('sha256').update(content).digest('hex') } };
  };
  const tar = execFileSync('git', ['archive', '--format=tar', `--prefix=${name}-${version}/`, commit], {
    cwd: root,
    maxBuffer: 512 * 1024 * 1024,
  });
  const archive = write(`${name}-${version}.tar.gz`, gzipSync(tar, { level: 9 }));
  const sbom = write(`${name}-${version}.cdx.json`, json(billOfMaterials({ commit, madeAt })));
  const subject = [archive, sbom];
  const provenance = write(
    `${name}-${version}.intoto.json`,
    json(provenanceOf({ subject, commit, madeAt, version })),
  );
  const sums = [...subject, provenance].map((file) => `${file.digest.sha256}  ${file.name}\n`);
  write('SHA256SUMS', sums.join(''));
  for (const line of sums) process.stdout.write(line);
}

/** Lists the product's packages in the lockfile. `npm sbom` omits those that development needs, too. */
function billOfMaterials({ commit, madeAt }) {
  const { packages } = readJson('package-lock.json');
  const { name, version } = packages[''];
  const used = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  const refOf = (path) => (path === '' ? `${name}@${version}` : `${nameOf(path)}@${packages[path].version}`);
  const component = (path, { integrity, license, optional }) => ({
    'bom-ref': refOf(path),
    type: 'library',
    name: nameOf(path),
    version: packages[path].version,
    scope: optional === true ? 'optional' : 'required',
    purl: `pkg:npm/${nameOf(path).replace('@', '%40')}@${packages[path].version}`,
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
    ],
    licenses: license === undefined ? [] : [{ expression: license }],
  });
  const components = new Map(used.map(([path, entry]) => [refOf(path), component(path, entry)]));
  const dependencies = new Map(
    ['', ...used.map(([path]) => path)].map((path) => {
      const { dependencies: all = {}, optionalDependencies: more = {} } = packages[path];
      const found = Object.keys({ ...all, ...more }).flatMap(
        (wanted) => resolveIn(packages, path, wanted) ?? [],
      );
      return [refOf(path), { ref: refOf(path), dependsOn: [...new Set(found.map(refOf))].sort() }];
    }),
  );
  const parts = [8, 12, 16, 20, 32].map((to, index, ends) => commit.slice(ends[index - 1] ?? 0, to));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${parts.join('-')}`,
    version: 1,
    metadata: {
      timestamp: madeAt,
      component: {
        'bom-ref': refOf(''),
        type: 'application',
        name,
        version,
        purl: `pkg:npm/${name}@${version}`,
      },
    },
    components: [...components.values()],
    dependencies: [...dependencies.values()],
  };
}

function nameOf(path) {
  return path.replace(/^.*node_modules\//, '');
}

/** Returns the path at which Node finds a package that another one imports. */
function resolveIn(packages, path, wanted) {
  for (let from = path; ; from = from.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const found = from === '' ? `node_modules/${wanted}` : `${from}/node_modules/${wanted}`;
    if (packages[found] !== undefined) return found;
    if (from === '') return undefined;
  }
}

function options() {
  return { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 };
}

/** Builds the unsigned provenance; the owner signs it, for instance by `cosign attest-blob --predicate`. */
function provenanceOf({ subject, commit, madeAt, version }) {
  const remote = spawnSync('git', ['config', '--get', 'remote.origin.url'], options()).stdout.trim();
  const uri = /^https:\/\/[^@]+$/.test(remote) ? `git+${remote}` : 'git+file:sayso';
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'git-archive',
        externalParameters: { script: 'scripts/release.mjs', version },
        resolvedDependencies: [
          { uri: `${uri}@${commit}`, digest: { gitCommit: commit } },
          {
            uri: 'package-lock.json',
            digest: { sha256: createHash('sha256').update(read('package-lock.json')).digest('hex') },
          },
        ],
      },
      runDetails: { builder: { id: 'npm run release' }, metadata: { startedOn: madeAt, finishedOn: madeAt } },
    },
  };
}

function json(value) {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function read(file) {
  return readFileSync(join(root, file), 'utf8');
}

function readJson(file) {
  return JSON.parse(read(file));
}

function git(...command) {
  return execFileSync('git', command, options()).trim();
}
