import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { root } from '../deploy/files.ts';

/** The reason why no image can be built here, or false; with CI=true a reason is thrown. */
export const skip: string | false = findSkip();

function findSkip(): string | false {
  if (process.env['SAYSO_LONG'] !== '1') return 'the image is built in npm run test:long';
  const missing = ['mmdebstrap', 'buildah', 'podman', 'crun'].filter(
    (name) => !existsSync(`/usr/bin/${name}`),
  );
  let why: string;
  if (process.platform !== 'linux' || process.getuid?.() !== 0) why = 'it takes root on Linux';
  else if (missing.length > 0) why = `there is no ${missing.join(', no ')}`;
  else return false;
  if (process.env['CI'] === 'true') throw new Error(why);
  process.stderr.write(`\n*** NOT TESTED: the image, ${why} ***\n\n`);
  return why;
}

/** Configuration of an image, in Docker's format. */
export interface ImageConfig {
  readonly StopSignal: string;
  readonly Volumes: Readonly<Record<string, unknown>>;
}

export type Builder = ReturnType<typeof createBuilder>;
export type Image = ReturnType<Builder['build']>;

/** Makes a base image of Debian's packages and npm's Node, like the official one, in a store of its own. */
export function createBuilder() {
  // The store has gigabytes, and TMPDIR of a test run may be memory.
  const folder = mkdtempSync('/var/tmp/sayso-image-');
  const end = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', end);
  const places = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
  const storage = [...places, '--storage-driver', 'vfs'];
  const buildah = (...args: readonly string[]): string =>
    execFileSync('buildah', [...storage, ...args], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      // Settings of this machine, such as npm's registry, must not reach the build.
      env: { PATH: process.env['PATH'] ?? '', HOME: folder },
      stdio: 'pipe',
    }).trim();
  const configuration = join(folder, 'containers.conf');
  // A machine may forbid Podman's default limits.
  writeFileSync(configuration, '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n');
  const name = 'localhost/base';
  const made = buildah('from', 'scratch');
  buildah('copy', '--quiet', made, makeBase(folder), '/');
  buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', made);
  buildah('commit', '--quiet', '--rm', made, name);
  const digest = buildah('inspect', '--type', 'image', '--format', '{{.FromImageDigest}}', name);

  const build = (base: string) =>
    buildah(
      ...['build', '--isolation', 'chroot', '--format', 'docker', '--pull-never', '--tag', 'sayso'],
      ...['--build-arg', `NODE_IMAGE=${base}`, root],
    );
  return {
    /** Builds the Dockerfile on the base by its digest. */
    build() {
      build(`${name}@${digest}`);
      const inspected = JSON.parse(buildah('inspect', '--type', 'image', 'sayso'));
      const container = buildah('from', '--pull-never', 'localhost/sayso');
      return {
        config: inspected.Docker.config as ImageConfig,
        /** Folder with the image's files. */
        root: buildah('mount', container),
        name: 'localhost/sayso',
        /** Path of podman's settings. */
        configuration,
        /** Options by which podman finds the image. */
        store: [...storage, '--cgroup-manager', 'cgroupfs', '--tmpdir', join(folder, 'podman')],
      };
    },
    /** Builds on the base by its tag alone, and returns the error message. */
    buildByTag() {
      try {
        return build(`${name}:latest`);
      } catch (fault) {
        if (fault instanceof Error && 'stderr' in fault) return String(fault.stderr);
        throw fault;
      }
    },
    end,
  };
}

function makeBase(folder: string): string {
  const base = join(folder, 'base');
  const [, release = 'stable'] =
    /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
  execFileSync(
    'mmdebstrap',
    ['--quiet', '--variant=essential', '--include=libatomic1,libstdc++6,ca-certificates', release, base],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const local = join(base, 'usr', 'local');
  cpSync(realpathSync(process.execPath), join(local, 'bin', 'node'));
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())));
  mkdirSync(join(local, 'lib', 'node_modules'), { recursive: true });
  cpSync(npm, join(local, 'lib', 'node_modules', 'npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'));
  // A proxy before the registry may use an authority that only this machine trusts.
  const authorities = '/etc/ssl/certs/ca-certificates.crt';
  if (existsSync(authorities)) cpSync(authorities, join(base, authorities));
  mkdirSync(join(local, 'etc'), { recursive: true });
  writeFileSync(join(local, 'etc', 'npmrc'), `cafile=${authorities}\n`);
  appendFileSync(join(base, 'etc', 'passwd'), 'node:x:1000:1000::/home/node:/bin/sh\n');
  appendFileSync(join(base, 'etc', 'group'), 'node:x:1000:\n');
  return base;
}
