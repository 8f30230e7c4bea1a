import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Image } from './image.ts';

/** crun refuses a machine with both versions of cgroups, so this hides the second. */
const podman = `
mount --make-rprivate /
! mountpoint -q /sys/fs/cgroup/unified || umount /sys/fs/cgroup/unified
exec podman "$@"
`;
const inNamespace = ['--mount', 'sh', '-ec', podman, 'sh'];
const environment = (configuration: string) => ({
  PATH: process.env['PATH'] ?? '',
  CONTAINERS_CONF: configuration,
  // Without systemd podman cannot schedule the health check.
  DISABLE_HC_SYSTEMD: 'true',
});

export function askPodman(
  { store, configuration }: Pick<Image, 'store' | 'configuration'>,
  ...command: readonly string[]
): SpawnSyncReturns<string> {
  const env = environment(configuration);
  return spawnSync('unshare', [...inNamespace, ...store, ...command], { env, encoding: 'utf8' });
}

/** Options of deploy.md: read-only, no capabilities, no new privileges, podman's seccomp profile. */
const confined = [
  ...['--rm', '--read-only', '--read-only-tmpfs=false', '--cap-drop', 'all'],
  ...['--security-opt', 'no-new-privileges', '--network', 'host', '--cgroups', 'disabled'],
  ...['--log-driver', 'none', '--pull', 'never'],
];

const running = new Set<number>();
process.on('exit', () => {
  for (const pid of running) process.kill(pid, 'SIGKILL');
});

export type Container = Awaited<ReturnType<typeof runContainer>>;

export async function runContainer(
  image: Image,
  { volume, env }: { readonly volume: string; readonly env: Readonly<Record<string, string>> },
) {
  const name = `sayso-${randomUUID()}`;
  const given = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  const args = ['run', '--name', name, ...confined, ...given, '--volume', `${volume}:/data`, image.name];
  const child = spawn('unshare', [...inNamespace, ...image.store, ...args], {
    env: environment(image.configuration),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ask = (...command: readonly string[]) => askPodman(image, ...command);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const exited = once(child, 'exit').then(([code]) => code);
  const pid = await pidOf(child, () => Number(ask('inspect', '--format', '{{.State.Pid}}', name).stdout));
  if (pid === undefined) throw new Error(`the container did not start: ${printed}`);
  running.add(pid);
  return {
    /** Process id of the product on the machine. */
    pid,
    output: () => printed,
    /** Runs the image's own health check. */
    isHealthy: () => ask('healthcheck', 'run', name).status === 0,
    /** Runs a command in the container as root, without the product's confinement. */
    tryAsRoot(...command: readonly string[]) {
      const enter = ['--target', String(pid), '--mount', '--pid', '--root', ...command];
      const { status, stderr } = spawnSync('nsenter', enter, { encoding: 'utf8' });
      return { status, stderr };
    },
    /** Ends the product and returns its exit code. */
    async end(signal: NodeJS.Signals): Promise<number | null> {
      process.kill(pid, signal);
      const code = await exited;
      running.delete(pid);
      return code;
    },
  };
}

async function pidOf(child: ChildProcess, ask: () => number): Promise<number | undefined> {
  for (const last = Date.now() + 60_000; child.exitCode === null && Date.now() < last; await pause(200)) {
    const pid = ask();
    if (pid > 0) return pid;
  }
  return undefined;
}
